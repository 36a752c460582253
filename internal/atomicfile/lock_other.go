//go:build !unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// lock makes a file, or returns ErrHeld if it is there. The file of a process that was killed
// stays until somebody removes it.
func lock(path string, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, mode)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrHeld
	}
	return f, err
}

// owners returns nothing: modes are all that files have here.
func owners(fs.FileInfo) (user, group int) { return 0, 0 }

// drop removes the file, which must be closed first.
func drop(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}
