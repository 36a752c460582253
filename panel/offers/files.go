package offers

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zip"
)

// entry is a file, in an archive or not.
type entry struct {
	name string // its path, through the archives that it is in
	open func() (io.ReadCloser, error)
}

// maxNested bounds an archive in an archive, which is held in memory.
const maxNested = 256 << 20

// walk calls visit with the files of one folder at a time: of the folders and archives
// among the given, and of those in them.
func walk(files []string, visit func(folder []entry) error) error {
	var list []entry
	for _, root := range files {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (name == root || !strings.HasPrefix(d.Name(), ".")) {
				open := func() (io.ReadCloser, error) { return os.Open(name) }
				list = append(list, entry{filepath.ToSlash(name), open})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return byFolder(list, visit)
}

// byFolder calls visit with the files of archives among the entries, then with the others.
func byFolder(list []entry, visit func(folder []entry) error) error {
	var plain []entry
	for _, e := range list {
		if strings.EqualFold(path.Ext(e.name), ".zip") {
			inner, done, err := e.unzip()
			if err == nil {
				err = byFolder(inner, visit)
				done.Close()
				if err != nil {
					return err
				}
				continue
			}
			e.open = func() (io.ReadCloser, error) { return nil, err }
		}
		plain = append(plain, e)
	}
	for len(plain) > 0 {
		var folder, others []entry
		for _, e := range plain {
			if path.Dir(e.name) == path.Dir(plain[0].name) {
				folder = append(folder, e)
			} else {
				others = append(others, e)
			}
		}
		if err := visit(folder); err != nil {
			return err
		}
		plain = others
	}
	return nil
}

// unzip returns the files of an archive, which can be read until it is closed.
func (e *entry) unzip() (list []entry, archive io.Closer, err error) {
	f, err := e.open()
	if err != nil {
		return nil, nil, err
	}
	var z *zip.Reader
	if file, ok := f.(*os.File); ok {
		info, _ := file.Stat()
		z, err = zip.NewReader(file, info.Size())
	} else {
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(f, maxNested+1)); len(data) > maxNested {
			err = errors.New("is a large archive in an archive: unpack the outer one")
		}
		if err == nil {
			z, err = zip.NewReader(bytes.NewReader(data), int64(len(data)))
		}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	for _, x := range z.File {
		name := e.name + "/" + strings.ToValidUTF8(x.Name, "?")
		if !x.FileInfo().IsDir() && !strings.HasPrefix(path.Base(name), ".") {
			list = append(list, entry{name, x.Open})
		}
	}
	return list, f, nil
}
