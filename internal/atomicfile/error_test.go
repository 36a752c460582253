package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestError(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "none"))
	bare := Bare(err)
	if _, has := errors.AsType[*fs.PathError](bare); has || !errors.Is(bare, fs.ErrNotExist) {
		t.Errorf("bare: %#v", bare)
	}
	if other := errors.New("other"); Bare(other) != other || Bare(nil) != nil {
		t.Error("an error without a path was changed")
	}
	failed := Fail("load", "a.db", fs.ErrNotExist, "make it first")
	if failed.Error() != "load a.db: file does not exist; make it first" || !errors.Is(failed, fs.ErrNotExist) {
		t.Error(failed)
	}
	if plain := Fail("load", "a.db", fs.ErrNotExist, ""); plain.Error() != "load a.db: file does not exist" {
		t.Error(plain)
	}
}
