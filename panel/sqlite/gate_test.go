package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
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
		if q.FoundAt.IsZero() || q.FoundAt.After(all.Info.Last) || q.Reason == "" || q.Released {
			t.Errorf("entry %+v: found at no row's time, without evidence, or released", q)
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
	table, err := jevons.Compute(all.Panel, jevons.Options{Through: panel.Calendar{}.LastClosed(all.Info.Last)})
	if err != nil {
		t.Fatal(err)
	}
	p := published{all.Quarantine, all.Events, nil, table.Select(jevons.Filter{})}
	for i := range all.Rows.Len() {
		p.Verdicts = append(p.Verdicts, all.Rows.Verdict(i))
	}
	return p
}

// TestAnyImportsEndAlike imports a panel at once, week by week, and in random parts in random order, with a
// series at six times its price, rows in cents and late rows of a smaller pack among them. What is derived,
// and with it every published number, is a function of the rows alone; only what was withdrawn on the
// way differs.
func TestAnyImportsEndAlike(t *testing.T) {
	withdrawn, seed := 0, uint64(1)
	d, r := synthetic(t, synth.Config{Seed: 7 + seed, Weeks: 8, Stores: 40}), rand.New(rand.NewPCG(seed, 9))
	var rows []panel.Observation
	for o := range d.Observations() {
		if o.Listing%29 == 0 && o.Store%5 == 0 {
			o.Effective *= 6
		} else if r.IntN(400) == 0 {
			o.Effective *= 100
		}
		rows = append(rows, *o)
	}
	whole, weeks, random := make([][]panel.Observation, 1), make([][]panel.Observation, 9), make([][]panel.Observation, 9)
	first := panel.Calendar{}.WeekOf(rows[0].ObservedAt)
	for _, o := range rows {
		week, part := int(panel.Calendar{}.WeekOf(o.ObservedAt)-first)/7, r.IntN(9)
		whole[0], weeks[week], random[part] = append(whole[0], o), append(weeks[week], o), append(random[part], o)
	}
	var want published
	var filed files
	for i, parts := range [][][]panel.Observation{whole, weeks, random} {
		db := filepath.Join(t.TempDir(), "panel.db")
		for _, part := range parts {
			if len(part) == 0 {
				continue
			}
			s := importDir(t, writeRows(t, d, func(yield func(*panel.Observation, error) bool) {
				for i := range part {
					if !yield(&part[i], nil) {
						return
					}
				}
			}), db)
			withdrawn += len(s.Withdrawn)
		}
		got := publishedFrom(t, db)
		got.Quarantine = slices.DeleteFunc(got.Quarantine, func(e panel.Quarantine) bool { return e.Released })
		for i := range got.Quarantine {
			got.Quarantine[i].ID = 0
		}
		slices.SortFunc(got.Quarantine, func(a, b panel.Quarantine) int { return a.Compare(&b) })
		out := exported(t, db)
		delete(out, "quarantine.csv")
		if i == 0 {
			want, filed = got, out
		}
		if diff := gocmp.Diff(want, got); diff != "" || len(got.Quarantine) < 20 || len(got.Events) == 0 {
			t.Errorf("seed %d, %d imports: %d entries, %d events: %s", seed, len(parts), len(got.Quarantine), len(got.Events), diff)
		}
		if diff := gocmp.Diff(filed, out); diff != "" {
			t.Errorf("seed %d, %d imports: exported: %s", seed, len(parts), diff)
		}
	}
	if withdrawn == 0 {
		t.Error("nothing was withdrawn on the way")
	}
}
