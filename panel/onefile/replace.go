package onefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts a finished file in the place of another, or where no file is. Both are in
// one folder. At any moment the place has the one file or the other, and Replace returns
// once that outlasts a power cut. It does not sync the content: [Sync] does.
func Replace(finished, place string) error {
	if err := os.Rename(finished, place); err != nil {
		return Bare(err)
	}
	if err := syncDir(filepath.Dir(place)); err != nil {
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

// syncDir forces a rename in the folder to disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) {
		return fmt.Errorf("sync %s: %w", dir, Bare(err))
	}
	return nil
}
