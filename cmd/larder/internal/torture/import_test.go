//go:build linux && torture

package torture

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// imported is an old snapshot, a folder to import into it, and the snapshot
// that this makes.
type imported struct {
	folder   string
	old, new []byte
	took     time.Duration
}

var importing struct {
	sync.Mutex
	*imported
}

// anImport makes them, once: two weeks, and the four that end with them.
func anImport(t *testing.T) *imported {
	t.Helper()
	importing.Lock()
	defer importing.Unlock()
	if importing.imported != nil {
		return importing.imported
	}
	dir, err := os.MkdirTemp(shared, "import-*")
	if err != nil {
		t.Fatal(err)
	}
	x := &imported{folder: filepath.Join(dir, "panel")}
	must(t, "export", x.folder, "--db", snapshot(t, "four", "--weeks", "4", "--through", "2026-11-20"))
	two := filepath.Join(dir, "two")
	must(t, "export", two, "--db", small(t, "1"))
	db := filepath.Join(dir, "panel.db")
	run(t, "import", two, "--db", db) //nolint:errcheck // see next
	x.old = read(t, db)
	began := time.Now()
	run(t, "import", x.folder, "--db", db) //nolint:errcheck // rows that contradict are rejected, the others imported
	x.took, x.new = time.Since(began), read(t, db)
	if bytes.Equal(x.old, x.new) {
		t.Fatal("nothing was imported")
	}
	importing.imported = x
	return x
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// beside returns the names in the snapshot's folder.
func beside(t *testing.T, db string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(db))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// which says which of the two a snapshot is.
func (x *imported) which(t *testing.T, db string) string {
	t.Helper()
	content := read(t, db)
	switch {
	case bytes.Equal(content, x.old):
		return "old"
	case bytes.Equal(content, x.new):
		return "new"
	}
	t.Fatalf("the snapshot is neither the old one nor the new one; beside it %v", beside(t, db))
	return ""
}

// finish imports once more, undisturbed, and checks that nothing is left of what
// went before.
func (x *imported) finish(t *testing.T, db string) {
	t.Helper()
	_, err := run(t, "import", x.folder, "--db", db)
	if x.which(t, db) != "new" {
		t.Errorf("the next import did not make the new snapshot: %v", err)
	}
	for _, name := range beside(t, db) {
		if name != "panel.db" && name != "panel.db.rejects.csv" {
			t.Errorf("left behind: %s", name)
		}
	}
}
