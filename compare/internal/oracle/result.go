package oracle

import "github.com/larder-index/larder/basket"

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

// Excluded is a chain whose stores in the city may stand elsewhere.
type Excluded struct{ Key, Name, Reason string }

// Exclusion says why a chain has no price for an item.
type Exclusion struct {
	StoreKey string
	ItemID   int
	Reason   string
}
