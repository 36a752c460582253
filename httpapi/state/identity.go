package state

import (
	"errors"
	"fmt"
	"os"

	"github.com/larder-index/larder/panel/onefile"
)

// A server writes the device and inode of its file into the lock file. So other
// processes notice that the name now leads to another file.

// announce writes the identity of the server's file into the lock file.
func (db *DB) announce() error {
	info, err := os.Stat(db.file)
	if err != nil {
		return onefile.Bare(err)
	}
	db.opened = info
	return os.WriteFile(db.file+lockSuffix, []byte(identity(info)+"\n"), 0o600)
}

// Intact returns ErrReplaced when the path of a serving state no longer leads to the
// file that is open. Changes by other processes would not reach this one then.
func (db *DB) Intact() error {
	if db.opened == nil {
		return nil
	}
	if info, err := os.Stat(db.file); err != nil || !os.SameFile(info, db.opened) {
		return onefile.Fail("state", db.path, ErrReplaced, "put the file back, or restart the server")
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
