package offers

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
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
			if err != nil || d.IsDir() || name != root && strings.HasPrefix(d.Name(), ".") {
				return err
			}
			z, broken := zip.OpenReader(name)
			if broken == nil {
				defer z.Close()
				return walkZip(filepath.ToSlash(name), &z.Reader, visit)
			}
			list = append(list, entry{filepath.ToSlash(name), func() (io.ReadCloser, error) {
				if strings.EqualFold(filepath.Ext(name), ".zip") {
					return nil, broken
				}
				return os.Open(name)
			}})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return byFolder(list, visit)
}

func walkZip(archive string, z *zip.Reader, visit func(folder []entry) error) error {
	var list []entry
	for _, f := range z.File {
		e := entry{archive + "/" + strings.ToValidUTF8(f.Name, "?"), f.Open}
		if f.FileInfo().IsDir() || strings.HasPrefix(path.Base(e.name), ".") {
			continue
		}
		if strings.EqualFold(path.Ext(e.name), ".zip") {
			inner, err := nested(f)
			if err == nil {
				if err = walkZip(e.name, inner, visit); err != nil {
					return err
				}
				continue
			}
			e.open = func() (io.ReadCloser, error) { return nil, err }
		}
		list = append(list, e)
	}
	return byFolder(list, visit)
}

func nested(f *zip.File) (*zip.Reader, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxNested+1))
	if len(data) > maxNested {
		err = errors.New("is a large archive in an archive: unpack the outer one")
	}
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(data), int64(len(data)))
}

func byFolder(list []entry, visit func(folder []entry) error) error {
	for len(list) > 0 {
		folder := path.Dir(list[0].name)
		n := slices.IndexFunc(list, func(e entry) bool { return path.Dir(e.name) != folder })
		if n < 0 {
			n = len(list)
		}
		if err := visit(list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}
