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

// Previous is the end of the name under which ReplaceKeeping keeps the file before.
const Previous = ".previous"

// ReplaceKeeping is Replace. The file that was in the place stays beside it, with Previous at
// the end of its name.
func ReplaceKeeping(finished, place string) error {
	link := place + Previous + ".tmp"
	os.Remove(link) // a killed run may have left it
	switch err := os.Link(place, link); {
	case errors.Is(err, fs.ErrNotExist): // there was none
		return Replace(finished, place)
	case err != nil:
		return fmt.Errorf("the file before can't be kept: %w", err)
	}
	defer os.Remove(link) // it remains if the two were one file already
	if err := os.Rename(link, place+Previous); err != nil {
		return Bare(err)
	}
	return Replace(finished, place)
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
