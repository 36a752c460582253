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

// scratch is a hidden folder for files that are not finished. While it is held,
// a file in it is locked, so that the folder of a process that died can be told
// from that of one at work.
//
// The lock of package onefile does not fit: asking for it makes the lock file,
// and fails on systems without locks. A sweep must make no lock file, since a
// folder without one is not ours. On systems without locks, files are written
// all the same.
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

// release takes the lock off the folder, which is now at the given place.
func (s *scratch) release(dir string) {
	if s.lock != nil {
		os.Remove(filepath.Join(dir, lockName))
		s.lock.Close()
	}
}

// remove removes the folder and all that is in it.
func (s *scratch) remove() {
	removeLocked(s.dir)
	if s.lock != nil {
		s.lock.Close()
	}
}

// removeLocked removes a folder, its lock file last: if that is cut short too,
// the rest is still known as a leftover.
func removeLocked(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != lockName {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	os.RemoveAll(dir)
}

// sweep removes the scratch folders of the prefix that no process holds. What
// can't be removed stays.
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

// Scratch makes a hidden folder beside a file, for a panel directory that is
// needed for a moment only, and removes those that processes which died have
// left for the same file. Call remove when done. It is for the command, whose
// demo is written and imported at once.
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
