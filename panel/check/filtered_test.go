package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/larder-index/larder/basket"

	"github.com/larder-index/larder/panel"
)

// filteredRows has rows of tern and auk that fail in every way.
func filteredRows(t *testing.T) (*collected, []basket.Spec, []panel.Quarantine) {
	c := newCollected(t)
	add := func(store, listing int64, week int, title, size string) {
		c.see(store, listing, week, 100)
		o := &c.rows[len(c.rows)-1]
		o.ScrapedName, o.PackageSize = title, size
	}
	add(1, 1, 1, "Milk", "400 g")         // 1: passes
	add(1, 1, 1, "Almond Milk", "400 g")  // 2: has a forbidden term
	add(2, 1, 1, "Almond Milk", "400 g")  // 3: the same, at the same time
	add(5, 101, 2, "Cream", "400 g")      // 4: lacks a term
	add(5, 101, 2, "Milk", "100 g")       // 5: too small
	add(3, 1, 3, "Milk", "900 g")         // 6: too large
	add(1, 2, 1, "", "")                  // 7: passes, no spec
	add(2, 2, 1, "", "")                  // 8: quarantined at the store
	add(3, 3, 4, "", "")                  // 9: quarantined everywhere
	add(3, 4, 5, "", "")                  // 10: quarantined alone
	add(3, 4, 6, "", "")                  // 11: released
	add(2, 1, 3, "Almond Milk", "400 g")  // 12: a newer one
	add(4, 1, 9, "Almond Milk", "400 g")  // 13: an inactive store
	add(1, 25, 9, "Almond Milk", "400 g") // 14: an inactive product
	add(1, 30, 9, "Almond Milk", "400 g") // 15: a retired listing
	add(3, 5, 6, "Almond Milk", "9 kg")   // 16: fails identity twice and is quarantined
	return c, []basket.Spec{
			{ProductID: 1, Require: [][]string{{"milk", "lait"}}, Forbid: []string{"almond"}, MinSize: 200, MaxSize: 800},
			{ProductID: 5, Require: [][]string{{"cheese"}}, MaxSize: 800},
			{ProductID: 25, Forbid: []string{"almond"}},
		}, []panel.Quarantine{
			{ID: 1, Listing: 2, Store: 2, Rule: panel.WrongBasis, Reason: "by the case"},
			{ID: 2, Listing: 3, Rule: panel.WrongProduct},
			{ID: 3, Listing: 4, Observation: 10, Rule: panel.WrongBasisRow, Reason: "by the pound"},
			{ID: 4, Listing: 4, Observation: 11, Rule: panel.WrongBasisRow, Released: true},
			{ID: 5, Listing: 5, Rule: panel.Listed, Reason: "not ours"},
		}
}

