package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/gofrs/flock"
)

// ErrHeld is returned by Lock while another has the lock.
var ErrHeld = errors.New("another has the lock")

// Lock takes the lock on the file at path. It makes the file with the given
// permissions if it does not exist. Call unlock once: it removes the file and gives
// the lock back. The error is ErrHeld while somebody else has the lock, in this
// process or in another one.
func Lock(path string, mode fs.FileMode) (unlock func(), err error) {
	for {
		l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(mode))
		taken, err := l.TryLock()
		if err != nil {
			return nil, err
		}
		if !taken {
			return nil, ErrHeld
		}
		// The holder before may have removed the file after we opened it and
		// before we locked it. Then our file is no longer the lock.
		mine, err1 := l.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return func() { drop(l) }, nil
		}
		l.Close()
	}
}

// drop removes the file while it is locked, because afterwards it may belong to
// another holder. Windows removes no open file, so there drop unlocks first. The
// removal then fails, as it should, if another holder has opened the file.
func drop(l *flock.Flock) {
	if runtime.GOOS != "windows" {
		os.Remove(l.Path())
	}
	l.Close()
	if runtime.GOOS == "windows" {
		os.Remove(l.Path())
	}
}
