package compare

import (
	"cmp"
	"slices"
)

// Split is the list bought at two chains, each item at the cheaper one. All lists are non-nil.
type Split struct {
	Status           string      // see Result.Split
	Baseline         *Baseline   // nil when no chain has the whole list
	BaselineIsClose  bool        // it and the best pair are too close to call
	Best             *Pair       // of saves and covers_list; else nil
	ClosePairs       []ClosePair // too close to Best to call, the cheapest first
	UncoveredItemIDs []int64     // of insufficient_coverage: no chain has a usable price
}

// Baseline is the lowest total of the chains with the whole list. It is not a recommendation.
type Baseline struct {
	StoreKey string
	Totals
}

// Totals are those of a list, and at standard sizes of the same lines at the same chains.
type Totals struct {
	Total             Money `json:"totalCad"`
	SizeAdjustedTotal Money `json:"sizeAdjustedTotalCad"`
}

// Pair is the whole list bought at two chains, and ClosePair one too close to the best to call either the cheapest.
type (
	Pair struct {
		Totals
		Saving Money  `json:"savingCad"` // the baseline's total less Total; null without a baseline
		Stops  []Stop `json:"stops"`     // two, by key
	}
	ClosePair struct {
		StoreKeys []string // two, by key
		Totals
		Saving Money // null unless it costs less than the baseline, at standard sizes too
	}
)

// Stop is the part of the list bought at one of the two chains: at least one item.
type Stop struct {
	StoreKey string  `json:"storeKey"`
	Name     string  `json:"name"`
	Total    Money   `json:"totalCad"`
	ItemIDs  []int64 `json:"itemIds"`
}

func (pr *Projection) totals(x amount) Totals { return Totals{pr.money(x.cents), pr.money(x.adjusted)} }

// Split finds the pair of eligible chains at which the list costs least, each item bought at the cheaper of the two.
// Of equal lines, the one that costs less at the standard size counts. Lines that are equal there too go to the chain
// with more of the other items, then to the first by key. Both chains must get an item.
func (r *Result) Split() Split {
	e, pairs, near := r.from, r.from.pairs(), 1
	s := Split{Status: "covers_list", ClosePairs: []ClosePair{}, UncoveredItemIDs: []int64{}}
	single := amount{1 << 62, 1 << 62} // the lowest of one chain
	if len(e.full) > 0 {
		base := e.full[0]
		s.Status, single.cents = "saves", base.cents
		s.Baseline = &Baseline{base.Key, e.pr.totals(base.amount)}
		for _, x := range e.full {
			single.adjusted = min(single.adjusted, x.adjusted)
		}
	}
	for near < len(pairs) && isClose(pairs[near].cents, pairs[0].cents) {
		near++
	}
	switch alone := len(e.ranked) < 2 || e.ranked[1].priced == 0; {
	case s.Baseline == nil && len(pairs) == 0:
		s.Status, s.UncoveredItemIDs = "insufficient_coverage", e.without((*pick).isPriced)
		return s
	case s.Baseline != nil && alone:
		s.Status = "one_chain"
		return s
	case len(pairs) == 0 || pairs[0].cents >= single.cents:
		s.Status = "no_saving"
		return s
	case pairs[0].adjusted >= single.adjusted, // one chain costs no more at standard sizes, or another pair less
		slices.ContainsFunc(pairs[near:], func(p pair) bool { return p.adjusted < pairs[0].adjusted }):
		s.Status = "size_basis_disagrees"
		return s
	}
	saving := func(p *pair) (m Money) {
		if s.Baseline != nil && p.cents < single.cents && p.adjusted < single.adjusted {
			m = e.pr.money(single.cents - p.cents)
		}
		return m
	}
	best := &pairs[0]
	s.BaselineIsClose = s.Baseline != nil && isClose(single.cents, best.cents)
	s.Best = &Pair{Totals: e.pr.totals(best.amount), Saving: saving(best)}
	for i, x := range best.shops {
		ids := e.ids(func(k int) bool { return best.at[k] == i })
		s.Best.Stops = append(s.Best.Stops, Stop{x.Key, x.Name, e.pr.money(best.stops[i]), ids})
	}
	for _, p := range pairs[1:near] {
		keys := []string{p.shops[0].Key, p.shops[1].Key}
		s.ClosePairs = append(s.ClosePairs, ClosePair{keys, e.pr.totals(p.amount), saving(&p)})
	}
	return s
}

type pair struct {
	shops [2]*shop // by key
	at    []int    // beside evaluation.items: at which of the two
	stops [2]int64 // cents at each
	amount
}

// pairs returns the pairs that have the whole list between them, by total, then by their keys.
func (e *evaluation) pairs() (list []pair) {
	for i := range e.shops {
		for j := i + 1; j < len(e.shops); j++ {
			p := pair{shops: [2]*shop{e.shops[i], e.shops[j]}}
			if p.divide() {
				list = append(list, p)
			}
		}
	}
	slices.SortStableFunc(list, func(p, q pair) int { return cmp.Compare(p.cents, q.cents) }) // shops are by key
	return list
}

// divide divides the list; false if the chains lack an item, or if one of them gets none.
func (p *pair) divide() bool {
	lead, order := 0, make([]int, len(p.shops[0].picks)) // lead of the first chain, in items that it sells for less
	for k := range order {
		a, b := &p.shops[0].picks[k], &p.shops[1].picks[k]
		switch {
		case a.isPriced() && b.isPriced():
			order[k] = cmp.Or(cmp.Compare(a.cents, b.cents), cmp.Compare(a.adjusted, b.adjusted))
		case a.isPriced():
			order[k] = -1
		case b.isPriced():
			order[k] = 1
		default:
			return false
		}
		lead -= order[k]
	}
	var items [2]int
	for k, o := range order {
		at := 0
		if o > 0 || o == 0 && lead < 0 {
			at = 1
		}
		line := p.shops[at].picks[k].amount
		p.at, p.stops[at] = append(p.at, at), p.stops[at]+line.cents
		items[at]++
		p.add(line)
	}
	return items[0] > 0 && items[1] > 0
}
