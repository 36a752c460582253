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
// the four weeks before, add under a fifth to the size of the snapshot. LARDER_STORES=146 is the
// panel of docs/performance.md.
func TestTenYears(t *testing.T) {
	if testing.Short() {
		t.Skip("makes ten years of prices")
	}
	t.Parallel()
	stores, err := strconv.Atoi(cmp.Or(os.Getenv("LARDER_STORES"), "16"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: 520, Stores: stores})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db := filepath.Join(dir, "panel.db")
	if err := data.WriteDir(filepath.Join(dir, "panel")); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Import(t.Context(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Rejects: db + ".rejects.csv"}); err != nil {
		t.Fatal(err)
	}
	all, err := sqlite.LoadAll(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	table, err := jevons.Compute(all.Panel, jevons.Options{Quality: true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "releases.db")
	changed := writeWeekly(t, path, all, table.Rows)

	began := time.Now()
	log, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
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
	snapshot, err1 := os.Stat(db)
	written, err2 := os.Stat(path)
	if err := cmp.Or(err1, err2); err != nil {
		t.Fatal(err)
	}
	share := float64(written.Size()) / float64(snapshot.Size())
	t.Logf("%d changed cells: the log has %.1f MB, %.1f%% of the snapshot's %.1f MB", changed, float64(written.Size())/1e6, 100*share, float64(snapshot.Size())/1e6)
	if share > 0.2 {
		t.Errorf("the log has %.1f%% of the snapshot's size", 100*share)
	}
}

// writeWeekly releases the weeks of a table one by one, with revisions, and writes all at once.
func writeWeekly(t *testing.T, path string, all *sqlite.Contents, rows []jevons.Row) (changed int) {
	r := rand.New(rand.NewPCG(1, 2))
	s, c, context, kept, next := state{}, &contents{}, contextOf(all), 0, 0
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
		// Its prices are new, and thirty are set aside, each for a reason of its own.
		prices := []release.RowChanges{{Change: release.RowAdded, Rule: "new_row", Reason: "the snapshot before did not have it"}}
		for ; next < all.Rows.Len() && panel.WeekOf(time.Unix(0, all.Rows.UnixNano(next))) <= week; next++ {
			if id := all.Rows.ID(next); all.Rows.Verdict(next) == panel.Pass {
				prices[0].IDs = append(prices[0].IDs, id)
			}
		}
		slices.Sort(prices[0].IDs)
		for i := range 30 {
			id := 1 + r.Int64N(int64(next))
			prices = append(prices, release.RowChanges{Change: release.RowSetAside, Rule: "wrong_scale_row", IDs: []int64{id},
				Reason: fmt.Sprintf("%d: its price of %d is %d times the median of the others", i, id, r.IntN(1000))})
		}
		x.keepPrices(prices)
		kept += len(x.rows)
		err := c.add(x, changes, s.has, nil)
		for i := range changes {
			err = cmp.Or(err, s.apply(&changes[i]))
		}
		if err != nil {
			t.Fatal(err)
		}
		changed += len(changes)
	}
	t.Logf("rows of prices have %.1f kB of it a release", float64(kept)/1e3/float64(len(c.releases)))
	if err := c.write(path, func(*contents) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return changed
}
