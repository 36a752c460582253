package jevons_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// The store relatives of every row lead to its product relatives when those
// marked as trimmed are left out.
func TestStoreRelatives(t *testing.T) {
	trimmed, several := 0, 0
	for seed := range uint64(3) {
		p := buildPanel(t, randomData(3100+seed))
		table, err := jevons.Compute(p, jevons.Options{Through: panel.Calendar{}.LastClosed(randomEnd)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range table.Rows {
			r := &table.Rows[i]
			where := fmt.Sprintf("seed %d, %s in %s", seed, r.Cell, r.Week)
			e, err := table.Explain(r.Week, *r.Cell)
			if err != nil {
				t.Fatal(err)
			}
			all, err := table.StoreRelatives(r.Week, *r.Cell)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range e.Since.Products {
				n := 0
				for n < len(all) && all[n].Product.ID == c.Product.ID {
					n++
				}
				trimmed += checkStoreRelatives(t, where, all[:n], c)
				for _, s := range all[:n] {
					several += len(s.Listings) - 1
				}
				all = all[n:]
			}
			if len(all) > 0 {
				t.Errorf("%s: %d store relatives of other products", where, len(all))
			}
		}
	}
	if trimmed == 0 || several == 0 {
		t.Errorf("%d trimmed and %d second listings: the panels are too plain", trimmed, several)
	}
}

// checkStoreRelatives checks those of one product and returns how many are
// trimmed.
func checkStoreRelatives(t *testing.T, where string, stores []jevons.StoreRelative, c jevons.Contribution) (trimmed int) {
	t.Helper()
	var values, kept []float64
	for _, s := range stores {
		values = append(values, s.Relative)
		if s.Trimmed {
			trimmed++
		} else {
			kept = append(kept, s.Relative)
		}
		if math.Abs(s.Price/s.Base/s.Relative-1) > 1e-12 || !slices.IsSorted(s.Listings) {
			t.Errorf("%s: %+v contradicts itself", where, s)
		}
	}
	if len(stores) != c.Stores || trimmed != c.Trimmed || !slices.IsSorted(values) {
		t.Errorf("%s: product %d has %d store relatives, %d trimmed; explained are %d and %d", where, c.Product.ID, len(stores), trimmed, c.Stores, c.Trimmed)
		return trimmed
	}
	if left := stat.GeometricMean(kept, nil); math.Abs(left/c.Relative-1) > 1e-12 {
		t.Errorf("%s: product %d: %v by what is kept; explained is %v", where, c.Product.ID, left, c.Relative)
	}
	return trimmed
}
