//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func lock(path string, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, mode)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		err = ErrHeld
	case err != nil:
		err = &fs.PathError{Op: "lock", Path: path, Err: err}
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// owners returns the user and the group of a file.
func owners(info fs.FileInfo) (user, group int) {
	s := info.Sys().(*syscall.Stat_t)
	return int(s.Uid), int(s.Gid)
}

// drop removes the file while it is locked, because afterwards it may belong to
// another holder.
func drop(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}
