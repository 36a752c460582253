package sqlite

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// TestReleaseWithoutEvidence releases an entry without a reason. A later import is unchanged.
func TestReleaseWithoutEvidence(t *testing.T) {
	bare := sound.with(files{"quarantine.csv": "retailer_product_id,store_id,reason\n1,,\n"})
	db := imported(t, bare)
	e, err := Lift(t.Context(), db, 1, "fine", operatorTime)
	if want := "lifted 2026-11-21T12:00:00Z: fine"; err != nil || e.Reason != want {
		t.Errorf("got %q, %v, want %q", e.Reason, err, want)
	}
	if s := into(t, bare, db); s.Changed {
		t.Error(s)
	}
}

// TestLongestReason grows an entry's history to its limit. Import reads what export writes.
func TestLongestReason(t *testing.T) {
	db := imported(t, sound)
	quotes := strings.Repeat(`"`, maxNote)
	var err error
	for n := 0; err == nil; n++ {
		if n%2 == 0 {
			_, err = Lift(t.Context(), db, 1, quotes, operatorTime)
		} else {
			_, err = SetAside(t.Context(), db, aside(1, 0, 0, quotes), operatorTime)
		}
		if n > maxReason/maxNote {
			t.Fatal("it grows without bound")
		}
	}
	if !strings.Contains(err.Error(), "at most 30000 are kept") {
		t.Error(err)
	}
	first := exported(t, db)
	if again := exported(t, imported(t, first)); !strings.Contains(first["quarantine.csv"], quotes) || again["quarantine.csv"] != first["quarantine.csv"] {
		t.Error("the entry does not survive export and import")
	}
}

// TestOperatorAcrossExportAndImport exports and imports the operator's changes. Rows that are
// imported again undo none of them.
func TestOperatorAcrossExportAndImport(t *testing.T) {
	d := synthetic(t, synth.Config{Weeks: 18, Stores: 140})
	cut := d.BaseWeek.Add(17).Date().Time(panel.Calendar{}.Zone())
	dir := writeRows(t, d, func(yield func(*panel.Observation, error) bool) {
		for o := range d.Observations() {
			if o.ObservedAt.Before(cut) && !yield(o, nil) {
				return
			}
		}
	})
	db := filepath.Join(t.TempDir(), "panel.db")
	importDir(t, dir, db)
	original := exported(t, db)
	var released []panel.Quarantine
	for _, rule := range []panel.QuarantineRule{panel.WrongProduct, panel.WrongBasis, panel.WrongBasisRow} {
		entries := loadAll(t, db).Quarantine
		i := slices.IndexFunc(entries, func(q panel.Quarantine) bool { return q.Rule == rule })
		q, err := Lift(t.Context(), db, entries[i].ID, `looked at: "fine"`, operatorTime)
		if err != nil {
			t.Fatal(err)
		}
		released = append(released, q)
	}
	if _, err := SetAside(t.Context(), db, aside(d.Listings[0].ID, 0, 0, "for now"), operatorTime); err != nil {
		t.Fatal(err)
	}
	changed := exported(t, db)
	note := `; lifted 2026-11-21T12:00:00Z: looked at: ""fine""`
	if n := strings.Count(changed["quarantine.csv"], note); n != 3 {
		t.Errorf("%d entries are released: %s", n, changed["quarantine.csv"])
	}
	fresh := filepath.Join(t.TempDir(), "fresh.db")
	if s := importDir(t, changed.write(t), fresh); len(s.Found) != 0 || s.Shrunk != 0 {
		t.Errorf("derived anew: %s", s)
	}
	if diff := cmp.Diff(changed, exported(t, fresh)); diff != "" {
		t.Errorf("in a new snapshot: %s", diff)
	}
	bytes := content(t, db)
	for name, again := range map[string]string{"as collected": dir, "as exported before": original.write(t), "as exported after": changed.write(t)} {
		if s := importDir(t, again, db); s.Changed || content(t, db) != bytes {
			t.Errorf("%s: %s", name, s)
		}
	}
	// Later rows come, and the rules go over the whole panel again.
	if s := importDir(t, writeRows(t, d, d.Observations()), db); !s.Changed {
		t.Fatal(s)
	}
	last := strings.Split(exported(t, db)["quarantine.csv"], "\n")
	for line := range strings.SplitSeq(changed["quarantine.csv"], "\n") {
		if !slices.Contains(last, line) {
			t.Errorf("lost when later rows came: %s", line)
		}
	}
	for _, q := range loadAll(t, db).Quarantine {
		if !q.Released && slices.ContainsFunc(released, func(r panel.Quarantine) bool { return r.Key() == q.Key() }) {
			t.Errorf("derived again: %+v", q)
		}
	}
}
