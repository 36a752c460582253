package compare

import (
	"slices"
)

// SplitStatus is what buying a list at two chains comes to.
type SplitStatus string

// The statuses of a split.
const (
	SplitSaves                SplitStatus = "saves"                 // a pair costs less than every chain that has the whole list
	SplitNoSaving             SplitStatus = "no_saving"             // a chain has the whole list, and no pair costs less
	SplitOneChain             SplitStatus = "one_chain"             // a chain has the whole list, and no other has a price: nothing was compared
	SplitCoversList           SplitStatus = "covers_list"           // a pair has the whole list, and no chain alone has: there is no saving to state
	SplitInsufficientCoverage SplitStatus = "insufficient_coverage" // neither a chain nor a pair has the whole list
	SplitSizeBasisDisagrees   SplitStatus = "size_basis_disagrees"  // which pair, or whether any, depends on the size of the packages
)

// Split is what a second stop is worth: the list bought at two chains, each item
// at the one where it costs less. All lists are non-nil.
type Split struct {
	Status           SplitStatus `json:"status"`
	Baseline         *Baseline   `json:"baseline"`         // nil when no chain has the whole list
	BaselineIsClose  bool        `json:"baselineIsClose"`  // it and the best pair are too close to call
	Best             *Pair       `json:"best"`             // of SplitSaves and SplitCoversList; else nil
	ClosePairs       []ClosePair `json:"closePairs"`       // too close to Best to call, the cheapest first
	UncoveredItemIDs []int       `json:"uncoveredItemIds"` // of SplitInsufficientCoverage: no chain has a usable price
}

// Baseline is the one stop that a saving is measured by: the lowest total of the
// chains that have the whole list. It is no recommendation.
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

// Stop is what is bought at one of the two chains: at least one item.
type Stop struct {
	StoreKey string `json:"storeKey"`
	Name     string `json:"name"`
	TotalCAD Money  `json:"totalCad"`
	ItemIDs  []int  `json:"itemIds"`
}

// ClosePair is a pair that costs so little more than the best one that neither is
// called the cheapest.
type ClosePair struct {
	StoreKeys            []string `json:"storeKeys"` // two, by key
	TotalCAD             Money    `json:"totalCad"`
	SizeAdjustedTotalCAD Money    `json:"sizeAdjustedTotalCad"`
	SavingCAD            Money    `json:"savingCad"` // null unless the pair costs less than the baseline, at standard sizes too
}

// Split finds the pair of eligible chains at which the list costs least, by
// usable prices, each item at the cheaper of the two. Of lines that are equal the
// one counts that costs less at the standard size; those equal there too go to the
// chain that has more of the others, then to the first by key. A pair of which one
// chain gets nothing is none.
//
//	no chain and no pair has the whole list                      insufficient_coverage
//	a chain has it, and no other chain has any usable price      one_chain
//	a chain has it, and no pair costs less than the lowest one   no_saving
//	at standard sizes the cheapest pair costs no less than some
//	chain that has it, or more than a pair that is not close     size_basis_disagrees
//	a chain has it                                               saves
//	else                                                         covers_list
//
// in this order. Close are totals within the margin of the recommendation, above
// the lowest of all pairs. The saving is one of the day's shelf prices; what the
// second trip costs is the shopper's to say. It is computed when it is asked for.
func (r *Result) Split() Split {
	e := r.from
	if e == nil {
		return Split{Status: SplitInsufficientCoverage, ClosePairs: []ClosePair{}, UncoveredItemIDs: []int{}}
	}
	s := Split{ClosePairs: []ClosePair{}, UncoveredItemIDs: (e.asked &^ e.compared).appendIDs([]int{})}
	var base *shop
	var adjusted int64 // the lowest at standard sizes of a single chain
	priced := 0        // chains that have a price of something
	for i := range e.shops {
		x := &e.shops[i]
		if x.priced != 0 {
			priced++
		}
		if !x.complete {
			continue
		}
		if base == nil {
			base, adjusted = x, x.adjusted
		}
		if x.cents < base.cents {
			base = x
		}
		adjusted = min(adjusted, x.adjusted)
	}
	if base != nil {
		s.Baseline = &Baseline{base.Key, base.Name, CentsOf(base.cents), CentsOf(base.adjusted)}
	}
	pairs := e.pairs()
	switch {
	case base == nil && len(pairs) == 0:
		s.Status = SplitInsufficientCoverage
		return s
	case base != nil && priced == 1:
		s.Status = SplitOneChain
		return s
	case base != nil && (len(pairs) == 0 || pairs[0].cents >= base.cents):
		s.Status = SplitNoSaving
		return s
	}
	best := &pairs[0]
	near := 1
	for near < len(pairs) && isClose(pairs[near].cents, best.cents) {
		near++
	}
	if base != nil && best.adjusted >= adjusted || slices.ContainsFunc(pairs[near:], func(p pair) bool { return p.adjusted < best.adjusted }) {
		s.Status = SplitSizeBasisDisagrees
		return s
	}
	s.Status = SplitCoversList
	if base != nil {
		s.Status, s.BaselineIsClose = SplitSaves, isClose(base.cents, best.cents)
	}
	s.Best = best.report(base)
	for i := range pairs[1:near] {
		s.ClosePairs = append(s.ClosePairs, pairs[1+i].brief(base, adjusted))
	}
	return s
}
