package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/larder-index/larder/panel/onefile"
)

const (
	lockSuffix = ".lock" // of the file that a server, or a change of the schema, locks
	headerSize = 100     // of an SQLite file
)

// lock takes the lock of a file's server, as one that only its owner may touch.
func lock(path string) (unlock func(), err error) {
	unlock, err = onefile.Lock(path, 0o600)
	if errors.Is(err, onefile.ErrHeld) {
		return nil, ErrServing
	}
	return unlock, err
}

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
			return "", onefile.Bare(err)
		case info.IsDir():
			return "", fmt.Errorf("%w: it is a folder", ErrNotState)
		case info.Size() > 0 && info.Size() < headerSize: // SQLite would take one byte for none
			return "", fmt.Errorf("%w: it is no SQLite file", ErrNotState)
		case !info.Mode().IsRegular():
			return "", fmt.Errorf("%w: it is no regular file", ErrNotState)
		}
		if db.options.Serve {
			return real, nil // the lock decides
		}
		return real, heldElsewhere(real, info)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", onefile.Bare(err)
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
	if err := heldElsewhere(path, nil); err != nil {
		return "", err
	}
	if db.options.Existing {
		return "", fs.ErrNotExist
	}
	making.Lock()
	defer making.Unlock()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return path, nil // somebody was faster
	}
	if err != nil {
		return "", onefile.Bare(err)
	}
	return path, f.Close()
}
