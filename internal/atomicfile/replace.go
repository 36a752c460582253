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
// once that outlasts a power cut. The finished file gets the mode and the owners of the one that
// it replaces, as [Keep] says. Replace does not sync the content: [Sync] does.
func Replace(finished, place string) error {
	if err := Keep(finished, place); err != nil {
		return err
	}
	if err := os.Rename(finished, place); err != nil {
		return Bare(err)
	}
	if err := SyncDir(filepath.Dir(place)); err != nil {
		return fmt.Errorf("the new one is in its place, but may be gone after a power cut: %w", err)
	}
	return nil
}

// Keep gives a file, or a folder, the mode and the group of another and, where the user may give
// files away, its owner. Without another it does nothing. When the user may not give the group
// that alone makes the other readable for its readers, that is an error; in other cases a wrong
// group may do no more than everybody.
func Keep(path, other string) error {
	old, err := os.Stat(other)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return Bare(err)
	}
	made, err := os.Stat(path)
	if err != nil {
		return Bare(err)
	}
	mode := old.Mode() & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky)
	user, group := owners(old)
	madeBy, madeIn := owners(made)
	if group != madeIn && os.Chown(path, -1, group) != nil {
		if mode&0o044 == 0o040 {
			return fmt.Errorf("the new one could not be read by the group of the old one, %d, which this user may "+
				"not give: run it as a member of that group", group)
		}
		mode = mode&^0o070 | mode&0o007<<3
	}
	if mode != made.Mode()&^fs.ModeType {
		err = os.Chmod(path, mode)
	}
	if err == nil && user != madeBy {
		os.Chown(path, user, -1) //nolint:errcheck // most users may not, and then the new one is theirs
	}
	return Bare(err)
}

// DraftMode is the mode to make a draft with that is to take a place: nobody else reads it before
// it has the mode of what it replaces, and a new one is as the umask lets it be.
func DraftMode(place string) fs.FileMode {
	if old, err := os.Stat(place); err == nil {
		return old.Mode().Perm() &^ 0o077
	}
	return 0o644
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
// was. The file that is being made lies beside it, hidden, with .tmp at the end of its name.
// One that a killed Write left there is written over. The error is ErrHeld while another Write
// of the place runs.
func Write(place string, mode fs.FileMode, fill func(io.Writer) error) error {
	hidden := filepath.Join(filepath.Dir(place), "."+filepath.Base(place))
	name := hidden + ".tmp"
	unlock, err := Lock(hidden+".lock", 0o600)
	if err != nil {
		return Bare(err)
	}
	defer unlock()
	for _, left := range []string{"", "-journal", "-wal", "-shm"} { // fill may be SQLite
		os.Remove(name + left)
	}
	tmp, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Bare(err)
	}
	defer os.Remove(name) // fails once it is renamed
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
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return Bare(err)
}
