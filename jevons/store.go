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
	Product  basket.Product `json:"-"`
	Store    panel.Store    `json:"-"`
	Listings []int64        `json:"retailer_product_ids"` // of the matched listings, ascending; nearly always one
	Base     float64        `json:"base_price"`           // dollars in the base week; the geometric mean of listings
	Price    float64        `json:"price"`                // the same in the row's week
	Relative float64        `json:"relative"`             // Price / Base
	Trimmed  bool           `json:"trimmed"`
}

// StoreRelatives returns the store relatives behind one row of a table of Compute's, by
// product id, then relative, then store id. Of relatives that are equal where
// the trim cuts, those of the lower ids count as the lower ones, which changes
// no mean.
//
// For a cell without a row in that week it returns ErrNotPublished with the reason.
func (t *Table) StoreRelatives(week panel.Week, cell Cell) ([]StoreRelative, error) {
	row, err := t.explainable(week, cell)
	if err != nil {
		return nil, err
	}
	e, p := t.engine, t.engine.panel
	q := t.question(row)
	base, now := e.logs[q.base], e.logs[q.week]
	g, _ := e.geography(cell)
	var all []StoreRelative
	for _, x := range e.items[e.scopes[g]] {
		first := len(all)
		product := &e.products[x.product]
		if c := cell.Category.Index(); c != headline && c != e.sliceOf[x.product] {
			continue
		}
		for _, r := range x.banners {
			if cell.Level == Banner && int(r.banner) != g {
				continue
			}
			for i := r.lo; i < r.hi; {
				s, store := StoreRelative{Product: *product, Store: p.Stores()[e.store[i]]}, e.store[i]
				for ; i < r.hi && e.store[i] == store; i++ {
					if log := now[i] - base[i]; log == log {
						s.Listings = append(s.Listings, p.Listings()[p.Series()[i].Listing].ID)
						s.Base, s.Price, s.Relative = s.Base+base[i], s.Price+now[i], s.Relative+log
					}
				}
				if n := float64(len(s.Listings)); n > 0 {
					s.Base, s.Price, s.Relative = math.Exp(s.Base/n), math.Exp(s.Price/n), math.Exp(s.Relative/n)
					all = append(all, s)
				}
			}
		}
		of := all[first:]
		slices.SortFunc(of, func(a, b StoreRelative) int {
			return cmp.Or(cmp.Compare(a.Relative, b.Relative), cmp.Compare(a.Store.ID, b.Store.ID))
		})
		for k := range t.Options.Trim.of(len(of)) {
			of[k].Trimmed, of[len(of)-1-k].Trimmed = true, true
		}
	}
	return all, nil
}
