package oracle

import (
	"slices"

	"github.com/larder-index/larder/basket"
)

// Result is a comparison, without its addresses and sentences. Dates are
// written YYYY-MM-DD; the empty one is null. Lists of ids are ascending and
// never nil, so that a Result compares with cmp.Diff.
type Result struct {
	City            basket.City
	EvaluatedOn     string
	ComparisonScope string
	Recommendation  Recommendation
	Stores          []Store
	ExcludedStores  []Excluded // by key
	Exclusions      []Exclusion

	RequestedItemIDs, ComparedItemIDs, UntrackedItemIDs                 []int
	WeightedItemIDs, NormalizedCountItemIDs, UnsupportedQuantityItemIDs []int

	Oldest, Newest string // observationSpan
}

// Recommendation has the codes of its reasons, in place of the sentences.
type Recommendation struct {
	Status         string
	StoreKeys      []string
	ReasonCodes    []string
	CloseStoreKeys []string
}

// Store is the result of one chain. Totals are in cents; nil is null.
type Store struct {
	Key, Name             string
	TotalCents            *int64
	SizeAdjustedCents     *int64
	TotalScope            string
	CompleteRequestedList bool

	PricedItemIDs, MissingItemIDs                                    []int
	OnSaleItemIDs, ConditionalPromotionItemIDs, DifferentSizeItemIDs []int
	Oldest, Newest                                                   string
	ItemObservationDates                                             []ItemDate // by item
}

// ItemDate says when the price of an item was observed.
type ItemDate struct {
	ItemID     int
	ObservedAt string
}

// Excluded is a chain without a store of certain location in the city.
type Excluded struct{ Key, Name, Reason string }

// Exclusion says why a chain has no price for an item.
type Exclusion struct {
	StoreKey string
	ItemID   int
	Reason   string
}

// recommend. "Over eligible chains with the complete list: fewer than two:
// insufficient_coverage. Else L = lowest total; chains with total - L <=
// max(0.05, 2% of L) are close; if more than the lowest: too_close_to_call,
// closeStoreKeys lists them all, the lowest included, by total then key. Else if
// the lowest chain's size-adjusted total is above another complete chain's:
// size_basis_disagrees. Else lowest."
func recommend(r *Result) Recommendation {
	var complete []Store // by total, then key
	for _, s := range r.Stores {
		if s.CompleteRequestedList {
			complete = append(complete, s)
		}
	}
	rec := Recommendation{StoreKeys: []string{}, ReasonCodes: []string{}, CloseStoreKeys: []string{}}
	if len(complete) < 2 {
		rec.Status = "insufficient_coverage"
		rec.ReasonCodes = append(rec.ReasonCodes, "fewer_than_two_complete_chains")
		if len(r.UntrackedItemIDs) > 0 {
			rec.ReasonCodes = append(rec.ReasonCodes, "untracked_items")
		}
		if slices.ContainsFunc(r.Exclusions, func(e Exclusion) bool { return e.Reason == unsupported }) {
			rec.ReasonCodes = append(rec.ReasonCodes, "unsupported_quantity")
		}
		return rec
	}
	lowest := complete[0]
	var near []string
	disagrees := false
	for _, s := range complete {
		// In hundredths of a cent, so that 2% is whole.
		difference := 100 * (*s.TotalCents - *lowest.TotalCents)
		if difference <= max(100*5, 2**lowest.TotalCents) {
			near = append(near, s.Key)
		}
		disagrees = disagrees || *lowest.SizeAdjustedCents > *s.SizeAdjustedCents
	}
	switch {
	case len(near) > 1:
		rec.Status, rec.ReasonCodes, rec.CloseStoreKeys = "too_close_to_call", []string{"close_total"}, near
	case disagrees:
		rec.Status, rec.ReasonCodes = "size_basis_disagrees", []string{"size_basis_conflict"}
	default:
		rec.Status, rec.ReasonCodes = "lowest", []string{"lowest_complete_total"}
		rec.StoreKeys = []string{lowest.Key}
	}
	return rec
}
