package releaselog

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// TestOtherCategories releases a panel after one with other categories. The older release reads as it was, and
// the newer one in the order of its own list.
func TestOtherCategories(t *testing.T) {
	through := panel.DateOf(2026, time.November, 20)
	d := must(synth.Generate(synth.Config{Weeks: 6, Stores: 20, Through: through}))
	d.Pilot = nil
	in := func(name string) string { return filepath.Join(t.TempDir(), name) }
	db, live, log := in("next.db"), in("live.db"), in("releases.db")
	var tables []*jevons.Table
	for i, categories := range []string{"", "slug,name\nzucker,Zucker\nmeat,Fleisch\nbrot,Brot\n"} {
		dir := in("panel")
		for k := range d.Products {
			if i > 0 {
				d.Products[k].Category = []string{"meat", "brot", "zucker"}[k%3]
			}
		}
		check(d.WriteDir(dir))
		if i > 0 {
			check(os.WriteFile(filepath.Join(dir, "categories.csv"), []byte(categories), 0o600))
		}
		now := through.Time(time.UTC).Add(time.Duration(17+i) * time.Hour)
		must(sqlite.Import(t.Context(), dir, db, sqlite.ImportOptions{Strict: true, Now: now}))
		var accept []Accepted
		for _, rule := range []string{"lost", "restatement", "revision", "vanished", "jump"} {
			accept = append(accept, Accepted{ID: rule + "*", Reason: "other categories"})
		}
		must(Publish(t.Context(), Options{Next: db, Live: live, Log: log, Now: now, Accept: accept}))
		p := must(sqlite.Load(t.Context(), live))
		table := must(jevons.Compute(p, jevons.Options{Through: panel.Calendar{}.LastClosed(now)}))
		tables = append(tables, table)
	}
	must(Verify(log, VerifyOptions{}))
	l := must(Open(log))
	same := func(a, b jevons.Row) bool { b.Extra, a.Extra = nil, nil; return a.Same(&b) && a.Base == b.Base }
	for i, want := range tables {
		if got, err := l.Table(i + 1); err != nil || !slices.EqualFunc(got.Rows, want.Rows, same) {
			t.Errorf("release %d is another table: %v", i+1, err)
		}
	}
	changes, err := l.Changes(2)
	if err != nil || len(changes) == 0 {
		t.Fatal(len(changes), err)
	}
	for _, c := range changes {
		switch slug := c.Cell.Category.Slug(); {
		case slug == "dairy" && c.New != nil, (slug == "zucker" || slug == "brot") && c.Old != nil, slug == "meat" && c.Cell.Level == jevons.National && (c.Old == nil || c.New == nil):
			t.Errorf("%s in %s: from %v to %v", c.Cell, c.Week, c.Old, c.New)
		}
	}
}
