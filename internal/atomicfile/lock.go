package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// ErrHeld is returned by Lock while another has the lock.
var ErrHeld = errors.New("another has the lock")

// Lock takes the lock on the file at path. It makes the file with the given
// permissions if it does not exist. Call unlock once: it removes the file and gives
// the lock back. The error is ErrHeld while somebody else has the lock, in this
// process or in another one.
func Lock(path string, mode fs.FileMode) (unlock func(), err error) {
	for {
		f, err := lock(path, mode)
		if err != nil {
			return nil, err
		}
		// The holder before may have removed the file after we opened it and
		// before we locked it. Then our file is no longer the lock.
		mine, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return func() { drop(f) }, nil
		}
		f.Close()
	}
}
