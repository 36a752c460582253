package jevons

import (
	"cmp"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// StoreRelative is the price of one product at one store against its base price:
// step 2 of the estimator, before the trim.
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
// the trim cuts, those of the lower ids count as the lower ones, which changes
// no mean.
//
// The table must be Compute's for this panel. For a cell without a row in that
// week it returns ErrNotPublished with the reason.
func (t *Table) StoreRelatives(p *panel.Panel, week panel.Week, cell Cell) ([]StoreRelative, error) {
	x, _, err := t.explainer(p, week, cell)
	if err != nil {
		return nil, err
	}
	base, now := x.logs(x.base), x.logs(week)
	var all []StoreRelative
	for _, m := range x.match(week, week, week) {
		r := StoreRelative{Product: p.Products()[m.product], Store: p.Stores()[m.store], Relative: math.Exp(m.log)}
		var before, after []float64
		for _, i := range m.series {
			r.Listings = append(r.Listings, p.Listings()[p.Series()[i].Listing].ID)
			before, after = append(before, base[i]), append(after, now[i])
		}
		r.Base, r.Price = math.Exp(mean(before)), math.Exp(mean(after))
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b StoreRelative) int {
		return cmp.Or(cmp.Compare(a.Product.ID, b.Product.ID), cmp.Compare(a.Relative, b.Relative), cmp.Compare(a.Store.ID, b.Store.ID))
	})
	for lo, hi := 0, 0; lo < len(all); lo = hi {
		for hi < len(all) && all[hi].Product.ID == all[lo].Product.ID {
			hi++
		}
		for k := range t.Options.Trim.Of(hi - lo) {
			all[lo+k].Trimmed, all[hi-1-k].Trimmed = true, true
		}
	}
	return all, nil
}

// matched is one product at one store, over its series that are priced in all of
// some weeks.
type matched struct {
	product, store int32   // indices into the panel's lists
	series         []int32 // ascending
	log            float64 // mean of ln P(week) - ln P(base)
}

// match returns the store relatives of the cell's active products in a week, over
// the series priced in the base week, that week, u and w. They are by product;
// the panel keeps the series of a product at a store together.
func (x *explainer) match(week, u, w panel.Week) (all []matched) {
	base, now := x.logs(x.base), x.logs(week)
	needed := [...][]float64{base, now, x.logs(u), x.logs(w)}
	priced := func(i int32) bool {
		return !slices.ContainsFunc(needed[:], func(logs []float64) bool { return logs == nil || math.IsNaN(logs[i]) })
	}
	all = make([]matched, 0, len(x.series))
	found := make([]int32, 0, len(x.series)) // of all, one after the other
	for _, i := range x.series {
		s := x.panel.Series()[i]
		if !x.wants(&x.panel.Products()[s.Product]) || !priced(i) {
			continue
		}
		last := len(all) - 1
		if last < 0 || all[last].product != s.Product || all[last].store != s.Store {
			all, last = append(all, matched{product: s.Product, store: s.Store}), last+1
		}
		found = append(found, i)
		all[last].series = found[len(found)-1-len(all[last].series):]
	}
	var logs []float64
	for k := range all {
		logs = logs[:0]
		for _, i := range all[k].series {
			logs = append(logs, now[i]-base[i])
		}
		all[k].log = mean(logs)
	}
	return all
}

// wants reports whether the product counts in the cell's slice.
func (x *explainer) wants(p *basket.Product) bool {
	return p.Active && (x.cell.Category == basket.Overall || x.cell.Category == p.Category)
}

// holds reports whether the series belongs to the geography.
func (g geography) holds(s panel.Series) bool {
	return (g.level < City || g.city == s.City) && (g.level < Banner || g.banner == s.Banner)
}

// logs returns the log prices of a week, or nil when it has no prices.
func (x *explainer) logs(w panel.Week) []float64 {
	if k, ok := slices.BinarySearch(x.panel.Weeks(), w); ok {
		return x.panel.LogPrices(k)
	}
	return nil
}

func mean(x []float64) float64 { return sum(x) / float64(len(x)) }
