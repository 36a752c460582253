package bulk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestFolderKeepsWholeFilesOnly: a file that can't be finished leaves nothing, and is made at
// the next request. The release used longest ago goes, and what is not a release's stays.
func TestFolderKeepsWholeFilesOnly(t *testing.T) {
	t.Parallel()
	f := &Folder{Dir: t.TempDir()}
	open := func(release string, write func(io.Writer) error) (string, error) {
		file, err := f.open(t.Context(), release, "x", write)
		if err != nil {
			return "", err
		}
		defer file.Close()
		text, err := io.ReadAll(file)
		return string(text), err
	}
	full := func(w io.Writer) error {
		io.WriteString(w, "half") //nolint:errcheck // it is full
		return syscall.ENOSPC
	}
	if _, err := open("a", full); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("%v", err)
	}
	if left, _ := os.ReadDir(f.of("a")); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
	foreign := filepath.Join(f.Dir, "of somebody else")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-48 * time.Hour)
	for i, release := range []string{"a", "b", "c", "d", "e"} {
		text := fmt.Sprint("of ", release)
		if got, err := open(release, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil || got != text {
			t.Fatalf("%q, %v", got, err)
		}
		used := old.Add(time.Duration(i) * time.Hour)
		if release == "a" {
			used = time.Now() // it is used again and again
		}
		if err := os.Chtimes(f.of(release), used, used); err != nil {
			t.Fatal(err)
		}
	}
	for release, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "e": true} {
		if file, err := f.find(release, "x"); (err == nil) != want {
			t.Errorf("%s: %v", release, err)
		} else if err == nil {
			file.Close()
		}
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
}
