package compare

import (
	"strconv"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/enum"
	"github.com/larder-index/larder/panel"
)

// The form of every result.
const version = "1"

// The outcomes of a recommendation.
const (
	Lowest               = "lowest"
	TooCloseToCall       = "too_close_to_call"
	InsufficientCoverage = "insufficient_coverage"
	SizeBasisDisagrees   = "size_basis_disagrees"
)

// Result is a comparison in its published form. All lists are non-nil, and ids
// ascend. WithLinks sets the addresses.
type Result struct {
	Version         string      `json:"version"`
	Currency        string      `json:"currency"` // members ending in Cad have that only for CAD: see AppendJSON
	City            basket.City `json:"city"`
	EvaluatedOn     Date        `json:"evaluatedOn"`     // the request's day in UTC
	ComparisonScope string      `json:"comparisonScope"` // complete_ or partial_requested_list, no_comparable_items

	RequestedItemIDs           []int64 `json:"requestedItemIds"`
	ComparedItemIDs            []int64 `json:"comparedItemIds"`            // some chain has a usable price
	UntrackedItemIDs           []int64 `json:"untrackedItemIds"`           // no chain has an active listing
	WeightedItemIDs            []int64 `json:"weightedItemIds"`            // asked for by the kilogram
	NormalizedCountItemIDs     []int64 `json:"normalizedCountItemIds"`     // some row was dropped as ambiguous_checkout
	UnsupportedQuantityItemIDs []int64 `json:"unsupportedQuantityItemIds"` // likewise as unsupported_quantity

	Recommendation  Recommendation  `json:"recommendation"`
	Stores          []Store         `json:"stores"`         // the eligible chains, the complete and cheapest first
	ExcludedStores  []ExcludedStore `json:"excludedStores"` // by key
	Exclusions      []Exclusion     `json:"exclusions"`     // by store key, then item id: of each missing item
	ObservationSpan Span            `json:"observationSpan"`
	Caveats         []string        `json:"caveats"`
	SourceURLs      []string        `json:"sourceUrls"`
	ComparisonURL   string          `json:"comparisonUrl"`
	Codes           *Remarks        `json:"codes,omitzero"` // nil unless the request includes them

	from *evaluation // for Lines, Split and WithLinks
}

// Recommendation names the cheapest chain for the whole list, or says why no
// chain is named.
type Recommendation struct {
	Status         string   `json:"status"`    // Lowest, TooCloseToCall, InsufficientCoverage or SizeBasisDisagrees
	StoreKeys      []string `json:"storeKeys"` // the lowest chain; empty for any other status
	Reasons        []string `json:"reasons"`   // sentences, each led by a code and a colon
	CloseStoreKeys []string `json:"closeStoreKeys"`
}

// Store is the cost of the list at one chain.
type Store struct {
	Key                   string `json:"key"`
	Name                  string `json:"name"`
	Total                 Money  `json:"totalCad"`             // of the priced items; null without any
	SizeAdjustedTotal     Money  `json:"sizeAdjustedTotalCad"` // as if every package had the standard size
	TotalScope            string `json:"totalScope"`           // also observed_subtotal, no_observed_prices
	CompleteRequestedList bool   `json:"completeRequestedList"`

	PricedItemIDs  []int64 `json:"pricedItemIds"`
	MissingItemIDs []int64 `json:"missingItemIds"`
	Oldest         Date    `json:"oldest"`
	Newest         Date    `json:"newest"`
	OnSaleItemIDs  []int64 `json:"onSaleItemIds"`
	// Priced at the regular price, or on sale and in OnSaleItemIDs too.
	ConditionalPromotionItemIDs []int64 `json:"conditionalPromotionItemIds"`
	DifferentSizeItemIDs        []int64 `json:"differentSizeItemIds"`

	ItemObservationDates []ItemDate `json:"itemObservationDates"` // by item id
	Lines                []Line     `json:"lines,omitzero"`       // of the priced items, by id; nil unless asked for
	Variants             []Line     `json:"variants,omitzero"`    // with Lines: of items missing as variant_match
}

// ItemDate is the day in UTC on which a price was seen.
type ItemDate struct {
	ItemID     int64 `json:"itemId"`
	ObservedAt Date  `json:"observedAt"`
}

