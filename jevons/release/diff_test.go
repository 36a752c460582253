package release_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// TestDiffCauses plants one edit of every kind in random panels. Every changed cell has
// the causes of the edit and no others, but for new_week, which only cells of weeks have
// that the old table has not.
func TestDiffCauses(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		w := newWorld(seed, 6+int(seed)*10) // up to 56 weeks, so changes over 52 weeks are there
		old := w.snapshot(t)
		for _, e := range edits {
			edited := w.clone()
			e.apply(edited, rand.New(rand.NewPCG(seed, 1)))
			next := edited.snapshot(t)
			changes := release.Diff(old, next)
			checkAgainstTables(t, e.name, old.Table, next.Table, changes)
			if len(changes) == 0 {
				t.Errorf("seed %d, %s: nothing changed", seed, e.name)
			}
			for _, c := range changes {
				want := e.causes
				if hasWeek(old.Table, c.Week) {
					want = slices.DeleteFunc(slices.Clone(want), func(x release.Cause) bool { return x == release.NewWeek })
				}
				if !slices.Equal(c.Causes, want) {
					t.Fatalf("seed %d, %s: %s in %s has the causes %v, not %v", seed, e.name, c.Cell, c.Week, c.Causes, want)
				}
			}
		}
	}
}

// TestDiffCausesTogether plants several edits at once: no changed cell is left without
// a cause, and none has a cause that was not planted. The same rows under other ids are
// no change.
func TestDiffCausesTogether(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := newWorld(seed, 5+r.IntN(10))
		old := w.snapshot(t)
		if changes := release.Diff(old, w.renumbered(r).snapshot(t)); len(changes) > 0 {
			t.Fatalf("seed %d: other ids change %d cells", seed, len(changes))
		}
		edited := w.clone()
		var planted []release.Cause
		for _, k := range r.Perm(len(edits))[:2+r.IntN(4)] {
			edits[k].apply(edited, r)
			planted = append(planted, edits[k].causes...)
		}
		next := edited.renumbered(r).snapshot(t)
		changes := release.Diff(old, next)
		checkAgainstTables(t, "several edits", old.Table, next.Table, changes)
		for _, c := range changes {
			if len(c.Causes) == 0 {
				t.Errorf("seed %d: %s in %s has no cause", seed, c.Cell, c.Week)
			}
			for _, cause := range c.Causes {
				if !slices.Contains(planted, cause) {
					t.Fatalf("seed %d: %s in %s has the cause %s, planted were %v", seed, c.Cell, c.Week, cause, planted)
				}
			}
		}
	}
}

// TestDiffKeepsCausesApart plants a late row among dairy and sets a row of meat aside, in
// one week: each category has its own cause, and the headlines have both. The changes of
// 1, 4 and 52 weeks against that week change too.
func TestDiffKeepsCausesApart(t *testing.T) {
	t.Parallel()
	w := newWorld(1, 58)
	old := w.snapshot(t)
	edited := w.clone()
	edited.add(101, 10, 4, 90_000)
	meat := edited.rows[edited.row(106, 4)]
	edited.entries = append(edited.entries, panel.Quarantine{Listing: meat.Listing, Observation: meat.ID})
	seen, weeks := map[basket.Category]int{}, map[panel.Week]int{}
	for _, c := range release.Diff(old, edited.snapshot(t)) {
		want := map[string][]release.Cause{
			"dairy": of(release.AddedRows), "meat": of(release.Quarantine),
			"": of(release.AddedRows, release.Quarantine),
		}[c.Cell.Category.Slug()]
		if !slices.Equal(c.Causes, want) {
			t.Errorf("%s in %s: %v, want %v", c.Cell, c.Week, c.Causes, want)
		}
		seen[c.Cell.Category]++
		weeks[c.Week]++
	}
	want := []panel.Week{base.Add(4), base.Add(5), base.Add(8), base.Add(56)}
	if got := slices.Sorted(maps.Keys(weeks)); len(seen) != 3 || !slices.Equal(got, want) {
		t.Errorf("changes by category: %v; in the weeks %s, want %s", seen, got, want)
	}
}

// TestDiffFirst diffs against no snapshot: every cell appears in published order.
func TestDiffFirst(t *testing.T) {
	t.Parallel()
	next := newWorld(1, 6).snapshot(t)
	changes := release.Diff(nil, next)
	checkAgainstTables(t, "the first release", &jevons.Table{}, next.Table, changes)
	for i, c := range changes {
		if c.New != &next.Table.Rows[i] || !slices.Equal(c.Causes, of(release.NewWeek)) {
			t.Fatalf("change %d: %v", i, c)
		}
	}
}

// checkAgainstTables applies the changes to the old table, which gives the new one, and
// checks their order.
func checkAgainstTables(t *testing.T, name string, old, next *jevons.Table, changes []release.Change) {
	t.Helper()
	type key struct {
		week panel.Week
		cell jevons.Cell
	}
	rows := map[key]jevons.Row{}
	value := func(r *jevons.Row) jevons.Row { x := *r; x.Cell = nil; return x }
	for i := range old.Rows {
		rows[key{old.Rows[i].Week, *old.Rows[i].Cell}] = value(&old.Rows[i])
	}
	last := int64(1 << 62)
	for i, c := range changes {
		at := key{c.Week, c.Cell}
		have, ok := rows[at]
		move := int64(0)
		switch {
		case c.Old == nil && c.New == nil, ok != (c.Old != nil), ok && value(c.Old) != have:
			t.Fatalf("%s: change %d is not of the old table: %v", name, i, c)
		case c.New == nil:
			delete(rows, at)
		case c.Old != nil && value(c.New) == have:
			t.Fatalf("%s: change %d is none: %v", name, i, c)
		default:
			rows[at] = value(c.New)
			if c.Old != nil {
				move = c.New.Index.Units - c.Old.Index.Units
			}
		}
		move = max(move, -move)
		if move > last || i > 0 && move == last && (changes[i-1].Week > c.Week || changes[i-1].Week == c.Week && jevons.CompareCells(&changes[i-1].Cell, &c.Cell) >= 0) {
			t.Fatalf("%s: change %d is out of order", name, i)
		}
		last = move
	}
	if len(rows) != len(next.Rows) {
		t.Fatalf("%s: the changes lead to %d rows, not to %d", name, len(rows), len(next.Rows))
	}
	for i := range next.Rows {
		if r := &next.Rows[i]; rows[key{r.Week, *r.Cell}] != value(r) {
			t.Fatalf("%s: the changes miss %s in %s", name, r.Cell, r.Week)
		}
	}
}

func hasWeek(t *jevons.Table, w panel.Week) bool {
	return slices.ContainsFunc(t.Rows, func(r jevons.Row) bool { return r.Week == w })
}
