package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Replace puts a finished file in the place of another, or where no file is. Both are in
// one folder. At any moment the place has the one file or the other, and Replace returns
// once that outlasts a power cut. It does not sync the content: [Sync] does.
func Replace(finished, place string) error {
	if err := os.Rename(finished, place); err != nil {
		return Bare(err)
	}
	if err := SyncDir(filepath.Dir(place)); err != nil {
		return fmt.Errorf("the new one is in its place, but may be gone after a power cut: %w", err)
	}
	return nil
}

// Sync forces the content of a file to disk.
func Sync(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return Bare(err)
	}
	return Bare(errors.Join(f.Sync(), f.Close()))
}

// Write makes or replaces a file with what fill writes. A failure leaves the place as it
// was. The file that is being made lies beside it, with .tmp at the end of its name.
func Write(place string, mode fs.FileMode, fill func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+".*.tmp")
	if err != nil {
		return Bare(err)
	}
	defer os.Remove(tmp.Name()) // fails once it is renamed
	err = fill(tmp)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		return Bare(err)
	}
	return Replace(tmp.Name(), place)
}

// SyncDir forces the names in a folder to disk, where the system can and the folder may be
// read.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // files can be made in it all the same
	}
	if err != nil {
		return Bare(err)
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return Bare(err)
}
