package csvdir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// scratch is a hidden folder for unfinished files. Its process holds a lock on a
// file in it. So a sweep can tell the folder of a dead process from one in use.
//
// The lock of package onefile does not fit. It makes the lock file when asked, but
// a sweep must not make one: a folder without a lock file is not ours. It also
// fails on file systems without locks, where a panel can still be written.
type scratch struct {
	dir  string
	lock *os.File // nil where nothing can be locked
}

const (
	lockName  = ".lock"
	suffixLen = 12
)

// newScratch makes a folder whose name is the prefix and random letters.
func newScratch(parent, prefix string) (*scratch, error) {
	for range 100 {
		dir := filepath.Join(parent, prefix+rand.Text()[:suffixLen])
		err := os.Mkdir(dir, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		lock, err := lockNew(filepath.Join(dir, lockName))
		if err == nil {
			return &scratch{dir, lock}, nil
		}
		os.RemoveAll(dir)
		if !errors.Is(err, fs.ErrNotExist) { // else another process took it for a leftover
			return nil, err
		}
	}
	return nil, errors.New("no hidden folder can be made there")
}

// release removes the lock of the folder, which has moved to dir.
func (s *scratch) release(dir string) {
	if s.lock != nil {
		os.Remove(filepath.Join(dir, lockName))
		s.lock.Close()
	}
}

// remove removes the folder with its files.
func (s *scratch) remove() {
	removeLocked(s.dir)
	if s.lock != nil {
		s.lock.Close()
	}
}

// removeLocked removes a folder, its lock file last. If it is cut short, the next
// sweep still recognizes the rest.
func removeLocked(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != lockName {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	os.RemoveAll(dir)
}

// sweep removes the scratch folders of the prefix that no process holds. It leaves
// what it can't remove.
func sweep(parent, prefix string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if e.IsDir() && isScratch(e.Name(), prefix) {
			sweepOne(filepath.Join(parent, e.Name()))
		}
	}
}

func isScratch(name, prefix string) bool {
	suffix, ok := strings.CutPrefix(name, prefix)
	return ok && len(suffix) == suffixLen && strings.Trim(suffix, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Scratch makes a hidden folder beside a file, for a panel directory that is needed
// only for a moment. It first removes the folders that dead processes left beside
// the same file. Call remove when done. It fails when the folder can't be made.
func Scratch(file string) (dir string, remove func(), err error) {
	file = filepath.Clean(file)
	parent, prefix := filepath.Dir(file), "."+filepath.Base(file)+".scratch-"
	sweep(parent, prefix)
	s, err := newScratch(parent, prefix)
	if err != nil {
		return "", nil, fmt.Errorf("csvdir: beside %s: %w", file, reason(err))
	}
	return s.dir, s.remove, nil
}
