package compare_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// demoSnapshot is the demo up to the day before demoNow; made once.
var demoSnapshot = sync.OnceValues(func() (*sqlite.Contents, error) {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "larder-compare-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := data.WriteDir(filepath.Join(dir, "panel")); err != nil {
		return nil, err
	}
	db := filepath.Join(dir, "panel.db")
	if _, err := sqlite.Import(context.Background(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Strict: true}); err != nil {
		return nil, err
	}
	return sqlite.LoadAll(context.Background(), db)
})

func demoPanel(t testing.TB) (*panel.Panel, *panel.Rows) {
	t.Helper()
	all, err := demoSnapshot()
	if err != nil {
		t.Fatal(err)
	}
	return all.Panel, all.Rows
}

func demo(t testing.TB) *compare.Projection {
	t.Helper()
	return compare.NewProjection(demoPanel(t))
}
