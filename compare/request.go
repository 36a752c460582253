package compare

import (
	"math/bits"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// The bounds of a request.
const (
	MaxItems       = 50   // different items
	MaxStores      = 40   // different chains
	MaxItemID      = 50   // items are numbered from 1
	MaxItemsLength = 1200 // characters of the textual form of items
	MaxBody        = 8192 // bytes of the JSON form
)

// Request is a shopping list and where to compare it. It has no defaults: every
// request names a city and a list.
type Request struct {
	City       string   `json:"city"`                 // slug
	Items      []Item   `json:"items"`                // 1 to MaxItems, ids unique, in any order
	Stores     []string `json:"stores,omitempty"`     // chain keys, at most MaxStores, unique; empty: all chains of the city
	Include    []string `json:"include,omitempty"`    // what the result holds besides: IncludeLines
	Conditions []string `json:"conditions,omitempty"` // of sales that the shopper meets, each of [Conditions] once
}

// IncludeLines is the word by which a request asks for the lines and hints of a
// result.
const IncludeLines = "lines"

// Conditions are the words for the conditions of sales.
var Conditions = []string{panel.SaleConditions[panel.Member], panel.SaleConditions[panel.MultiBuy]}

// conditions is a set of conditions of sales, one bit each.
type conditions uint8

func conditionsOf(words []string) (met conditions) {
	for c, word := range panel.SaleConditions {
		if slices.Contains(words, word) {
			met |= 1 << c
		}
	}
	return met
}

func (met conditions) has(c panel.SaleCondition) bool { return met>>c&1 == 1 }

// Item is one line of a shopping list.
type Item struct {
	ID  int      `json:"id"`  // of the canonical product
	Qty Quantity `json:"qty"` // packages, or kilograms of goods sold by weight
}

// Quantity is the amount of an item in hundredths of a package or of a kilogram.
type Quantity int32

const (
	hundredths Quantity = 100
	quarter    Quantity = 25

	// noQuantity is a number that cannot be a Quantity. Requests hold it until
	// Validate refuses it.
	noQuantity Quantity = -1
)

// QuantityRule bounds the quantities of an item.
type QuantityRule struct{ Min, Max, Step Quantity }

var (
	packageRule = QuantityRule{hundredths, 20 * hundredths, hundredths}
	kiloRule    = QuantityRule{quarter, 10 * hundredths, quarter}
	anyRule     = QuantityRule{kiloRule.Min, packageRule.Max, kiloRule.Step} // what some item allows
)

// RuleOf returns the rule of a product.
func RuleOf(p *basket.Product) QuantityRule {
	if p.PerKg() {
		return kiloRule
	}
	return packageRule
}

// Allows reports whether an item may be asked for in a quantity.
func (r QuantityRule) Allows(q Quantity) bool { return q >= r.Min && q <= r.Max && q%r.Step == 0 }

// Code names the fault of a request, for programs.
type Code string

// The codes of refused requests.
const (
	BodyTooLarge     Code = "body_too_large"    // more than MaxBody bytes
	InvalidJSON      Code = "invalid_json"      // not one JSON value in UTF-8 without duplicate keys
	InvalidBody      Code = "invalid_body"      // JSON of another shape
	UnsupportedCity  Code = "unsupported_city"  // the panel lacks the city
	InvalidItems     Code = "invalid_items"     // an empty list, or a malformed textual form
	TooManyItems     Code = "too_many_items"    // more than MaxItems
	UnknownItem      Code = "unknown_item"      // no product has the id
	DuplicateItem    Code = "duplicate_item"    // an id twice
	InvalidQuantity  Code = "invalid_quantity"  // outside the item's range or steps
	InvalidStores    Code = "invalid_stores"    // a malformed textual form
	TooManyStores    Code = "too_many_stores"   // more than MaxStores
	UnknownStore     Code = "unknown_store"     // no shopper chain has the key
	DuplicateStore   Code = "duplicate_store"   // a key twice
	StoreUnavailable Code = "store_unavailable" // a chain without a store in the city

	InvalidInclude    Code = "invalid_include"    // another word than IncludeLines, or a word twice
	InvalidConditions Code = "invalid_conditions" // another word than those of Conditions, or a word twice
)

// Error says why a request is refused.
type Error struct {
	Code    Code
	Path    string // as in JSON: "items[2].qty"; "body" for the whole, "city", "items", "stores" and so on for the parameters
	Message string // what to change, with an accepted example
}

func (e *Error) Error() string { return "compare: " + e.Path + ": " + e.Message }

// idSet is a set of item ids, one bit each.
type idSet uint64

func (s *idSet) add(id int)     { *s |= 1 << id }
func (s idSet) has(id int) bool { return s>>id&1 == 1 }
func (s idSet) len() int        { return bits.OnesCount64(uint64(s)) }

func (s *idSet) addIf(is bool, id int) {
	if is {
		s.add(id)
	}
}

// appendIDs appends the ids, ascending.
func (s idSet) appendIDs(ids []int) []int {
	for ; s != 0; s &= s - 1 {
		ids = append(ids, bits.TrailingZeros64(uint64(s)))
	}
	return ids
}
