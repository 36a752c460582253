package oracle

import (
	"math/big"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// pair is one listing at one store, with the rows that exist, oldest first.
type pair struct{ rows []row }

// latestPassing is the latest row of a pair that passes the gate.
func (p pair) latestPassing() (latest row, ok bool) {
	for _, r := range p.rows {
		if r.passes {
			latest, ok = r, true
		}
	}
	return latest, ok
}

// cell is a chain's price of an item, or the reason why it has none.
type cell struct {
	winner *row           // nil: no usable price
	reason compare.Reason // why
	asks   bool           // a variant waits for consent

	dropped map[compare.Reason]bool // reasons for which rows were dropped
}

// exists tells the rows that there are from those that there are not: "rows
// observed after the request's instant do not exist", "unapproved rows of a
// verified banner serve nobody".
func (c *comparison) exists(o panel.Observation, chain basket.Banner) bool {
	unapproved := chain.Verified && o.RegularSource == panel.NoSource
	return !o.ObservedAt.After(c.Now) && !unapproved
}

// pairs collects "every (certain active store, active listing)" that has rows.
func (c *comparison) pairs(chain basket.Banner, product basket.Product) []pair {
	var pairs []pair
	for _, store := range c.certainStores(chain.Key, c.request.City) {
		for _, listing := range c.activeListings(chain.Key, product) {
			var p pair
			for _, o := range c.Observations {
				if o.Store == store.ID && o.Listing == listing.ID && c.exists(o, chain) {
					r := readRow(o, product, chain.Verified)
					r.digits = c.digits()
					r.met = slices.Contains(c.request.Conditions, r.condition)
					p.rows = append(p.rows, r)
				}
			}
			slices.SortFunc(p.rows, func(a, b row) int {
				if a.newer(b) {
					return 1
				}
				return -1
			})
			if len(p.rows) > 0 {
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// cell finds the current price of a chain and item, or the reason why it has none. Each
// rejection leaves out the listing that would be priced without it.
func (c *comparison) cell(chain basket.Banner, product basket.Product, qty *big.Rat) cell {
	left := map[int64]bool{}
	found := c.cellWithout(left, chain, product, qty)
	for _, x := range c.request.Rejected {
		if x.Store == chain.Key && x.ItemID == product.ID && found.winner != nil {
			left[found.winner.listing] = true
			found = c.cellWithout(left, chain, product, qty)
		}
	}
	// "A (chain, item) with variants and nothing exact counts as missing": the consent is for
	// all, or for this chain and item.
	consent := c.request.Variants || slices.Contains(c.request.Accepted, compare.Choice{ItemID: product.ID, Store: chain.Key})
	if found.winner != nil && found.winner.fit == basket.Variant && !consent {
		found.asks, found.winner, found.reason = true, nil, compare.VariantMatch
	}
	return found
}

func (c *comparison) cellWithout(left map[int64]bool, chain basket.Banner, product basket.Product, qty *big.Rat) cell {
	result := cell{reason: compare.NoObservation, dropped: map[compare.Reason]bool{}}
	var usable []row
	var names row // the row that names the reason so far
	for i, p := range c.pairs(chain, product) {
		contribution, reason := p.rows[len(p.rows)-1], compare.QualityGate
		if latest, ok := p.latestPassing(); ok {
			contribution, reason = latest, c.drop(latest, product, qty)
			if left[latest.listing] {
				reason = compare.RejectedMatch
			}
			if reason == compare.Priced {
				usable = append(usable, latest)
			} else {
				result.dropped[reason] = true
			}
		}
		// "the newest of these names the reason"
		if i == 0 || contribution.newer(names) {
			names, result.reason = contribution, reason
		}
	}
	if len(usable) > 0 {
		winner := choose(usable, product, qty)
		result.winner, result.reason = &winner, compare.Priced
	}
	return result
}

// choose. "Of what remains, those whose fit is exact if there are any, else the variants; of
// these the rows whose size is within 1% of the standard or
// unknown; else those nearest to it in log ratio; among these the lowest line
// total wins; ties: newest, then lowest id."
func choose(usable []row, product basket.Product, qty *big.Rat) row {
	if exact := slices.DeleteFunc(slices.Clone(usable), func(r row) bool { return r.fit != basket.Exact }); len(exact) > 0 {
		usable = exact
	}
	var preferred []row
	for _, r := range usable {
		if !r.pack.differs() {
			preferred = append(preferred, r)
		}
	}
	if len(preferred) == 0 {
		nearest := usable[0].pack.distance()
		for _, r := range usable {
			if d := r.pack.distance(); d.Cmp(nearest) < 0 {
				nearest = d
			}
		}
		for _, r := range usable {
			if r.pack.distance().Cmp(nearest) == 0 {
				preferred = append(preferred, r)
			}
		}
	}
	slices.SortFunc(preferred, func(a, b row) int {
		if order := a.line(product, qty).Cmp(b.line(product, qty)); order != 0 {
			return order
		}
		if order := b.at.Compare(a.at); order != 0 {
			return order
		}
		return int(a.id - b.id)
	})
	return preferred[0]
}