// TestFiltered groups filtered rows in many orders. The groups are the same.
func TestFiltered(t *testing.T) {
	t.Parallel()
	const almond = `the title has "almond"`
	want := &Filtered{
		Gate: panel.GateVersion, Rows: 16, Nowhere: 3, Passed: 3, Filtered: 10,
		Reasons: []FilteredGroup{
			{Key: "has_term", Name: "has_term", Filtered: 3, Rows: 3, Example: 12, Reason: almond},
			{Key: "lacks_term", Name: "lacks_term", Filtered: 1, Rows: 1, Example: 4, Reason: `the title lacks "milk or lait"`},
			{Key: "listed", Name: "listed", Filtered: 1, Rows: 1, Example: 16, Reason: "quarantined: listed: not ours"},
			{Key: "too_large", Name: "too_large", Filtered: 1, Rows: 1, Example: 6, Reason: "a package of 900 g is above 800"},
			{Key: "too_small", Name: "too_small", Filtered: 1, Rows: 1, Example: 5, Reason: "a package of 100 g is below 200"},
			{Key: "wrong_basis", Name: "wrong_basis", Filtered: 1, Rows: 1, Example: 8, Reason: "quarantined: wrong_basis: by the case"},
			{Key: "wrong_basis_row", Name: "wrong_basis_row", Filtered: 1, Rows: 1, Example: 10, Reason: "quarantined: wrong_basis_row: by the pound"},
			{Key: "wrong_product", Name: "wrong_product", Filtered: 1, Rows: 1, Example: 9, Reason: "quarantined: wrong_product"},
		},
		Products: []FilteredGroup{
			{ID: 1, Name: "1 product 1", Filtered: 6, Rows: 7, Example: 6, Reason: "a package of 900 g is above 800"},
			{ID: 2, Name: "2 product 2", Filtered: 1, Rows: 2, Example: 8, Reason: "quarantined: wrong_basis: by the case"},
			{ID: 3, Name: "3 product 3", Filtered: 1, Rows: 1, Example: 9, Reason: "quarantined: wrong_product"},
			{ID: 4, Name: "4 product 4", Filtered: 1, Rows: 2, Example: 10, Reason: "quarantined: wrong_basis_row: by the pound"},
			{ID: 5, Name: "5 product 5", Filtered: 1, Rows: 1, Example: 16, Reason: "quarantined: listed: not ours"},
		},
		Banners: []FilteredGroup{
			{Key: "tern", Name: "tern", Filtered: 8, Rows: 11, Example: 16, Reason: "quarantined: listed: not ours"},
			{Key: "auk", Name: "auk", Filtered: 2, Rows: 2, Example: 4, Reason: `the title lacks "milk or lait"`},
		},
		Stores: []FilteredGroup{
			{ID: 3, Name: "3 tern, Toronto", Filtered: 4, Rows: 5, Example: 16, Reason: "quarantined: listed: not ours"},
			{ID: 2, Name: "2 tern, Halifax", Filtered: 3, Rows: 3, Example: 12, Reason: almond},
			{ID: 5, Name: "5 auk, Halifax", Filtered: 2, Rows: 2, Example: 4, Reason: `the title lacks "milk or lait"`},
			{ID: 1, Name: "1 tern, Halifax", Filtered: 1, Rows: 3, Example: 2, Reason: almond},
		},
	}
	for seed := range uint64(20) {
		c, specs, entries := filteredRows(t)
		rng := rand.New(rand.NewPCG(seed, 0))
		rng.Shuffle(len(c.rows), func(i, j int) { c.rows[i], c.rows[j] = c.rows[j], c.rows[i] })
		p, err := c.b.Build()
		c.must(err)
		r := c.judge(p, specs, entries)
		f := NewFiltered(r, p)
		if diff := cmp.Diff(want, f, cmpopts.IgnoreUnexported(Filtered{}, FilteredGroup{}), cmpopts.IgnoreFields(Filtered{}, "Listings")); diff != "" {
			t.Fatalf("-want +got\n%s", diff)
		}
		for i := range f.Stores {
			if g, row := &f.Stores[i], f.Example(&f.Stores[i]); row.ID != g.Example || row.StoreName() != g.Name || row.Judgement.String() != g.Reason {
				t.Errorf("the example of store %d is row %d at %s: %s", g.ID, row.ID, row.StoreName(), row.Judgement)
			}
		}
		var ids []int64
		for row := range f.All {
			ids = append(ids, row.ID)
		}
		if want := []int64{2, 3, 8, 4, 5, 6, 12, 9, 10, 16}; !slices.Equal(ids, want) {
			t.Fatalf("rows %v, want %v", ids, want)
		}
	}
}

// TestAsides counts the rows of every entry at active stores. A released entry sets none of
// them aside.
func TestAsides(t *testing.T) {
	t.Parallel()
	c, specs, entries := filteredRows(t)
	p, err := c.b.Build()
	c.must(err)
	rows := c.judge(p, specs, entries)
	entries = append(entries, panel.Quarantine{ID: 6, Listing: 1, Released: true}, panel.Quarantine{ID: 7, Listing: 2, Store: 1, Released: true})
	var got []string
	for _, a := range Entries(p, rows, entries) {
		got = append(got, fmt.Sprintf("%d of %s at store %d %q: %v, %d of %d held", a.ID, a.Of.Product.Name, a.Store, a.Place, a.Rows, a.Quarantined(), a.Named()))
	}
	want := []string{ // rows that pass, fail identity, are quarantined
		`1 of product 2 at store 2 "Halifax": [0 0 1], 1 of 1 held`,
		`2 of product 3 at store 0 "": [0 0 1], 1 of 1 held`,
		`3 of product 4 at store 3 "Toronto": [0 0 1], 1 of 1 held`,
		`4 of product 4 at store 3 "Toronto": [1 0 0], 0 of 1 held`,
		`5 of product 5 at store 0 "": [0 0 1], 1 of 1 held`,
		`6 of product 1 at store 0 "": [1 4 0], 0 of 5 held`,
		`7 of product 2 at store 1 "Halifax": [1 0 0], 0 of 1 held`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
