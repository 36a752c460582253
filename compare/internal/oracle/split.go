package oracle

import (
	"cmp"
	"slices"
)

// Split is the cost of a list at two chains, in cents.
type Split struct {
	Status        string
	Baseline      string // key; empty if there is none
	BaselineClose bool
	Best          *Pair
	Close         []Pair // with IDs left empty
	Uncovered     []int64
}

// Pair is two chains, by key, and the cost of the list there. Saving is -1 when no
// saving is stated.
type Pair struct {
	Keys            [2]string
	IDs             [2][]int64 // what is bought at each
	Cents, Adjusted int64
	Saving          int64
}

// SplitOf splits a valid request between two chains. It looks at every way to
// divide the items between every two of them.
func SplitOf(w *World, r Request) *Split {
	c := w.evaluate(r)
	s := &Split{Close: []Pair{}, Uncovered: c.itemsThat(func(i Item) bool {
		return !c.atAny(i, func(x cell) bool { return x.winner != nil })
	})}
	var single, pairs []Pair // a chain alone is a pair with itself
	for i, a := range c.eligible {
		if one, ok := c.cheapest(a.Key, a.Key); ok {
			single = append(single, one)
		}
		for _, b := range c.eligible[i+1:] {
			if two, ok := c.cheapest(a.Key, b.Key); ok && len(two.IDs[0]) > 0 && len(two.IDs[1]) > 0 {
				pairs = append(pairs, two)
			}
		}
	}
	order := func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.Keys[0], b.Keys[0]), cmp.Compare(a.Keys[1], b.Keys[1]))
	}
	slices.SortFunc(single, order)
	slices.SortFunc(pairs, order)
	if len(single) > 0 {
		s.Baseline = single[0].Keys[0]
	}
	switch {
	case len(single)+len(pairs) == 0:
		s.Status = "insufficient_coverage"
	case len(single) > 0 && len(c.withPrices()) == 1:
		s.Status = "one_chain"
	case len(pairs) == 0, len(single) > 0 && pairs[0].Cents >= single[0].Cents:
		s.Status = "no_saving"
	default:
		c.judge(s, single, pairs)
	}
	return s
}

// judge judges the cheapest pair, when it beats every chain alone or no chain has
// the list.
func (c *comparison) judge(s *Split, single, pairs []Pair) {
	best := pairs[0]
	within := func(cents int64) bool { return 100*(cents-best.Cents) <= max(500, 2*best.Cents) }
	disagrees := slices.ContainsFunc(single, func(p Pair) bool { return best.Adjusted >= p.Adjusted }) ||
		slices.ContainsFunc(pairs, func(p Pair) bool { return !within(p.Cents) && best.Adjusted > p.Adjusted })
	if disagrees {
		s.Status = "size_basis_disagrees"
		return
	}
	for i := range pairs {
		p := &pairs[i]
		p.Saving = -1
		if len(single) > 0 && single[0].Cents > p.Cents && !slices.ContainsFunc(single, func(x Pair) bool { return x.Adjusted <= p.Adjusted }) {
			p.Saving = single[0].Cents - p.Cents
		}
	}
	s.Status = "covers_list"
	if len(single) > 0 {
		s.Status, s.BaselineClose = "saves", within(single[0].Cents)
	}
	s.Best = &pairs[0]
	for _, p := range pairs[1:] {
		if within(p.Cents) {
			p.IDs = [2][]int64{}
			s.Close = append(s.Close, p)
		}
	}
}

// cheapest tries every division of the list between two chains, bit i of which
// sends the i-th item to the second; false when none has the whole list. Of those
// that cost least it takes those that cost least at standard sizes, of these the
// most lopsided one, and then the one with more at the first chain.
func (c *comparison) cheapest(first, second string) (best Pair, ok bool) {
	lopsided := 0
	lines := [2][]*bought{c.bought(first), c.bought(second)}
	for division := range 1 << len(c.items) {
		p, whole := c.divide(lines, division)
		if !whole {
			continue
		}
		p.Keys = [2]string{first, second}
		more := len(p.IDs[0]) - len(p.IDs[1])
		apart := max(more, -more)
		order := cmp.Or(cmp.Compare(p.Cents, best.Cents), cmp.Compare(p.Adjusted, best.Adjusted), cmp.Compare(lopsided, apart))
		if !ok || order < 0 || order == 0 && more > 0 {
			best, lopsided, ok = p, apart, true
		}
	}
	return best, ok
}

// withPrices lists the chains with a price of some item of the list.
func (c *comparison) withPrices() (keys []string) {
	for _, chain := range c.eligible {
		if slices.ContainsFunc(c.bought(chain.Key), func(b *bought) bool { return b != nil }) {
			keys = append(keys, chain.Key)
		}
	}
	return keys
}

// divide buys the list by a division; false when an item can't be had there.
func (c *comparison) divide(lines [2][]*bought, division int) (p Pair, ok bool) {
	for i, item := range c.items {
		at := division >> i & 1
		line := lines[at][i]
		if line == nil {
			return p, false
		}
		p.IDs[at] = append(p.IDs[at], item.ID)
		p.Cents += line.cents
		p.Adjusted += line.adjusted
	}
	return p, true
}

// bought is the cost of an item at a chain; nil: it has no price there.
type bought struct{ cents, adjusted int64 }

func (c *comparison) bought(chain string) []*bought {
	var lines []*bought
	for _, item := range c.items {
		var line *bought
		if winner := c.cells[chain][item.ID].winner; winner != nil {
			product := c.productOf(item)
			line = &bought{c.wholeCents(winner.line(product, item.Qty)).Cents, c.wholeCents(winner.sizeAdjusted(product, item.Qty)).Cents}
		}
		lines = append(lines, line)
	}
	return lines
}
