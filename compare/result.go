package compare

// The constants of every result.
const (
	Version  = "1"
	Currency = "CAD"
)

// Scope says how much of the requested list something covers: of a comparison,
// one of the first three, of a chain's total one of the first and the last two.
type Scope string

// The scopes.
const (
	CompleteRequestedList Scope = "complete_requested_list"
	PartialRequestedList  Scope = "partial_requested_list"
	NoComparableItems     Scope = "no_comparable_items"
	ObservedSubtotal      Scope = "observed_subtotal"
	NoObservedPrices      Scope = "no_observed_prices"
)

// Status is the outcome of a recommendation.
type Status string

// The statuses.
const (
	Lowest               Status = "lowest"
	TooCloseToCall       Status = "too_close_to_call"
	InsufficientCoverage Status = "insufficient_coverage"
	SizeBasisDisagrees   Status = "size_basis_disagrees"
)

// UncertainLocation is why a chain is among the excluded ones.
const UncertainLocation = "uncertain_location"

// Result is a comparison, in the form in which it is published. All lists are
// non-nil, and those of ids ascend. The addresses are set by WithLinks.
type Result struct {
	Version         string `json:"version"`
	Currency        string `json:"currency"`
	City            City   `json:"city"`
	EvaluatedOn     Date   `json:"evaluatedOn"` // the request's day in UTC
	ComparisonScope Scope  `json:"comparisonScope"`

	RequestedItemIDs           []int `json:"requestedItemIds"`
	ComparedItemIDs            []int `json:"comparedItemIds"`            // some chain has a usable price
	UntrackedItemIDs           []int `json:"untrackedItemIds"`           // no chain has an active listing
	WeightedItemIDs            []int `json:"weightedItemIds"`            // asked for by the kilogram
	NormalizedCountItemIDs     []int `json:"normalizedCountItemIds"`     // some row was dropped as ambiguous_checkout
	UnsupportedQuantityItemIDs []int `json:"unsupportedQuantityItemIds"` // some row was dropped as unsupported_quantity

	Recommendation  Recommendation  `json:"recommendation"`
	Stores          []Store         `json:"stores"`         // the eligible chains, the complete and cheapest first
	ExcludedStores  []ExcludedStore `json:"excludedStores"` // by key
	Exclusions      []Exclusion     `json:"exclusions"`     // by store key, then item id: one for each missing item of each store
	ObservationSpan Span            `json:"observationSpan"`
	Caveats         []string        `json:"caveats"`
	SourceURLs      []string        `json:"sourceUrls"`
	ComparisonURL   string          `json:"comparisonUrl"`

	from *evaluation // what Lines and WithLinks need
}

// City is a city as a result names it.
type City struct {
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	Province string `json:"province"`
}

// Recommendation says which chain is the cheapest for the whole list, or why
// none is named.
type Recommendation struct {
	Status         Status   `json:"status"`
	StoreKeys      []string `json:"storeKeys"` // the one that is lowest; else none
	Reasons        []string `json:"reasons"`   // sentences, each led by a code and a colon
	CloseStoreKeys []string `json:"closeStoreKeys"`
}

// Store is what the list costs at one chain.
type Store struct {
	Key                   string `json:"key"`
	Name                  string `json:"name"`
	TotalCAD              Money  `json:"totalCad"`             // of the items priced; null if there is none
	SizeAdjustedTotalCAD  Money  `json:"sizeAdjustedTotalCad"` // as if every package had the standard size
	TotalScope            Scope  `json:"totalScope"`
	CompleteRequestedList bool   `json:"completeRequestedList"`

	PricedItemIDs               []int `json:"pricedItemIds"`
	MissingItemIDs              []int `json:"missingItemIds"`
	Oldest                      Date  `json:"oldest"`
	Newest                      Date  `json:"newest"`
	OnSaleItemIDs               []int `json:"onSaleItemIds"`
	ConditionalPromotionItemIDs []int `json:"conditionalPromotionItemIds"` // counted at the regular price
	DifferentSizeItemIDs        []int `json:"differentSizeItemIds"`

	ItemObservationDates []ItemDate `json:"itemObservationDates"` // by item id
}

// ItemDate is when a price was seen, in UTC.
type ItemDate struct {
	ItemID     int  `json:"itemId"`
	ObservedAt Date `json:"observedAt"`
}

// ExcludedStore is a chain whose place in the city is not certain.
type ExcludedStore struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Exclusion says why a chain has no price of an item.
type Exclusion struct {
	StoreKey string `json:"storeKey"`
	ItemID   int    `json:"itemId"`
	Reason   Reason `json:"reason"`
}

// Span is the days of the oldest and the newest price used; null if none is.
type Span struct {
	Oldest Date `json:"oldest"`
	Newest Date `json:"newest"`
}
