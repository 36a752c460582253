package releaselog

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// 520 weekly releases of a ten-year panel, each of which also revises one row in twenty of
// the four weeks before, take under 26 bytes for a changed cell. LARDER_STORES=146 is the
// panel of docs/performance.md.
func TestTenYears(t *testing.T) {
	if testing.Short() {
		t.Skip("makes ten years of prices")
	}
	t.Parallel()
	stores := must(strconv.Atoi(cmp.Or(os.Getenv("LARDER_STORES"), "16")))
	data := must(synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: 520, Stores: stores}))
	dir := t.TempDir()
	db := filepath.Join(dir, "panel.db")
	check(data.WriteDir(filepath.Join(dir, "panel")))
	must(sqlite.Import(t.Context(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Rejects: db + ".rejects.csv"}))
	all := must(sqlite.LoadAll(t.Context(), db))
	table := must(jevons.Compute(all.Panel, jevons.Options{Quality: true}))
	path := filepath.Join(dir, "releases.db")
	changed := writeWeekly(t, path, all, table.Rows)

	began := time.Now()
	log := must(Open(path))
	opened := time.Since(began)
	last := len(log.Releases())
	for _, n := range []int{1, last} {
		began = time.Now()
		x, err := log.Table(n)
		took := time.Since(began)
		if err != nil || len(x.Rows) == 0 {
			t.Fatal(err)
		}
		t.Logf("r%d of %d, %d rows: opened in %s, rebuilt in %s", n, last, len(x.Rows), opened.Round(time.Millisecond), took.Round(time.Millisecond))
	}
	began = time.Now()
	if v, err := Verify(path, VerifyOptions{}); err != nil || v.Changes != changed {
		t.Errorf("%+v, %v", v, err)
	}
	t.Logf("verified in %s", time.Since(began).Round(time.Millisecond))
	written := must(os.Stat(path))
	each := float64(written.Size()) / float64(changed)
	t.Logf("%d changed cells: the log has %.1f MB, %.1f bytes for each", changed, float64(written.Size())/1e6, each)
	if each > 26 {
		t.Errorf("the log has %.1f bytes for each changed cell", each)
	}
}

// writeWeekly releases the weeks of a table one by one, with revisions, and writes all at once.
func writeWeekly(t *testing.T, path string, all *sqlite.Contents, rows []jevons.Row) (changed int) {
	r := rand.New(rand.NewPCG(1, 2))
	s, c, context := state{}, &Log{}, contextOf(all)
	for at := 0; at < len(rows); {
		week := rows[at].Week
		var changes []release.Change
		for ; at < len(rows) && rows[at].Week == week; at++ {
			changes = append(changes, release.Change{Week: week, Cell: *rows[at].Cell, New: &rows[at], Causes: []release.Cause{release.NewWeek}})
		}
		for back := 1; back <= 4; back++ {
			for _, old := range s[week.Add(-back)] {
				if r.IntN(20) > 0 {
					continue
				}
				row := *old
				row.Index.Units += 1 + r.Int64N(5000)
				changes = append(changes, release.Change{Week: row.Week, Cell: *row.Cell, Old: old, New: &row, Causes: []release.Cause{release.AddedRows}})
			}
		}
		x := &Release{
			At: monday(len(c.releases) + 1).UTC(), Snapshot: fmt.Sprintf("%064x", len(c.releases)), Gate: "g", Method: "m",
			Note: "a note as a publisher writes one", Accepted: []Accepted{}, Base: rows[0].Week, Through: week, Context: context,
		}
		err := c.add(x, changes, s.has, nil)
		for i := range changes {
			err = cmp.Or(err, s.apply(&changes[i]))
		}
		if err != nil {
			t.Fatal(err)
		}
		changed += len(changes)
	}
	check(c.write(path, func(*Log) error { return nil }))
	return changed
}

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
