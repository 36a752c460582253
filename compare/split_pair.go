package compare

import (
	"cmp"
	"slices"
)

// pair is the list split between two shops.
type pair struct {
	shops           [2]*shop // by key
	ids             [2]idSet // what is bought at each
	stop            [2]int64 // cents at each
	cents, adjusted int64
}

// pairs returns the pairs that have the whole list between them, the cheapest
// first; of equal totals the first by their keys.
func (e *evaluation) pairs() []pair {
	lines := e.amounts()
	n := len(e.items)
	var list []pair
	for i := range e.shops {
		for j := i + 1; j < len(e.shops); j++ {
			a, b := &e.shops[i], &e.shops[j]
			if a.priced|b.priced != e.asked {
				continue
			}
			p := pair{shops: [2]*shop{a, b}}
			if p.divide(e.items, lines[i*n:(i+1)*n], lines[j*n:(j+1)*n]); p.ids[0] != 0 && p.ids[1] != 0 {
				list = append(list, p)
			}
		}
	}
	// The shops are in order of key, and so are the pairs so far.
	slices.SortStableFunc(list, func(p, q pair) int { return cmp.Compare(p.cents, q.cents) })
	return list
}

// amount is what an item costs at a shop, in cents, as it is sold and at the
// standard size.
type amount struct{ cents, adjusted int64 }

// amounts returns those of all items by shop, then item. What has no usable price
// is left at 0.
func (e *evaluation) amounts() []amount {
	list := make([]amount, 0, len(e.picks))
	for i := range e.shops {
		for k, asked := range e.items {
			var x amount
			if c := e.winner(&e.shops[i], k); c != nil {
				x.cents, x.adjusted = c.line(e.pr.items[asked.ID].perKg, asked.Qty)
			}
			list = append(list, x)
		}
	}
	return list
}

// less reports whether a line costs less than another; of lines at one price,
// whether it does at the standard size.
func (x amount) less(y amount) bool {
	return x.cents < y.cents || x.cents == y.cents && x.adjusted < y.adjusted
}

// divide gives each item to the shop where it costs less.
func (p *pair) divide(items []Item, a, b []amount) {
	var equal idSet
	for k, it := range items {
		hasA, hasB := p.shops[0].priced.has(it.ID), p.shops[1].priced.has(it.ID)
		switch {
		case !hasB || hasA && a[k].less(b[k]):
			p.ids[0].add(it.ID)
		case !hasA || b[k].less(a[k]):
			p.ids[1].add(it.ID)
		default:
			equal.add(it.ID)
		}
	}
	most := 0
	if p.ids[1].len() > p.ids[0].len() {
		most = 1
	}
	p.ids[most] |= equal
	for k, it := range items {
		at, x := 0, a[k]
		if p.ids[1].has(it.ID) {
			at, x = 1, b[k]
		}
		p.stop[at] += x.cents
		p.cents += x.cents
		p.adjusted += x.adjusted
	}
}

// report returns the pair as it is published.
func (p *pair) report(base *shop) *Pair {
	x := &Pair{TotalCAD: CentsOf(p.cents), SizeAdjustedTotalCAD: CentsOf(p.adjusted)}
	if base != nil {
		x.SavingCAD = CentsOf(base.cents - p.cents)
	}
	for i, s := range p.shops {
		x.Stops = append(x.Stops, Stop{s.Key, s.Name, CentsOf(p.stop[i]), p.ids[i].appendIDs([]int{})})
	}
	return x
}

// brief returns the pair as one of those that are close to the best. adjusted is
// the lowest total at standard sizes of a single chain.
func (p *pair) brief(base *shop, adjusted int64) ClosePair {
	x := ClosePair{
		StoreKeys: []string{p.shops[0].Key, p.shops[1].Key},
		TotalCAD:  CentsOf(p.cents), SizeAdjustedTotalCAD: CentsOf(p.adjusted),
	}
	if base != nil && p.cents < base.cents && p.adjusted < adjusted {
		x.SavingCAD = CentsOf(base.cents - p.cents)
	}
	return x
}
