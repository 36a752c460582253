package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/larder-index/larder/internal/atomicfile"
)

const (
	lockSuffix = ".lock" // of the file that a server, or a change of the schema, locks
	headerSize = 100     // of an SQLite file
)

// lock takes the lock of a file's server, as one that only its owner may touch.
func lock(path string) (unlock func(), err error) {
	unlock, err = atomicfile.Lock(path, 0o600)
	if errors.Is(err, atomicfile.ErrHeld) {
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
			return "", atomicfile.Bare(err)
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
		return "", atomicfile.Bare(err)
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
		return "", atomicfile.Bare(err)
	}
	return path, f.Close()
}

// A server writes the device and inode of its file into the lock file. So other
// processes notice that the name now leads to another file.

// announce writes the identity of the server's file into the lock file.
func (db *DB) announce() error {
	info, err := os.Stat(db.file)
	if err != nil {
		return atomicfile.Bare(err)
	}
	db.opened = info
	return os.WriteFile(db.file+lockSuffix, []byte(identity(info)+"\n"), 0o600)
}

// Intact returns ErrReplaced when the path of a serving state no longer leads to the
// file that is open. Changes by other processes would not reach this one then.
func (db *DB) Intact() error {
	if db.opened == nil { // also on PostgreSQL
		return nil
	}
	if info, err := os.Stat(db.file); err != nil || !os.SameFile(info, db.opened) {
		return atomicfile.Fail("state", db.path, ErrReplaced, "put the file back, or restart the server")
	}
	return nil
}

// heldElsewhere returns ErrReplaced when a running server announced another file
// under this name. info is nil when no file has the name.
func heldElsewhere(file string, info os.FileInfo) error {
	announced, err := os.ReadFile(file + lockSuffix)
	if err != nil || len(announced) == 0 || info != nil && string(announced) == identity(info)+"\n" {
		return nil
	}
	unlock, err := lock(file + lockSuffix)
	if errors.Is(err, ErrServing) {
		return fmt.Errorf("a running server still uses the file that had this name before: %w", ErrReplaced)
	}
	if err == nil {
		unlock() // no server runs: the line is an old one
	}
	return nil
}
