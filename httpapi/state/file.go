package state

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"

	"github.com/larder-index/larder/internal/atomicfile"
)

const lockSuffix = ".lock" // of the file that a server, or a change of the schema, locks

// lock takes the lock of a file's server, as one that only its owner may touch.
func lock(file string) (unlock func(), err error) {
	unlock, err = atomicfile.Lock(file+lockSuffix, 0o600)
	if errors.Is(err, atomicfile.ErrHeld) {
		return nil, ErrServing
	}
	return unlock, err
}

func (db *DB) openFile(string) (err error) {
	if err := db.makeFile(); err != nil {
		return err
	}
	if db.options.Serve {
		if db.unlock, err = lock(db.file); err != nil {
			return db.refuse(err, "stop it first, or give this one a state of its own")
		}
		if db.opened, err = os.Stat(db.file); err != nil {
			return atomicfile.Bare(err)
		}
		// Other processes notice by this line that the name now leads to another file.
		if err := os.WriteFile(db.file+lockSuffix, []byte(identity(db.opened)), 0o600); err != nil {
			return err
		}
	}
	address := "file:" + (&url.URL{Path: filepath.ToSlash(db.file)}).EscapedPath() + "?_busy_timeout=5000&"
	// there is the driver
	writer, _ := sql.Open("sqlite3",
		address+"mode=rw&_txlock=immediate&_foreign_keys=on&_synchronous=FULL&_stmt_cache_size=128")
	readers, _ := sql.Open("sqlite3", address+"mode=ro&_stmt_cache_size=16")
	db.writer, db.readers = pool(writer, 1), pool(readers, 2*max(2, runtime.GOMAXPROCS(0)))
	return nil
}

// making keeps the descriptor of a new file from being closed after another
// goroutine has the file open in SQLite: that would drop SQLite's locks.
var making sync.Mutex

// makeFile finds the file, links followed, so that every name of it has the same lock. It
// makes the file if that is allowed.
func (db *DB) makeFile() (err error) {
	if db.file, err = filepath.Abs(db.path); err != nil {
		return err
	}
	if followed, err := filepath.EvalSymlinks(db.file); err == nil {
		db.file = followed
	}
	info, err := os.Stat(db.file)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing:
	case err != nil:
		return atomicfile.Bare(err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: it is no regular file", ErrNotState)
	case info.Size() > 0 && info.Size() < 100: // no header; SQLite would take one byte for none
		return fmt.Errorf("%w: it is no SQLite file", ErrNotState)
	case db.options.Serve:
		return nil // the lock decides
	}
	if err := db.heldElsewhere(info); err != nil || !missing {
		return err
	}
	if db.options.Existing {
		return db.refuse(fs.ErrNotExist, "larder keys create makes a new one")
	}
	making.Lock()
	defer making.Unlock()
	f, err := os.OpenFile(db.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // somebody was faster
	}
	if err != nil {
		return atomicfile.Bare(err)
	}
	return f.Close()
}

// heldElsewhere returns ErrReplaced when a running server announced another file
// under this name. info is nil when no file has the name.
func (db *DB) heldElsewhere(info os.FileInfo) error {
	announced, err := os.ReadFile(db.file + lockSuffix)
	if err != nil || len(announced) == 0 || info != nil && string(announced) == identity(info) {
		return nil
	}
	unlock, err := lock(db.file)
	if errors.Is(err, ErrServing) {
		return db.refuse(fmt.Errorf("a running server still uses the file that had this name before: %w", ErrReplaced),
			"restart the server, or put its file back")
	}
	if err == nil {
		unlock() // no server runs: the line is an old one
	}
	return nil
}

// identity names a file by device and inode. A system without them does not let anyone replace
// an open file.
func identity(info os.FileInfo) string {
	s := reflect.Indirect(reflect.ValueOf(info.Sys()))
	return fmt.Sprintln(s.FieldByName("Dev"), s.FieldByName("Ino"))
}

// intact returns ErrReplaced when the path of a serving state no longer leads to the
// file that is open. Changes by other processes would not reach this one then.
func (db *DB) intact() error {
	if db.opened == nil { // also on PostgreSQL
		return nil
	}
	if info, err := os.Stat(db.file); err != nil || !os.SameFile(info, db.opened) {
		return atomicfile.Fail("state", db.path, ErrReplaced, "put the file back, or restart the server")
	}
	return nil
}
