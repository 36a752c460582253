package panel

import (
	"fmt"
	"time"

	"github.com/larder-index/larder/basket"
)

// Store is one shop of a banner in a city.
type Store struct {
	ID              int64
	Banner          string // key of its banner
	City            string // slug of its city
	Active          bool   // rows of an inactive store count nowhere
	LocationCertain bool   // false: the shop may stand elsewhere; shopper comparisons leave it out
}

// Listing ties a banner's own listing (a retailer product) to the canonical
// product that it is taken for.
type Listing struct {
	ID           int64
	ProductID    int
	Banner       string // key of its banner
	SKU          string // empty if unknown
	Name         string // the banner's name for it, as scraped
	Brand        string // empty if unknown
	IsStoreBrand Tri
	Active       bool // a retired listing's rows count nowhere
}

// Tri is a yes, a no, or nothing known.
type Tri uint8

// The three answers; the zero value is "nothing known".
const (
	Unknown Tri = iota
	No
	Yes
)

// TriOf returns Yes or No.
func TriOf(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

// SaleCondition is what a shopper must do to get a sale price.
type SaleCondition uint8

// The conditions that are told apart.
const (
	NoCondition SaleCondition = iota
	MultiBuy                  // buy several
	Member                    // be a member
)

// SaleConditions holds the names of the conditions in files; "" is none.
var SaleConditions = [...]string{"", "multi_buy", "member"}

// RegularSource says where a verified banner's regular price comes from.
type RegularSource uint8

// The sources that are told apart. NoSource on a verified banner's row means
// that the row has not been approved.
const (
	NoSource RegularSource = iota
	Scraped
	Derived
	AssumedEqual // a placeholder: no evidence of a prior price
)

// RegularSources holds the names of the sources in files and the API.
var RegularSources = [...]string{"", "scraped", "derived", "assumed_equal"}

// Observation is one price of one listing at one store, as collected. The
// index reads only Listing, Store, Effective, ObservedAt and Verdict; a
// program that wants no more than the index may leave the rest zero.
//
// Prices stand on the product's stated basis: the standard size, or one
// kilogram.
type Observation struct {
	ID            int64
	Listing       int64   // id of its Listing
	Store         int64   // id of its Store
	Regular       Price   // 0: unknown
	Sale          Price   // 0: none
	Effective     Price   // the comparable price; the one that the index uses
	UnitPrice     float64 // 0: unknown
	PackageSize   string  // as scraped; empty: unknown
	InStock       Tri
	OnSale        bool
	SaleEndsOn    Date // 0: unknown
	SaleCondition SaleCondition
	ScrapedName   string // empty: unknown
	ObservedAt    time.Time
	RegularSource RegularSource
	PromoDetail   string // JSON object; empty: none
	Verdict       Verdict
}

// Verdict is the quality gate's judgement of one observation. It comes with
// the row: the panel applies it and counts it, and never derives it from
// prices of its own accord.
type Verdict uint8

// The verdicts. Only Pass counts in the index.
const (
	Pass          Verdict = iota
	FailsIdentity         // title or size does not fit the product's spec
	Quarantined           // its listing, store or row is set aside
)

var verdictNames = [...]string{"pass", "identity", "quarantine"}

// String returns pass, identity or quarantine.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// PilotRow is one published row of the frozen March to June 2026 pilot series
// (v1). It is kept and served as published, never recomputed and never
// spliced to the current series.
type PilotRow struct {
	Date       Week
	City       string          // slug; empty on national rows
	Banner     string          // key; empty on national and city rows
	Category   basket.Category // basket.Overall for the headline
	IndexValue Fixed           // never null
	BasketCost Fixed
	WoW, MoM   Fixed
	ItemCount  int // -1: null
	TotalItems int // -1: null
}

// RecordError names the record that a panel was refused for.
type RecordError struct {
	Kind  string // "product", "store", "listing", "observation", ...
	Index int    // its place in the order it was added, from 0
	ID    string // its id, key or slug
	Err   error
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("%s %s (number %d added): %v", e.Kind, e.ID, e.Index+1, e.Err)
}

func (e *RecordError) Unwrap() error { return e.Err }
