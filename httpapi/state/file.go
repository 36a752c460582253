package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

const (
	lockSuffix = ".lock"
	headerSize = 100 // of an SQLite file
)

// making keeps the descriptor of a new file from being closed after another
// goroutine has the file open in SQLite: that would drop SQLite's locks.
var making sync.Mutex

// makeFile returns the path of the file, links followed, so that every name of
// it has the same lock. It makes the file if that is allowed.
func (db *DB) makeFile() (string, error) {
	path, err := filepath.Abs(db.path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		info, err := os.Stat(real)
		switch {
		case err != nil:
			return "", unwrapPath(err)
		case info.IsDir():
			return "", fmt.Errorf("%w: it is a folder", ErrNotState)
		case info.Size() > 0 && info.Size() < headerSize: // SQLite would take one byte for none
			return "", fmt.Errorf("%w: it is no SQLite file", ErrNotState)
		}
		return real, nil
	} else if !errors.Is(err, fs.ErrNotExist) || db.options.Existing {
		return "", unwrapPath(err)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", errors.New("it is a link that leads nowhere")
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New("its folder does not exist; make that first")
	}
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, filepath.Base(path))
	making.Lock()
	defer making.Unlock()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return path, nil // somebody was faster
	}
	if err != nil {
		return "", unwrapPath(err)
	}
	return path, f.Close()
}

// unwrapPath drops the path from an error that is shown with it anyway.
func unwrapPath(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}
