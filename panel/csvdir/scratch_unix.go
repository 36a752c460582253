//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package csvdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// lockNew makes and locks the lock file of a new scratch folder. The system
// releases the lock when the process dies. On a file system without locks it
// locks nothing, and nothing is swept. fs.ErrNotExist means that another process
// swept the folder.
func lockNew(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if errors.Is(flock(f), syscall.EWOULDBLOCK) {
		f.Close()
		return nil, fs.ErrNotExist
	}
	mine, err1 := f.Stat()
	there, err2 := os.Stat(path)
	if err1 != nil || err2 != nil || !os.SameFile(mine, there) {
		f.Close()
		return nil, fs.ErrNotExist
	}
	return f, nil
}

// sweepOne removes a scratch folder unless a process holds it.
func sweepOne(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
	if err != nil {
		os.Remove(dir) // left before the lock was made, if it is empty
		return
	}
	defer f.Close()
	if flock(f) == nil {
		removeLocked(dir)
	}
}

func flock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// syncDir forces a folder's names to disk, where the system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // files can be made in it all the same
	}
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