// ExcludedStore is a chain that is left out because its place in the city is
// uncertain.
type ExcludedStore struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Exclusion says why a chain has no price of an item.
type Exclusion struct {
	StoreKey string `json:"storeKey"`
	ItemID   int64  `json:"itemId"`
	Reason   Reason `json:"reason"`
}

// Span is the days of the oldest and the newest price used, null without any.
type Span struct {
	Oldest Date `json:"oldest"`
	Newest Date `json:"newest"`
}

// Reason says why a chain has no usable price of an item. The zero value means
// that it has one.
type Reason uint8

// The reasons. VariantMatch is about the price that would be chosen. A row is dropped for the first reason from
// DoubtfulMatch to ConditionalPromotion that holds, in this order.
const (
	Priced               Reason = iota
	VariantMatch                // it has no exact listing with a price, and the request does not accept its variant
	DoubtfulMatch               // its title speaks against the item
	RejectedMatch               // the request rejects the listing
	StalePrice                  // seen more than MaxPriceAgeDays ago
	ExpiredPromotion            // at a sale price whose sale is over
	AmbiguousCheckout           // a counted good in a package of another count
	UnsupportedQuantity         // a fixed pack, of which the quantity is not a multiple
	ConditionalPromotion        // at a sale price with a condition, and no other price is known
	QualityGate                 // all of its rows fail the gate
	NoObservation               // it has no row
)

var reasons = enum.New("reason", Priced,
	"", "variant_match", "doubtful_match", "rejected_match", "stale_price", "expired_promotion", "ambiguous_checkout",
	"unsupported_quantity", "conditional_promotion", "quality_gate", "no_observation")

// String returns the reason as in bodies, such as "stale_price"; "" for Priced.
func (r Reason) String() string { return reasons.String(r) }

// MarshalText writes what String returns.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Money is an amount in whole cents, or null. The zero value is null.
type Money struct {
	Cents int64 // at least 0 in a result; of a currency without cents its smallest units
	Valid bool  // false: null
	Finer int8  // decimals beside two: -2 of JPY, 1 of KWD
}

// money returns the amount of so many cents.
func (pr *Projection) money(cents int64) Money { return Money{cents, true, int8(pr.digits - 2)} }

// String writes the amount with the decimals of its currency, such as "12.50"; null is "".
func (m Money) String() string {
	if !m.Valid {
		return ""
	}
	return string(m.append(nil))
}

func (m Money) append(b []byte) []byte {
	if !m.Valid {
		return append(b, "null"...)
	}
	u := uint64(m.Cents)
	if m.Cents < 0 {
		b = append(b, '-')
		u = -u
	}
	one := uint64(units[2+m.Finer])
	b = strconv.AppendUint(b, u/one, 10)
	point := len(b)
	if one > 1 {
		b = strconv.AppendUint(b, one+u%one, 10) // with a 1 in place of the point
		b[point] = '.'
	}
	return b
}

// MarshalJSON writes a number with the decimals of its currency, exactly, or null.
func (m Money) MarshalJSON() ([]byte, error) { return m.append(nil), nil }

// Date is a day in UTC, or null. The zero value is null.
type Date struct {
	Day   panel.Date
	Valid bool // false: null
}

// dateOf returns the given day.
func dateOf(d panel.Date) Date { return Date{d, true} }

// String writes YYYY-MM-DD; null is "".
func (d Date) String() string {
	if !d.Valid {
		return ""
	}
	return d.Day.String()
}

const jsonDate = `"2006-01-02"`

func (d Date) append(b []byte) []byte {
	if !d.Valid {
		return append(b, "null"...)
	}
	return d.Day.Time(time.UTC).AppendFormat(b, jsonDate)
}

// MarshalJSON writes the day as a string, or null.
func (d Date) MarshalJSON() ([]byte, error) { return d.append(nil), nil }

func (s *Span) include(day panel.Date) {
	if !s.Oldest.Valid || day < s.Oldest.Day {
		s.Oldest = dateOf(day)
	}
	if !s.Newest.Valid || day > s.Newest.Day {
		s.Newest = dateOf(day)
	}
}
