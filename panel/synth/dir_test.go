package synth_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/synth"
)

func TestWriteDirReadsBack(t *testing.T) {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, 11, 20), Stores: 40})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "panel")
	if err := data.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	d, err := csvdir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	// Files are written in the order of ids and keys.
	banners := slices.Clone(data.Banners)
	slices.SortFunc(banners, func(a, b basket.Banner) int { return strings.Compare(a.Key, b.Key) })
	var rows []panel.Observation
	for o := range data.Observations() {
		o.Verdict = panel.Pass // judging is not part of the folder
		rows = append(rows, o)
	}
	same(t, d, csvdir.Settings, []panel.Setting{{Key: "base_week", Value: "2026-07-19"}})
	same(t, d, csvdir.Products, data.Products)
	same(t, d, csvdir.Banners, banners)
	same(t, d, csvdir.Stores, data.Stores)
	same(t, d, csvdir.Listings, data.Listings)
	same(t, d, csvdir.Observations, rows)
	same(t, d, csvdir.Specs, data.Specs)
	if n := len(readAll(t, d, csvdir.Pilot)); n != len(data.Pilot) {
		t.Errorf("%d pilot rows, want %d", n, len(data.Pilot))
	}
	if err := data.WriteDir(dir); err == nil {
		t.Error("a folder that holds a panel was written over")
	}
}

func same[T any](t *testing.T, d *csvdir.Dir, table *csvdir.Table[T], want []T) {
	t.Helper()
	got := readAll(t, d, table)
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("%s, row %d:\ngot  %+v\nwant %+v", table.FileName(), i+1, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", table.FileName(), len(got), len(want))
	}
}

func readAll[T any](t *testing.T, d *csvdir.Dir, table *csvdir.Table[T]) []T {
	t.Helper()
	r, err := csvdir.Read(d, table)
	if err != nil {
		t.Fatal(err)
	}
	var rows []T
	for r.Next() {
		if rej := r.Reject(); rej != nil {
			t.Fatalf("%s, line %d: %v", table.FileName(), r.Line(), rej)
		}
		rows = append(rows, *r.Record())
	}
	if err := errors.Join(r.Err(), r.Close()); err != nil {
		t.Fatal(err)
	}
	return rows
}
