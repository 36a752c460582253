package onefile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/gofrs/flock"
)

// ErrHeld is returned by Lock while another has the lock.
var ErrHeld = errors.New("another has the lock")

// Lock takes the lock that is the file path, which it makes with the given
// permissions if it is not there. Unlock gives the lock back, once, and removes
// the file. While another has the lock, in this process or in another one, the
// error is ErrHeld.
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
		// The holder before may have removed the file between our opening
		// and locking it: then this is not the lock any more.
		mine, err1 := l.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return func() { drop(l) }, nil
		}
		l.Close()
	}
}

// drop removes the file while it is locked: afterwards it may be another's.
// Windows removes no file that is open; there it is removed afterwards, which
// fails, as it should, when another has opened it meanwhile.
func drop(l *flock.Flock) {
	if runtime.GOOS != "windows" {
		os.Remove(l.Path())
	}
	l.Close()
	if runtime.GOOS == "windows" {
		os.Remove(l.Path())
	}
}
