package sqlite

import (
	"cmp"
	"context"
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
func writeRows(t *testing.T, d *synth.Data, rows iter.Seq[panel.Observation]) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "panel")
	w, err := csvdir.Create(dir, csvdir.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, err := range []error{
		csvdir.WriteSorted(w, csvdir.Settings, []panel.Setting{{Key: panel.KeyBaseWeek, Value: d.BaseWeek.String()}}),
		csvdir.WriteSorted(w, csvdir.Products, d.Products),
		csvdir.WriteSorted(w, csvdir.Cities, d.Cities),
		csvdir.WriteSorted(w, csvdir.Banners, d.Banners),
		csvdir.WriteSorted(w, csvdir.Stores, d.Stores),
		csvdir.WriteSorted(w, csvdir.Listings, d.Listings),
		csvdir.WriteSorted(w, csvdir.Specs, d.Specs),
		csvdir.Write(w, csvdir.Observations, func(yield func(*panel.Observation, error) bool) {
			for o := range rows {
				if !yield(&o, nil) {
					return
				}
			}
		}),
		w.Commit(),
	} {
		if err != nil {
			t.Fatal(err)
		}
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

// entry is an entry without its evidence.
func entry(q panel.Quarantine) string {
	return fmt.Sprintf("%s of listing %d at store %d, row %d", q.Rule, q.Listing, q.Store, q.Observation)
}

// TestPlantedRowsAreFilteredAndNoOthers imports synthetic panels. Each planted error is set
// aside by its rule, and no other row is.
func TestPlantedRowsAreFilteredAndNoOthers(t *testing.T) {
	for _, cfg := range []synth.Config{{Weeks: 4}, {Seed: 4, Weeks: 30, Stores: 60}} {
		t.Run(fmt.Sprintf("%d weeks, seed %d", cfg.Weeks, cfg.Seed), func(t *testing.T) {
			d := synthetic(t, cfg)
			db := filepath.Join(t.TempDir(), "panel.db")
			importDir(t, writeRows(t, d, d.Observations()), db)
			all := loadAll(t, db)
			var want, got []string
			for _, p := range d.Planted(synth.WrongProduct, synth.WrongBasis, synth.PerPound) {
				for _, e := range plantedEntries(p) {
					want = append(want, p.Expect+e)
				}
			}
			for _, q := range all.Quarantine {
				got = append(got, entry(q))
				if !q.FoundAt.Equal(all.Info.Last) || q.Reason == "" || q.Released {
					t.Errorf("entry %+v: found at other than the newest row's time, without evidence, or released", q)
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := gocmp.Diff(want, got); diff != "" || len(want) < 10 {
				t.Errorf("%d planted: %s", len(want), diff)
			}
			i, filtered := 0, 0
			for o := range d.Observations() {
				if got := all.Rows.At(i); !gocmp.Equal(got, o) {
					t.Fatalf("row %d: %s", i, gocmp.Diff(o, got))
				}
				if o.Verdict != panel.Pass {
					filtered++
				}
				i++
			}
			if i != all.Rows.Len() || filtered == 0 {
				t.Errorf("%d of %d rows, %d of them planted", all.Rows.Len(), i, filtered)
			}
			planted, err := d.Panel()
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := Load(context.Background(), db)
			if err != nil {
				t.Fatal(err)
			}
			if planted.Counts() != loaded.Counts() || loaded.Counts() != all.Panel.Counts() {
				t.Errorf("counts: planted %+v, Load %+v, LoadAll %+v", planted.Counts(), loaded.Counts(), all.Panel.Counts())
			}
		})
	}
}

// plantedEntries are the listings, stores and rows that a plant should be set aside at.
func plantedEntries(p synth.Plant) (list []string) {
	add := func(store, row int64) {
		list = append(list, fmt.Sprintf(" of listing %d at store %d, row %d", p.Listings[0], store, row))
	}
	for _, id := range p.Observations {
		add(p.Stores[0], id)
	}
	if len(p.Observations) == 0 {
		for _, store := range p.Stores {
			add(store, 0)
		}
		if len(p.Stores) == 0 {
			add(0, 0)
		}
	}
	return list
}

// TestPlantedShrinkingIsRecorded imports a synthetic panel. The detector records exactly the
// planted roll-outs, with their grades.
func TestPlantedShrinkingIsRecorded(t *testing.T) {
	d := synthetic(t, synth.Config{Seed: 2, Weeks: 18})
	db := filepath.Join(t.TempDir(), "panel.db")
	s := importDir(t, writeRows(t, d, d.Observations()), db)
	var want, got []string
	for _, p := range d.Planted(synth.Shrink) {
		want = append(want, fmt.Sprintf("listing %d from %q to %q: %s", p.Listings[0], p.OldPack, p.NewPack, p.Expect))
	}
	for _, e := range loadAll(t, db).Events {
		confidence, flag := shrink.Grade(&e)
		got = append(got, fmt.Sprintf("listing %d from %q to %q: %s %s", e.Listing, e.OldPackageSize, e.NewPackageSize, confidence, flag))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := gocmp.Diff(want, got); diff != "" || s.Shrunk != len(want) || len(want) < 5 {
		t.Errorf("%d recorded: %s", s.Shrunk, diff)
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
		part := func(first bool) iter.Seq[panel.Observation] {
			return func(yield func(panel.Observation) bool) {
				for o := range d.Observations() {
					if o.ObservedAt.Before(at) == first && !yield(o) {
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
