package panel

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
)

// filteredRows has, at tern and auk, rows that fail in every way.
func filteredRows(t *testing.T) (*collected, []basket.Spec, []Quarantine) {
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
		}, []Quarantine{
			{ID: 1, Listing: 2, Store: 2, Rule: WrongBasis, Reason: "by the case"},
			{ID: 2, Listing: 3, Rule: WrongProduct},
			{ID: 3, Listing: 4, Observation: 10, Rule: WrongBasisRow, Reason: "by the pound"},
			{ID: 4, Listing: 4, Observation: 11, Rule: WrongBasisRow, Released: true},
			{ID: 5, Listing: 5, Rule: Listed, Reason: "not ours"},
		}
}

func TestFiltered(t *testing.T) {
	c, specs, entries := filteredRows(t)
	p, err := c.b.Build()
	c.must(err)
	r := c.judge(p, specs, entries)
	f := NewFiltered(r, p)
	if f.Rows != 16 || f.Nowhere != 3 || f.Passed != 3 || len(f.Dropped) != 10 {
		t.Errorf("%d rows, %d count nowhere, %d pass, %d are dropped", f.Rows, f.Nowhere, f.Passed, len(f.Dropped))
	}
	var last time.Time
	for _, i := range f.Dropped {
		o := r.At(i)
		if o.ObservedAt.Before(last) || o.Verdict == Pass {
			t.Errorf("row %d at %s, verdict %s", o.ID, o.ObservedAt, o.Verdict)
		}
		last = o.ObservedAt
	}
	type group struct {
		Key           string
		ID            int64
		Dropped, Rows int
		Example       int64 // the row's id
		Reason        string
	}
	const almond = `the title has "almond"`
	for name, test := range map[string]struct {
		got  []FilteredGroup
		want []group
	}{
		"reasons": {f.Reasons, []group{
			{"has_term", 0, 3, 3, 12, almond},
			{"lacks_term", 0, 1, 1, 4, `the title lacks "milk or lait"`},
			{"listed", 0, 1, 1, 16, "quarantined: listed: not ours"},
			{"too_large", 0, 1, 1, 6, "a package of 900 g is above 800"},
			{"too_small", 0, 1, 1, 5, "a package of 100 g is below 200"},
			{"wrong_basis", 0, 1, 1, 8, "quarantined: wrong_basis: by the case"},
			{"wrong_basis_row", 0, 1, 1, 10, "quarantined: wrong_basis_row: by the pound"},
			{"wrong_product", 0, 1, 1, 9, "quarantined: wrong_product"},
		}},
		"products": {f.Products, []group{
			{"", 1, 6, 7, 6, "a package of 900 g is above 800"},
			{"", 2, 1, 2, 8, "quarantined: wrong_basis: by the case"},
			{"", 3, 1, 1, 9, "quarantined: wrong_product"},
			{"", 4, 1, 2, 10, "quarantined: wrong_basis_row: by the pound"},
			{"", 5, 1, 1, 16, "quarantined: listed: not ours"},
		}},
		"banners": {f.Banners, []group{
			{"tern", 0, 8, 11, 16, "quarantined: listed: not ours"},
			{"auk", 0, 2, 2, 4, `the title lacks "milk or lait"`},
		}},
		"stores": {f.Stores, []group{
			{"", 3, 4, 5, 16, "quarantined: listed: not ours"},
			{"", 2, 3, 3, 12, almond},
			{"", 5, 2, 2, 4, `the title lacks "milk or lait"`},
			{"", 1, 1, 3, 2, almond},
		}},
		"listings": {f.Listings, []group{
			{"", 1, 4, 5, 6, "a package of 900 g is above 800"},
			{"", 101, 2, 2, 4, `the title lacks "milk or lait"`},
			{"", 2, 1, 2, 8, "quarantined: wrong_basis: by the case"},
			{"", 3, 1, 1, 9, "quarantined: wrong_product"},
			{"", 4, 1, 2, 10, "quarantined: wrong_basis_row: by the pound"},
			{"", 5, 1, 1, 16, "quarantined: listed: not ours"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []group
			for _, g := range test.got {
				got = append(got, group{g.Key, g.ID, g.Dropped, g.Rows, r.At(g.Example).ID, g.Reason})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestFilteredInAnyOrder(t *testing.T) {
	filtered := func(rng *rand.Rand) *Filtered {
		c, specs, entries := filteredRows(t)
		if rng != nil {
			rng.Shuffle(len(c.rows), func(i, j int) { c.rows[i], c.rows[j] = c.rows[j], c.rows[i] })
		}
		p, err := c.b.Build()
		c.must(err)
		return NewFiltered(c.judge(p, specs, entries), p)
	}
	want := filtered(nil)
	for seed := range uint64(20) {
		if diff := cmp.Diff(want, filtered(rand.New(rand.NewPCG(seed, 0)))); diff != "" {
			t.Fatalf("-in order +shuffled\n%s", diff)
		}
	}
}

func TestFilteredOfNothing(t *testing.T) {
	c := newCollected(t)
	p, err := c.b.Build()
	c.must(err)
	if diff := cmp.Diff(&Filtered{}, NewFiltered(c.judge(p, nil, nil), p)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
