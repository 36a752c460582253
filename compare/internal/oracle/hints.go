package oracle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/larder-index/larder/compare"
)

// HintsOf finds the hints of a valid request. The recommendation within has codes in
// place of reasons. It tries every set of items to leave out and every quantity.
func HintsOf(w *World, r Request) *compare.Hints {
	c := w.evaluate(r)
	h := &compare.Hints{NearCompleteRival: c.rival(), QuantityFits: []compare.QuantityFit{}}
	if Compare(w, r).Recommendation.Status == "insufficient_coverage" {
		h.WithoutItems = c.withoutItems()
	}
	for _, item := range c.items {
		if fits := c.fits(item); len(fits) > 0 {
			h.QuantityFits = append(h.QuantityFits, compare.QuantityFit{ItemID: item.ID, Fits: fits})
		}
	}
	return h
}

// market is the lines of all eligible chains, by chain, then item.
func (c *comparison) market() (all [][]*bought) {
	for _, chain := range c.eligible {
		all = append(all, c.bought(chain.Key))
	}
	return all
}

// pricesOf lists the lines of the i-th item at all chains, the lowest first.
func pricesOf(market [][]*bought, i int) (lines []int64) {
	for _, chain := range market {
		if chain[i] != nil {
			lines = append(lines, chain[i].cents)
		}
	}
	slices.Sort(lines)
	return lines
}

// rival: "a chain that lacks one or two items, fewer than it has", "named when its
// lower bound is below L", "of several the one with the lowest upper bound, then with
// the lowest lower bound, then the first by key".
func (c *comparison) rival() *compare.Rival {
	var complete []int64
	var rivals []compare.Rival
	market := c.market()
	for at, chain := range c.eligible {
		var low, high, subtotal int64
		missing := []int64{}
		for i, line := range market[at] {
			all := pricesOf(market, i)
			switch {
			case line != nil:
				subtotal += line.cents
			case len(all) > 0:
				low += all[0]
				high += all[len(all)-1]
				fallthrough
			default:
				missing = append(missing, c.items[i].ID)
			}
		}
		if len(missing) == 0 {
			complete = append(complete, subtotal)
		} else if len(missing) <= 2 && 2*len(missing) < len(c.items) {
			rivals = append(rivals, compare.Rival{
				StoreKey: chain.Key, Name: chain.Name, MissingItemIDs: missing,
				SubtotalCAD: compare.Money{Cents: subtotal, Valid: true}, LowestCAD: compare.Money{Cents: subtotal + low, Valid: true}, HighestCAD: compare.Money{Cents: subtotal + high, Valid: true},
			})
		}
	}
	if len(complete) == 0 {
		return nil
	}
	rivals = slices.DeleteFunc(rivals, func(x compare.Rival) bool { return x.LowestCAD.Cents >= slices.Min(complete) })
	if len(rivals) == 0 {
		return nil
	}
	first := slices.MinFunc(rivals, func(a, b compare.Rival) int {
		return cmp.Or(cmp.Compare(a.HighestCAD.Cents, b.HighestCAD.Cents), cmp.Compare(a.LowestCAD.Cents, b.LowestCAD.Cents), cmp.Compare(a.StoreKey, b.StoreKey))
	})
	return &first
}

// withoutItems tries every set, bit i of which leaves the i-th item out.
func (c *comparison) withoutItems() *compare.WithoutItems {
	type set struct {
		ids   []int64
		value int64
	}
	var best *set
	market := c.market()
	for out := range 1<<len(c.items) - 1 { // all but the whole list
		left := func(i int) bool { return out>>i&1 == 1 }
		chains := 0
		for _, lines := range market {
			has := true
			for i, line := range lines {
				has = has && (left(i) || line != nil)
			}
			if has {
				chains++
			}
		}
		if chains < 2 {
			continue
		}
		x := set{}
		for i, item := range c.items {
			if !left(i) {
				continue
			}
			x.ids = append(x.ids, item.ID)
			if all := pricesOf(market, i); len(all) > 0 {
				x.value += all[0]
			}
		}
		if best == nil || cmp.Or(cmp.Compare(len(x.ids), len(best.ids)), cmp.Compare(x.value, best.value), slices.Compare(x.ids, best.ids)) < 0 {
			best = &x
		}
	}
	if best == nil {
		return nil
	}
	rest := c.request
	rest.Items = slices.DeleteFunc(slices.Clone(rest.Items), func(i Item) bool { return slices.Contains(best.ids, i.ID) })
	return &compare.WithoutItems{ItemIDs: best.ids, ValueCAD: compare.Money{Cents: best.value, Valid: true}, Recommendation: Compare(c.World, rest).Recommendation}
}

// fits tries every quantity of an item at the chains that lack it as
// unsupported_quantity.
func (c *comparison) fits(item Item) []compare.Fit {
	product := c.productOf(item)
	var below, above *compare.Fit
	for quarters := int64(1); quarters <= 40; quarters++ {
		q := big.NewRat(quarters, 4)
		fit := compare.Fit{Quantity: compare.Quantity(25 * quarters)}
		for _, chain := range c.eligible {
			if c.cells[chain.Key][item.ID].reason == compare.UnsupportedQuantity && c.cell(chain, product, q).winner != nil {
				fit.StoreKeys = append(fit.StoreKeys, chain.Key)
			}
		}
		switch {
		case len(fit.StoreKeys) == 0:
		case q.Cmp(item.Qty) < 0:
			below = &fit
		case above == nil:
			above = &fit
		}
	}
	var fits []compare.Fit
	for _, fit := range []*compare.Fit{below, above} {
		if fit != nil {
			fits = append(fits, *fit)
		}
	}
	return fits
}
