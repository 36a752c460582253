package csvdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteOptions say how a panel directory is written.
type WriteOptions struct {
	Gzip bool // every file as x.csv.gz
}

// Writer writes a panel directory. It makes the files in a hidden folder, so
// that nothing can be imported before Commit.
type Writer struct {
	dir     string
	opts    WriteOptions
	exists  bool     // the folder was there, so it is filled
	scratch *scratch // nil after the end
}

// insidePrefix begins the name of the hidden folder in one that is filled.
const insidePrefix = ".larder.tmp-"

// Create starts a panel directory at a new path or in an empty folder. Any
// other path is an error. End it with Commit or Abort.
func Create(dir string, opts WriteOptions) (*Writer, error) {
	w := &Writer{dir: filepath.Clean(dir), opts: opts}
	if err := w.create(); err != nil {
		return nil, w.fail(err)
	}
	return w, nil
}

func (w *Writer) create() (err error) {
	info, err := os.Stat(w.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.createBeside()
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("it is a file, not a folder")
	}
	w.exists = true
	w.sweepBeside()
	sweep(w.dir, insidePrefix)
	if err := w.checkEmpty(""); err != nil {
		return err
	}
	w.scratch, err = newScratch(w.dir, insidePrefix)
	return err
}

func (w *Writer) createBeside() error {
	if _, err := os.Lstat(w.dir); err == nil {
		return errors.New("it is a symbolic link to something that does not exist")
	}
	parent := filepath.Dir(w.dir)
	if info, err := os.Stat(parent); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s to make it in", parent)
	} else if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file, not a folder", parent)
	}
	prefix := w.sweepBeside()
	s, err := newScratch(parent, prefix)
	w.scratch = s
	return err
}

// sweepBeside removes leftovers beside the folder and returns the prefix of
// their names.
func (w *Writer) sweepBeside() string {
	prefix := "." + filepath.Base(w.dir) + ".tmp-"
	sweep(filepath.Dir(w.dir), prefix)
	return prefix
}

// checkEmpty refuses a folder with anything but the hidden one.
func (w *Writer) checkEmpty(hidden string) error {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch {
		case e.Name() == hidden:
		case isScratch(e.Name(), insidePrefix):
			return fmt.Errorf("another program is writing to it, or left %s in it", e.Name())
		default:
			return fmt.Errorf("it is not empty (it has %s); give a new or an empty folder", e.Name())
		}
	}
	return nil
}

// fail puts the name that the caller gave before an error, in place of those of
// hidden files.
func (w *Writer) fail(err error) error { return fmt.Errorf("csvdir: %s: %w", w.dir, reason(err)) }

// reason takes an error of package os apart from the names it has.
func reason(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Commit puts the finished files in their place. It does not check that all
// required files were written.
func (w *Writer) Commit() error {
	if w.scratch == nil {
		return w.fail(errors.New("it is committed or aborted already"))
	}
	put := w.rename
	if w.exists {
		put = w.fill
	}
	err := syncDir(w.scratch.dir)
	if err == nil {
		err = put()
	}
	if err != nil {
		w.Abort()
		return w.fail(err)
	}
	return nil
}

// rename makes the hidden folder the one that is wanted.
func (w *Writer) rename() error {
	if _, err := os.Lstat(w.dir); err == nil {
		return errors.New("something was put there meanwhile")
	}
	if err := os.Rename(w.scratch.dir, w.dir); err != nil {
		return err
	}
	w.scratch.release(w.dir)
	w.scratch = nil
	if err := syncDir(w.dir); err != nil {
		return err
	}
	return syncDir(filepath.Dir(w.dir))
}

var renameFile = os.Rename // so that tests can make it fail

// fill moves the files into the folder that was there. Those of the
// observations come last: without them a half-filled folder is no panel
// directory.
func (w *Writer) fill() (err error) {
	if err := w.checkEmpty(filepath.Base(w.scratch.dir)); err != nil {
		return err
	}
	entries, err := os.ReadDir(w.scratch.dir)
	if err != nil {
		return err
	}
	var moved, last []string
	defer func() {
		if err != nil {
			for _, name := range moved {
				os.Remove(filepath.Join(w.dir, name))
			}
		}
	}()
	move := func(name string) error {
		err := renameFile(filepath.Join(w.scratch.dir, name), filepath.Join(w.dir, name))
		if err == nil {
			moved = append(moved, name)
		}
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == lockName:
		case strings.HasPrefix(name, Observations.FileName()):
			last = append(last, name)
		default:
			if err := move(name); err != nil {
				return err
			}
		}
	}
	if err := syncDir(w.dir); err != nil {
		return err
	}
	for _, name := range last {
		if err := move(name); err != nil {
			return err
		}
	}
	if err := syncDir(w.dir); err != nil {
		return err
	}
	w.scratch.remove()
	w.scratch = nil
	return nil
}

// Abort removes what was written. After Commit it does nothing.
func (w *Writer) Abort() {
	if w.scratch != nil {
		w.scratch.remove()
		w.scratch = nil
	}
}
