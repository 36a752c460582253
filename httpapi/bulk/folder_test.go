package bulk

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
)

// TestFolder: files that can't be finished leave nothing, and are made at the next request. The
// release used longest ago goes, and what is not a release's stays.
func TestFolder(t *testing.T) {
	t.Parallel()
	f := &Folder{Dir: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	foreign := filepath.Join(f.Dir, "of somebody else")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	release := func(name string, err error) *Release {
		return &Release{Name: name, hash: strings.Repeat("0", 64), current: true, set: func() (*Set, error) {
			return &Set{About: &About{Words: &panel.About{}}}, err
		}}
	}
	if _, err := f.Open(t.Context(), release("a", errors.New("no table")), Sums); !errors.Is(err, errNotMade) {
		t.Fatalf("%v", err)
	}
	old := time.Now().Add(-48 * time.Hour)
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		r := release(name, nil)
		file, err := f.Open(t.Context(), r, Sums)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		used := old.Add(time.Duration(i) * time.Hour)
		if name == "a" {
			used = time.Now() // it is used again and again
		}
		if err := os.Chtimes(filepath.Join(f.Dir, r.folders()[0]), used, used); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "e": true} {
		file := f.find(release(name, nil), Sums)
		if file.Close(); (file != nil) != want {
			t.Errorf("%s is there: %t", name, !want)
		}
	}
	if entries, err := os.ReadDir(f.Dir); err != nil || len(entries) != 5 {
		t.Errorf("%v, %v", entries, err)
	}
}
