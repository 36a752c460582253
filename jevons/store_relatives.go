package jevons

import (
	"cmp"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// StoreRelative is the relative of one product at one store, step 2 of the
// estimator: what is trimmed, and what the product's relative is the mean of.
type StoreRelative struct {
	Product  basket.Product
	Store    panel.Store
	Listings []int64 // ids of the matched listings, ascending; nearly always one
	Base     float64 // dollars in the cell's base week; of several listings the geometric mean
	Price    float64 // the same in the row's week
	Relative float64 // Price / Base
	Trimmed  bool
}

// StoreRelatives returns the store relatives behind one row of the table, by
// product id, then relative, then store id. Of relatives that are equal where
// the trim cuts, those of the lower ids count as the lower ones: which of them
// is dropped changes no mean.
//
// The table must be Compute's for this panel. For a cell without a row in that
// week it returns ErrNotPublished with the reason.
func (t *Table) StoreRelatives(p *panel.Panel, week panel.Week, cell Cell) ([]StoreRelative, error) {
	if t.Find(week, cell) == nil {
		_, err := t.Explain(p, week, cell)
		return nil, err
	}
	base, now := logsOf(p, t.Base(cell)), logsOf(p, week)
	var all []StoreRelative
	type sums struct{ base, now, relative float64 }
	var of []sums // of each of all
	for i, s := range p.Series() {
		product := &p.Products()[s.Product]
		matched := !math.IsNaN(base[i]) && !math.IsNaN(now[i])
		if !matched || !product.Active || !cell.holds(p, s, product) {
			continue
		}
		listing, store := p.Listings()[s.Listing].ID, &p.Stores()[s.Store]
		// The series of a product at a store stand next to each other.
		last := len(all) - 1
		if last < 0 || all[last].Product.ID != product.ID || all[last].Store.ID != store.ID {
			all, of = append(all, StoreRelative{Product: *product, Store: *store}), append(of, sums{})
			last++
		}
		all[last].Listings = append(all[last].Listings, listing)
		of[last].base += base[i]
		of[last].now += now[i]
		of[last].relative += now[i] - base[i]
	}
	for i := range all {
		r, n := &all[i], float64(len(all[i].Listings))
		r.Base, r.Price, r.Relative = math.Exp(of[i].base/n), math.Exp(of[i].now/n), math.Exp(of[i].relative/n)
	}
	t.markTrimmed(all)
	return all, nil
}

// markTrimmed sorts the store relatives and marks those that are dropped at
// both ends of each product's.
func (t *Table) markTrimmed(all []StoreRelative) {
	slices.SortFunc(all, func(a, b StoreRelative) int {
		return cmp.Or(cmp.Compare(a.Product.ID, b.Product.ID), cmp.Compare(a.Relative, b.Relative), cmp.Compare(a.Store.ID, b.Store.ID))
	})
	for lo := 0; lo < len(all); {
		hi := lo + 1
		for hi < len(all) && all[hi].Product.ID == all[lo].Product.ID {
			hi++
		}
		for k := range t.Options.Trim.Of(hi - lo) {
			all[lo+k].Trimmed, all[hi-1-k].Trimmed = true, true
		}
		lo = hi
	}
}

// holds reports whether a series belongs to the cell.
func (c Cell) holds(p *panel.Panel, s panel.Series, product *basket.Product) bool {
	return (c.Category == basket.Overall || c.Category == product.Category) &&
		(c.Level < City || c.City == p.Cities()[s.City].Name) &&
		(c.Level < Banner || c.Banner == p.Banners()[s.Banner].Key)
}

// logsOf returns the log prices of a week in which there are some.
func logsOf(p *panel.Panel, w panel.Week) []float64 {
	k, _ := slices.BinarySearch(p.Weeks(), w)
	return p.LogPrices(k)
}
