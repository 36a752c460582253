package panel

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Regular returns the panel of regular prices: the same records, and the same
// verdicts of the gate, with other prices. A row's price is its regular price after
// the regular-price rule, where that is known; else its effective price, where it is
// not on sale; else it has none and is left out. The rows must be all of the panel's.
// An error says that they are of another panel.
//
// Counts are of the rows that have a price.
func (p *Panel) Regular(rows *Rows) (*Panel, error) {
	b := NewBuilder(p.base)
	err := errors.Join(
		addAll(p.products, b.AddProduct), addAll(p.cities, b.AddCity), addAll(p.banners, b.AddBanner),
		addAll(p.stores, b.AddStore), addAll(p.listings, b.AddListing), addAll(p.pilot, b.AddPilot),
	)
	if err != nil {
		return nil, fmt.Errorf("panel of regular prices: %w", err)
	}
	verified := map[string]bool{}
	for _, x := range p.banners {
		verified[x.Key] = x.Verified
	}
	reviewed := make([]bool, len(p.stores))
	for i := range p.stores {
		reviewed[i] = verified[p.stores[i].Banner]
	}
	unknown := make([]bool, len(rows.promos))
	for i, detail := range rows.promos {
		unknown[i] = BasisUnavailable(detail)
	}
	for i := range rows.rows {
		o := rows.At(i)
		store, known := b.storeAt.Get(o.Store)
		if known && !o.restateAsRegular(reviewed[store], unknown[rows.rows[i].promo]) {
			continue
		}
		if err := b.Observe(&o); err != nil {
			return nil, fmt.Errorf("panel of regular prices: %w", err)
		}
	}
	return b.Build()
}

func addAll[T any](list []T, add func(T) error) error {
	for _, x := range list {
		if err := add(x); err != nil {
			return err
		}
	}
	return nil
}

// restateAsRegular makes the row's regular price its effective price. It reports
// false for a row that is on sale and whose regular price is not known.
func (o *Observation) restateAsRegular(verified, basisUnavailable bool) bool {
	o.RestateRegular(verified)
	if o.Regular != 0 && o.RegularSource != AssumedEqual && !basisUnavailable {
		o.Effective = o.Regular
		return true
	}
	return !o.OnSale
}

// BasisUnavailable reports whether a promotion's detail says that the regular price
// is on an unknown basis. Imports refuse a detail that does not parse.
func BasisUnavailable(detail string) bool {
	var d struct {
		Unavailable bool `json:"regularPriceBasisUnavailable"`
	}
	return detail != "" && json.Unmarshal([]byte(detail), &d) == nil && d.Unavailable
}
