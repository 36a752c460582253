package csvdir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/larder-index/larder/internal/atomicfile"
)

// WriteOptions say how a panel directory is written.
type WriteOptions struct {
	Gzip bool // every file as x.csv.gz
}

// Writer writes a panel directory. It makes the files in a hidden folder beside
// it, so that nothing can be imported before Commit.
type Writer struct {
	dir  string // as the caller named it
	to   string // the same, links followed
	tmp  string // the hidden folder; empty after the end
	opts WriteOptions
}

// Create starts a panel directory at a new path or in the place of an empty
// folder. Any other path is an error. End it with Commit or Abort.
func Create(dir string, opts WriteOptions) (*Writer, error) {
	w := &Writer{dir: filepath.Clean(dir), opts: opts}
	if err := w.create(); err != nil {
		return nil, w.fail(err)
	}
	return w, nil
}

func (w *Writer) create() (err error) {
	if w.to, err = filepath.Abs(w.dir); err != nil {
		return err
	}
	if _, err := os.Lstat(w.to); err == nil {
		if err := w.checkEmpty(); err != nil {
			return err
		}
	} else if info, err := os.Stat(filepath.Dir(w.to)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s to make it in", filepath.Dir(w.dir))
	} else if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file, not a folder", filepath.Dir(w.dir))
	}
	w.tmp = filepath.Join(filepath.Dir(w.to), "."+filepath.Base(w.to)+".tmp-"+rand.Text()[:12])
	return os.Mkdir(w.tmp, 0o777)
}

// checkEmpty refuses what is there already, but for an empty folder.
func (w *Writer) checkEmpty() (err error) {
	if w.to, err = filepath.EvalSymlinks(w.to); errors.Is(err, fs.ErrNotExist) {
		return errors.New("it is a symbolic link to something that does not exist")
	}
	info, err := os.Stat(w.to)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("it is a file, not a folder")
	}
	if here, err := os.Stat("."); err == nil && os.SameFile(here, info) {
		return errors.New("it is the working folder, which can't be replaced; give a new folder")
	}
	entries, err := os.ReadDir(w.to)
	if len(entries) > 0 {
		return fmt.Errorf("it is not empty (it has %s); give a new or an empty folder", entries[0].Name())
	}
	return err
}

// fail puts the name that the caller gave before an error, in place of those of
// hidden files.
func (w *Writer) fail(err error) error {
	return fmt.Errorf("csvdir: %s: %w", w.dir, atomicfile.Bare(err))
}

// Path returns where a file is written before Commit.
func (w *Writer) Path(name string) string { return filepath.Join(w.tmp, name) }

// Commit puts the finished files in their place. It does not check that all
// required files were written.
func (w *Writer) Commit() error {
	if w.tmp == "" {
		return w.fail(errEnded)
	}
	defer w.Abort()
	if _, err := os.Lstat(w.to); err == nil && os.Remove(w.to) != nil { // only an empty folder goes
		return w.fail(errors.New("something was put there meanwhile"))
	}
	if err := atomicfile.Replace(w.tmp, w.to); err != nil {
		return w.fail(err)
	}
	w.tmp = ""
	return nil
}

var errEnded = errors.New("it is committed or aborted already")

// Abort removes what was written. After Commit it does nothing.
func (w *Writer) Abort() {
	if w.tmp != "" {
		_ = os.RemoveAll(w.tmp)
		w.tmp = ""
	}
}
