package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

func synthetic(t *testing.T, cfg synth.Config) *synth.Data {
	t.Helper()
	cfg.Through = panel.DateOf(2026, 11, 20)
	d, err := synth.Generate(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// writeRows writes a panel directory with the given observations.
func writeRows(t *testing.T, d *synth.Data, rows iter.Seq2[*panel.Observation, error]) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "panel")
	err := csvdir.WriteDir(dir, func(w *csvdir.Writer) error {
		return errors.Join(
			csvdir.WriteSorted(w, csvdir.Settings, []panel.Setting{{Key: "base_week", Value: d.BaseWeek.String()}}),
			csvdir.WriteSorted(w, csvdir.Products, d.Products),
			csvdir.WriteSorted(w, csvdir.Cities, d.Cities),
			csvdir.WriteSorted(w, csvdir.Banners, d.Banners),
			csvdir.WriteSorted(w, csvdir.Stores, d.Stores),
			csvdir.WriteSorted(w, csvdir.Listings, d.Listings),
			csvdir.WriteSorted(w, csvdir.Specs, d.Specs),
			csvdir.Write(w, csvdir.Observations, rows),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func loadAll(t *testing.T, db string) *Contents {
	t.Helper()
	all, err := LoadAll(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOddRowsAreFilteredAndNoOthers imports the demo. Its wrong listings, prices and rows
// are set aside, each by its rule, and its shrinking packs are recorded.
func TestOddRowsAreFilteredAndNoOthers(t *testing.T) {
	d := synthetic(t, synth.Config{})
	db := filepath.Join(t.TempDir(), "panel.db")
	importDir(t, writeRows(t, d, d.Observations()), db)
	all := loadAll(t, db)
	rules := map[panel.QuarantineRule]int{}
	for _, q := range all.Quarantine {
		rules[q.Rule]++
		if !q.FoundAt.Equal(all.Info.Last) || q.Reason == "" || q.Released {
			t.Errorf("entry %+v: found at other than the newest row's time, without evidence, or released", q)
		}
	}
	if diff := gocmp.Diff(map[panel.QuarantineRule]int{panel.WrongProduct: 1, panel.WrongBasis: 1, panel.WrongBasisRow: 1}, rules); diff != "" {
		t.Error(diff)
	}
	i, stray := 0, 0
	for o := range d.Observations() {
		got := all.Rows.At(i)
		if got.Verdict == panel.FailsIdentity {
			stray++
		}
		if got.Verdict = panel.Pass; !gocmp.Equal(got, *o) {
			t.Fatalf("row %d: %s", i, gocmp.Diff(*o, got))
		}
		i++
	}
	if i != all.Rows.Len() || stray != 1 {
		t.Errorf("%d of %d rows, %d of them stray", all.Rows.Len(), i, stray)
	}
	loaded, err := Load(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Counts() != all.Panel.Counts() {
		t.Errorf("counts: Load %+v, LoadAll %+v", loaded.Counts(), all.Panel.Counts())
	}
	var grades []string
	for _, e := range all.Events {
		confidence, flag := shrink.Grade(&e)
		grades = append(grades, fmt.Sprint(all.Panel.Listings()[e.Listing-1].ProductID, " ", confidence, " ", flag))
	}
	slices.Sort(grades)
	want := []string{"1 high ok", "33 medium ok", "4 low suspect_tiny"}
	if diff := gocmp.Diff(want, grades); diff != "" {
		t.Error(diff)
	}
}

// published is everything computed from the rows of a snapshot.
type published struct {
	Quarantine []panel.Quarantine
	Events     []panel.ShrinkEvent
	Verdicts   []panel.Verdict // by time, then id
	Index      []jevons.Row
}

func publishedFrom(t *testing.T, db string) published {
	t.Helper()
	all := loadAll(t, db)
	table, err := jevons.Compute(all.Panel, jevons.Options{Through: panel.LastClosed(all.Info.Last)})
	if err != nil {
		t.Fatal(err)
	}
	p := published{all.Quarantine, all.Events, nil, table.Select(jevons.Filter{})}
	for i := range all.Rows.Len() {
		p.Verdicts = append(p.Verdicts, all.Rows.Verdict(i))
	}
	return p
}

// TestSplittingInTime imports a panel in two parts, one after the other. The events are those
// of one import, and entries of the first part stay.
func TestSplittingInTime(t *testing.T) {
	d := synthetic(t, synth.Config{Seed: 7, Weeks: 14})
	whole := filepath.Join(t.TempDir(), "whole.db")
	importDir(t, writeRows(t, d, d.Observations()), whole)
	all := loadAll(t, whole)
	for _, week := range []int{9, 13} {
		at := d.BaseWeek.Add(week).Date().Time(panel.Toronto)
		part := func(first bool) iter.Seq2[*panel.Observation, error] {
			return func(yield func(*panel.Observation, error) bool) {
				for o := range d.Observations() {
					if o.ObservedAt.Before(at) == first && !yield(o, nil) {
						return
					}
				}
			}
		}
		db := filepath.Join(t.TempDir(), "panel.db")
		importDir(t, writeRows(t, d, part(true)), db)
		early := loadAll(t, db)
		importDir(t, writeRows(t, d, part(false)), db)
		both := loadAll(t, db)
		byTime := func(a, b panel.ShrinkEvent) int {
			return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
		}
		slices.SortFunc(both.Events, byTime)
		slices.SortFunc(all.Events, byTime)
		if diff := gocmp.Diff(all.Events, both.Events); diff != "" {
			t.Errorf("split in week %d: events: %s", week, diff)
		}
		if diff := gocmp.Diff(early.Quarantine, both.Quarantine[:len(early.Quarantine)]); diff != "" || len(early.Quarantine) == 0 {
			t.Errorf("split in week %d: %d early entries: %s", week, len(early.Quarantine), diff)
		}
	}
}
