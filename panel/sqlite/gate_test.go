package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
		csvdir.WriteSorted(w, csvdir.Settings, []csvdir.Setting{{Key: keyBaseWeek, Value: d.BaseWeek.String()}}),
		csvdir.WriteSorted(w, csvdir.Products, d.Products),
		csvdir.WriteSorted(w, csvdir.Cities, d.Cities),
		csvdir.WriteSorted(w, csvdir.Banners, d.Banners),
		csvdir.WriteSorted(w, csvdir.Stores, d.Stores),
		csvdir.WriteSorted(w, csvdir.Mappings, d.Mappings),
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

func importDir(t *testing.T, dir, db string) Summary {
	t.Helper()
	s, err := Import(context.Background(), dir, db, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Total().Rejected > 0 {
		t.Fatalf("rejects: %v", s.First)
	}
	return s
}

func loadAll(t *testing.T, db string) *Contents {
	t.Helper()
	all, err := LoadAll(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// entry says what an entry is for and by which rule, without its evidence.
func entry(q panel.Quarantine) string {
	return fmt.Sprintf("%s of mapping %d at store %d, row %d", q.Rule, q.Mapping, q.Store, q.Observation)
}

// Every wrong thing that is planted is set aside by the rule that it was
// planted for, and nothing else is: neither an entry nor a row.
func TestPlantedRowsAreFilteredAndNoOthers(t *testing.T) {
	for _, cfg := range []synth.Config{{Weeks: 4}, {Seed: 2, Weeks: 9}, {Seed: 3, Weeks: 18}, {Seed: 4, Weeks: 30, Stores: 60}} {
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

// plantedEntries are the places that a plant should be set aside at.
func plantedEntries(p synth.Plant) []string {
	var list []string
	switch {
	case len(p.Observations) > 0:
		for _, id := range p.Observations {
			list = append(list, fmt.Sprintf(" of mapping %d at store %d, row %d", p.Mappings[0], p.Stores[0], id))
		}
	case len(p.Stores) > 0:
		for _, id := range p.Stores {
			list = append(list, fmt.Sprintf(" of mapping %d at store %d, row 0", p.Mappings[0], id))
		}
	default:
		list = append(list, fmt.Sprintf(" of mapping %d at store 0, row 0", p.Mappings[0]))
	}
	return list
}

// The detector records the planted roll-outs and nothing else, and they grade
// as planted.
func TestPlantedShrinkingIsRecorded(t *testing.T) {
	for _, cfg := range []synth.Config{{Weeks: 10}, {Seed: 2, Weeks: 18}, {Seed: 3, Weeks: 40}} {
		d := synthetic(t, cfg)
		db := filepath.Join(t.TempDir(), "panel.db")
		s := importDir(t, writeRows(t, d, d.Observations()), db)
		var want, got []string
		for _, p := range d.Planted(synth.Shrink) {
			want = append(want, fmt.Sprintf("mapping %d from %q to %q: %s", p.Mappings[0], p.OldPack, p.NewPack, p.Expect))
		}
		for _, e := range loadAll(t, db).Events {
			confidence, flag := shrink.Grade(&e)
			got = append(got, fmt.Sprintf("mapping %d from %q to %q: %s %s", e.Mapping, e.OldPackageSize, e.NewPackageSize, confidence, flag))
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := gocmp.Diff(want, got); diff != "" || s.Shrunk != len(want) || len(want) < 5 {
			t.Errorf("%d weeks, seed %d, %d recorded: %s", cfg.Weeks, cfg.Seed, s.Shrunk, diff)
		}
	}
}

// published is all that the rows of a snapshot lead to.
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

func TestOrderOfRowsChangesNothing(t *testing.T) {
	d := synthetic(t, synth.Config{Seed: 5, Weeks: 12, Stores: 60})
	rows := slices.Collect(d.Observations())
	db := filepath.Join(t.TempDir(), "panel.db")
	importDir(t, writeRows(t, d, slices.Values(rows)), db)
	want := publishedFrom(t, db)
	if len(want.Quarantine) == 0 || len(want.Events) == 0 || len(want.Index) == 0 {
		t.Fatalf("nothing to compare: %d entries, %d events, %d rows", len(want.Quarantine), len(want.Events), len(want.Index))
	}
	for round := range uint64(3) {
		r := rand.New(rand.NewPCG(6, round))
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		db := filepath.Join(t.TempDir(), "panel.db")
		importDir(t, writeRows(t, d, slices.Values(rows)), db)
		if diff := gocmp.Diff(want, publishedFrom(t, db)); diff != "" {
			t.Errorf("round %d: %s", round, diff)
		}
	}
}

// Two imports, one after the other in time, record the same events as one; an
// entry that the first found stays as it was.
func TestSplittingInTime(t *testing.T) {
	d := synthetic(t, synth.Config{Seed: 7, Weeks: 14})
	whole := filepath.Join(t.TempDir(), "whole.db")
	importDir(t, writeRows(t, d, d.Observations()), whole)
	all := loadAll(t, whole)
	for _, week := range []int{5, 9, 11, 13} {
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

// A row by row look at how a file's entry meets the one that is stored.
func TestQuarantineImportedAgain(t *testing.T) {
	header := "retailer_product_id,store_id,reason,observation_id,rule,found_at,released\n"
	for _, tt := range []struct {
		name, stored, file, want string
		rejected                 bool
	}{
		{name: "the same", stored: "1,,bad,,,,0", file: "1,,bad,,,,0", want: "bad"},
		{name: "released by the file", stored: "1,,bad,,,,0", file: "1,,bad,,,,1", want: "bad, released"},
		{name: "released by the file, with a note", stored: "1,,bad,,,,0", file: "1,,bad; it is fine,,,,1", want: "bad; it is fine, released"},
		{name: "released by the file, for another reason", stored: "1,,bad,,,,0", file: "1,,fine,,,,1", want: "bad; fine, released"},
		{name: "released since the file was written", stored: "1,,bad; released: fine,,,,1", file: "1,,bad,,,,0", want: "bad; released: fine, released"},
		{name: "restored since the file was written", stored: "1,,bad; released: fine; restored: no,,,,0", file: "1,,bad; released: fine,,,,1", want: "bad; released: fine; restored: no"},
		{name: "the file does not know when", stored: "1,,bad,,wrong_product,2026-07-22T12:00:00Z,0", file: "1,,bad,,wrong_product,,0", want: "bad"},
		{name: "a row, with and without its store", stored: "1,1,bad,4,,,0", file: "1,,bad,4,,,0", want: "bad"},
		{name: "released by the file, without a reason", stored: "1,,bad,,,,0", file: "1,,,,,,1", want: "bad", rejected: true},
		{name: "the file has no reason", stored: "1,,bad,,,,0", file: "1,,,,,,0", want: "bad"},
		{name: "neither has a reason", stored: "1,,,,,,0", file: "1,,,,,,1", want: ", released"},
		{name: "another reason", stored: "1,,bad,,,,0", file: "1,,worse,,,,0", want: "bad", rejected: true},
		{name: "a reason that only begins alike", stored: "1,,bad,,,,0", file: "1,,ba,,,,0", want: "bad", rejected: true},
		{name: "put back by the file", stored: "1,,bad,,,,1", file: "1,,bad,,,,0", want: "bad, released", rejected: true},
		{name: "found in other rows", stored: "1,,2 of 4,,wrong_product,2026-07-22T12:00:00Z,0", file: "1,,3 of 5,,wrong_product,2026-07-29T12:00:00Z,0", want: "2 of 4"},
		{name: "found in other rows and released", stored: "1,,2 of 4,,wrong_product,2026-07-22T12:00:00Z,0", file: "1,,3 of 5; released: fine,,wrong_product,2026-07-29T12:00:00Z,1", want: "2 of 4; 3 of 5; released: fine, released"},
		{name: "found in other rows, released since", stored: "1,,2 of 4; released: fine,,wrong_product,2026-07-22T12:00:00Z,1", file: "1,,3 of 5,,wrong_product,2026-07-29T12:00:00Z,0", want: "2 of 4; released: fine, released"},
		{name: "another time", stored: "1,,bad,,,2026-07-22T12:00:00Z,0", file: "1,,bad,,,2026-07-22T12:00:01Z,0", want: "bad", rejected: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := imported(t, sound.with(files{"quarantine.csv": header + tt.stored + "\n"}))
			s, err := Import(context.Background(), sound.with(files{"quarantine.csv": header + tt.file + "\n"}).write(t), db, ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Total().Rejected; (got == 1) != tt.rejected || got > 1 {
				t.Errorf("%d rejects: %v", got, s.First)
			}
			var got []string
			for _, q := range loadAll(t, db).Quarantine {
				text := q.Reason
				if q.Released {
					text += ", released"
				}
				got = append(got, text)
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("stored %q, want %q", got, tt.want)
			}
		})
	}
}

// A derived entry is not derived again once it is released, and its rows count.
func TestReleasedEntriesStayReleased(t *testing.T) {
	d := synthetic(t, synth.Config{Seed: 8, Weeks: 8, Stores: 60})
	cut := d.BaseWeek.Add(6).Date().Time(panel.Toronto)
	before := func(yield func(panel.Observation) bool) {
		for o := range d.Observations() {
			if o.ObservedAt.Before(cut) && !yield(o) {
				return
			}
		}
	}
	db := filepath.Join(t.TempDir(), "panel.db")
	importDir(t, writeRows(t, d, before), db)
	first := loadAll(t, db)
	i := slices.IndexFunc(first.Quarantine, func(q panel.Quarantine) bool { return q.Rule == panel.WrongBasis })
	q := first.Quarantine[i]
	if _, err := Release(context.Background(), db, q.ID, "it is a case, and stated as one", time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	importDir(t, writeRows(t, d, d.Observations()), db)
	all := loadAll(t, db)
	n, rows := 0, 0
	for _, e := range all.Quarantine {
		if entry(e) == entry(q) {
			n++
			if !e.Released {
				t.Error("it is in force again")
			}
		}
	}
	for i := range all.Rows.Len() {
		if o := all.Rows.At(i); o.Mapping == q.Mapping && o.Store == q.Store {
			rows++
			if o.Verdict != panel.Pass {
				t.Fatalf("row %d does not pass: %s", o.ID, all.Rows.Judge(i))
			}
		}
	}
	if n != 1 || rows < 6 {
		t.Errorf("%d entries for it, %d rows", n, rows)
	}
}

// An event that is recorded already, in whatever unit or only as texts, is not
// recorded again; one whose id is taken gets another.
func TestEventsAreRecordedOnce(t *testing.T) {
	rows := obsHeader
	for i, size := range []string{"750 mL", "750 mL", "650 mL", "650 mL", "650 mL"} {
		rows += fmt.Sprintf("%d,1,1,,,3.49,,%s,,0,,,MILK 2L,2026-07-%d T12:00:00Z,,\n", 11+i, size, 15+i)
	}
	rows = strings.ReplaceAll(rows, " T12", "T12")
	events := sound["shrink_events.csv"][:strings.Index(sound["shrink_events.csv"], "\n")+1]
	plain := sound.with(files{"observations.csv": rows, "quarantine.csv": "-", "shrink_events.csv": "-", "product_specs.csv": "-"})
	derived := shrink.EventID(1, 750, 650)
	for _, tt := range []struct {
		name, events string
		want         []int64
	}{
		{"none yet", "", []int64{derived}},
		{"recorded", "7,1,,,750,650,mL,-13.3333,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"recorded in litres", "7,1,,,0.75,0.65,L,,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"recorded as texts", "7,1,750 mL,0.65 L,,,,,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"recorded without a unit", "7,1,,,750,650,,,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"of other sizes", "7,1,,,750,700,mL,,,,,,2026-07-20T12:00:00Z,\n", []int64{7, derived}},
		{"of another listing", "7,2,,,750,650,mL,,,,,,2026-07-20T12:00:00Z,\n", []int64{7, derived}},
		{"its id is taken", fmt.Sprintf("%d,1,,,1,0.5,L,,,,,,2026-07-20T12:00:00Z,\n", derived), []int64{derived, derived + 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := plain
			if tt.events != "" {
				f = plain.with(files{"shrink_events.csv": events + tt.events})
			}
			var got []int64
			for _, e := range loadAll(t, imported(t, f)).Events {
				got = append(got, e.ID)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("events %v, want %v", got, tt.want)
			}
		})
	}
}

// What was derived from the rows is not derived anew when they are exported and
// imported, nor when something else about the panel changes.
func TestDerivedOnceOnly(t *testing.T) {
	rows := obsHeader
	id := 10
	add := func(mapping, store int, price string, n int) {
		for range n {
			id++
			rows += fmt.Sprintf("%d,%d,%d,,,%s,,,,0,,,,2026-07-15T12:%02d:00Z,,\n", id, mapping, store, price, id)
		}
	}
	// The median is 10.00; with the rows of 31.00 left out it would be 9.00, and
	// 29.00 more than three times that.
	add(1, 1, "10.00", 2)
	add(1, 3, "9.00", 7)
	add(4, 1, "29.00", 4)
	add(4, 3, "31.00", 4)
	f := sound.with(files{
		"observations.csv": rows, "quarantine.csv": "-", "shrink_events.csv": "-", "product_specs.csv": "-",
		"stores.csv":            strings.Replace(sound["stores.csv"], "3,shop,st-there,0,1", "3,shop,st-there,1,1", 1),
		"retailer_products.csv": sound["retailer_products.csv"] + "4,1,shop,,MILK TOO,,,1\n",
	})
	db := imported(t, f)
	first := loadAll(t, db).Quarantine
	if len(first) == 0 {
		t.Fatal("nothing is derived: it tests nothing")
	}
	again := loadAll(t, imported(t, exported(t, db))).Quarantine
	if diff := gocmp.Diff(first, again); diff != "" {
		t.Errorf("exported and imported: %s", diff)
	}
	s := into(t, f.with(files{"cities.csv": strings.Replace(sound["cities.csv"], "Here", "Over here", 1)}), db)
	if s.Quarantined != 0 || s.Total().Updated != 1 {
		t.Errorf("a city is renamed: %s", s)
	}
	if diff := gocmp.Diff(first, loadAll(t, db).Quarantine); diff != "" {
		t.Errorf("a city is renamed: %s", diff)
	}
}
