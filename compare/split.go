package compare

import (
	"cmp"
	"slices"
)

// Split is the list bought at two chains, each item at the cheaper one. All lists
// are non-nil.
type Split struct {
	Status           string      `json:"status"`           // see Result.Split
	Baseline         *Baseline   `json:"baseline"`         // nil when no chain has the whole list
	BaselineIsClose  bool        `json:"baselineIsClose"`  // it and the best pair are too close to call
	Best             *Pair       `json:"best"`             // of saves and covers_list; else nil
	ClosePairs       []ClosePair `json:"closePairs"`       // too close to Best to call, the cheapest first
	UncoveredItemIDs []int64     `json:"uncoveredItemIds"` // of insufficient_coverage: no chain has a usable price
}

// Baseline is the lowest total of the chains with the whole list, by which a
// saving is measured. It is not a recommendation.
type Baseline struct {
	StoreKey             string `json:"storeKey"`
	Name                 string `json:"name"`
	TotalCAD             Money  `json:"totalCad"`
	SizeAdjustedTotalCAD Money  `json:"sizeAdjustedTotalCad"`
}

// Pair is the whole list bought at two chains.
type Pair struct {
	TotalCAD             Money  `json:"totalCad"`
	SizeAdjustedTotalCAD Money  `json:"sizeAdjustedTotalCad"` // of the same lines at the same chains
	SavingCAD            Money  `json:"savingCad"`            // the baseline's total less TotalCAD; null without a baseline
	Stops                []Stop `json:"stops"`                // two, by key
}

// Stop is the part of the list bought at one of the two chains: at least one item.
type Stop struct {
	StoreKey string  `json:"storeKey"`
	Name     string  `json:"name"`
	TotalCAD Money   `json:"totalCad"`
	ItemIDs  []int64 `json:"itemIds"`
}

// ClosePair is a pair too close to the best one to call either the cheapest.
type ClosePair struct {
	StoreKeys            []string `json:"storeKeys"` // two, by key
	TotalCAD             Money    `json:"totalCad"`
	SizeAdjustedTotalCAD Money    `json:"sizeAdjustedTotalCad"`
	SavingCAD            Money    `json:"savingCad"` // null unless the pair costs less than the baseline, at standard sizes too
}

// Split finds the pair of eligible chains at which the list costs least, each item
// being bought at the cheaper of the two. Of equal lines, the one that costs less
// at the standard size counts. Lines that are equal there too go to the chain with
// more of the other items, then to the first by key. Both chains must get an item.
//
//	no chain and no pair has the whole list                      insufficient_coverage
//	a chain has it, and no other chain has any usable price      one_chain
//	a chain has it, and no pair costs less than the lowest one   no_saving
//	at standard sizes the cheapest pair costs no less than some
//	chain that has it, or more than a pair that is not close     size_basis_disagrees
//	a chain has it                                               saves
//	else                                                         covers_list
//
// in this order. Close pairs are within the margin of a close call above the
// cheapest pair. Every call computes the split.
func (r *Result) Split() Split {
	e := cmp.Or(r.from, &evaluation{}) // a result made by hand has none
	s := Split{ClosePairs: []ClosePair{}, UncoveredItemIDs: (e.asked &^ e.compared).appendIDs([]int64{})}
	var base *shop
	var adjusted int64 // the lowest at standard sizes of a single chain
	if len(e.full) > 0 {
		base = e.full[0]
		adjusted = slices.MinFunc(e.full, func(a, b *shop) int { return cmp.Compare(a.adjusted, b.adjusted) }).adjusted
		s.Baseline = &Baseline{base.Key, base.Name, centsOf(base.cents), centsOf(base.adjusted)}
	}
	pairs := e.pairs()
	switch {
	case base == nil && len(pairs) == 0:
		s.Status = "insufficient_coverage"
	case base != nil && (len(e.ranked) == 1 || e.ranked[1].priced == 0):
		s.Status = "one_chain"
	case base != nil && (len(pairs) == 0 || pairs[0].cents >= base.cents):
		s.Status = "no_saving"
	}
	if s.Status != "" {
		return s
	}
	best := &pairs[0]
	near := 1
	for near < len(pairs) && isClose(pairs[near].cents, best.cents) {
		near++
	}
	if base != nil && best.adjusted >= adjusted || slices.ContainsFunc(pairs[near:], func(p pair) bool { return p.adjusted < best.adjusted }) {
		s.Status = "size_basis_disagrees"
		return s
	}
	s.Status, s.Best = "covers_list", &Pair{TotalCAD: centsOf(best.cents), SizeAdjustedTotalCAD: centsOf(best.adjusted)}
	if base != nil {
		s.Status, s.BaselineIsClose = "saves", isClose(base.cents, best.cents)
		s.Best.SavingCAD = centsOf(base.cents - best.cents)
	}
	for i, x := range best.shops {
		s.Best.Stops = append(s.Best.Stops, Stop{x.Key, x.Name, centsOf(best.stops[i].cents), best.ids[i].appendIDs(nil)})
	}
	for _, p := range pairs[1:near] {
		x := ClosePair{[]string{p.shops[0].Key, p.shops[1].Key}, centsOf(p.cents), centsOf(p.adjusted), Money{}}
		if base != nil && p.cents < base.cents && p.adjusted < adjusted {
			x.SavingCAD = centsOf(base.cents - p.cents)
		}
		s.ClosePairs = append(s.ClosePairs, x)
	}
	return s
}

type pair struct {
	shops [2]*shop  // by key
	ids   [2]idSet  // the items bought at each
	stops [2]amount // the cost at each
	amount
}

// pairs returns the pairs that have the whole list between them, by total, then by
// their keys.
func (e *evaluation) pairs() []pair {
	var list []pair
	for i := range e.shops {
		for j := i + 1; j < len(e.shops); j++ {
			p := pair{shops: [2]*shop{&e.shops[i], &e.shops[j]}}
			if p.shops[0].priced|p.shops[1].priced != e.asked {
				continue
			}
			if p.divide(e.items); p.ids[0] != 0 && p.ids[1] != 0 {
				list = append(list, p)
			}
		}
	}
	// The shops are in order of key, and so are the pairs so far.
	slices.SortStableFunc(list, func(p, q pair) int { return cmp.Compare(p.cents, q.cents) })
	return list
}

func (p *pair) divide(items []Item) {
	var equal idSet
	for k, it := range items {
		a, b := &p.shops[0].picks[k], &p.shops[1].picks[k]
		order := cmp.Or(cmp.Compare(a.cents, b.cents), cmp.Compare(a.adjusted, b.adjusted))
		switch {
		case b.reason != Priced || a.reason == Priced && order < 0:
			p.ids[0].add(it.ID)
		case a.reason != Priced || order > 0:
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
		at := 0
		if p.ids[1].has(it.ID) {
			at = 1
		}
		p.stops[at].add(p.shops[at].picks[k].amount)
		p.add(p.shops[at].picks[k].amount)
	}
}
