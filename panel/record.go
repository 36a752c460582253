package panel

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/enum"
)

// Store is one place of a banner in a city where prices are seen.
type Store struct {
	ID              int64
	Banner          string // key of its banner
	City            string // slug of its city
	Active          bool   // rows of an inactive store count nowhere
	LocationCertain bool   // false: its address is in doubt; shopper comparisons leave it out
	Code            string // the chain's own, by which files name it; empty: none
}

// Listing is one item in a banner's range. Its prices count as those of one canonical product.
type Listing struct {
	ID           int64
	ProductID    int64
	Banner       string // key of its banner
	SKU          string // empty if unknown
	Name         string // the banner's name for it, as scraped
	Brand        string // empty if unknown
	IsStoreBrand Tri
	Active       bool // a retired listing's rows count nowhere
	GTIN         basket.GTIN
}

// Tri is yes, no or unknown.
type Tri uint8

// The three values.
const (
	Unknown Tri = iota
	No
	Yes
)

// SaleCondition is a condition for getting a sale price.
type SaleCondition uint8

// The conditions.
const (
	NoCondition SaleCondition = iota
	MultiBuy                  // buy several
	Member                    // be a member
)

// SaleConditions holds the names of the conditions in files; "" means no condition.
var SaleConditions = [...]string{"", "multi_buy", "member"}

// RegularSource says where a verified banner's regular price comes from.
type RegularSource uint8

// The sources. A verified banner's row with NoSource has not been approved.
const (
	NoSource RegularSource = iota
	Scraped
	Derived
	AssumedEqual // a placeholder: no evidence of a prior price
)

// RegularSources holds the names of the sources in files and the API.
var RegularSources = [...]string{"", "scraped", "derived", "assumed_equal"}

// Observation is one price of one listing at one store, as collected. The index
// reads only Listing, Store, Effective, ObservedAt and Verdict. The rest may be
// zero in a program that wants no more than the index.
//
// Prices are for the product's standard size, or for one kilogram of goods sold
// by weight. A row that has the price at the till gives Shelf, and TakeShelf divides.
type Observation struct {
	ID            int64
	Listing       int64   // id of its Listing
	Store         int64   // id of its Store
	Regular       Price   // 0: unknown
	Sale          Price   // 0: none
	Effective     Price   // the comparable price; the one that the index uses
	Shelf         Price   // of the pack at the till, until TakeShelf; else 0
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

// check returns an error that lists all members with a value that no observation can have. It
// does not look up the listing and the store.
func (o *Observation) check() error {
	var wrong []error
	bad := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	if o.ID < 0 {
		bad("id %d: below 0", o.ID)
	}
	if o.Listing <= 0 {
		bad("listing %d: not above 0", o.Listing)
	}
	if o.Store <= 0 {
		bad("store %d: not above 0", o.Store)
	}
	if second := o.ObservedAt.Unix(); second < firstSecond || second >= endSecond {
		bad("observed at %s: not in the years %d to %d", o.ObservedAt, FirstYear, LastYear)
	}
	if !o.Effective.Valid() {
		bad("effective price %d ten-thousandths: not above 0 and up to %s", int64(o.Effective), maxPrice)
	}
	const noPrice = "%s price %d ten-thousandths: not 0 for none, or above 0 and up to %s"
	if o.Regular != 0 && !o.Regular.Valid() {
		bad(noPrice, "regular", int64(o.Regular), maxPrice)
	}
	if o.Sale != 0 && !o.Sale.Valid() {
		bad(noPrice, "sale", int64(o.Sale), maxPrice)
	}
	if !(o.UnitPrice >= 0 && o.UnitPrice <= math.MaxFloat64) {
		bad("unit price %v: not a number from 0", o.UnitPrice)
	}
	if o.InStock > Yes {
		bad("in stock: no such value: %d", o.InStock)
	}
	if int(o.SaleCondition) >= len(SaleConditions) {
		bad("no such sale condition: %d", o.SaleCondition)
	}
	if int(o.RegularSource) >= len(RegularSources) {
		bad("no such source of a regular price: %d", o.RegularSource)
	}
	if o.Verdict > Quarantined {
		bad("no such verdict: %s", o.Verdict)
	}
	return errors.Join(wrong...)
}

// TakeShelf sets Effective from Shelf, the price at the till of a pack of a product, whose
// size is read from PackageSize:
//
//	Effective = Shelf * StandardSize / size   (sold by package)
//	Effective = Shelf * 1000 g / size         (sold by the kilogram; without a size, Shelf)
//
// rounded to four decimals, halves up. Regular and Sale, which are of the same pack, are divided
// too. The error says why there is no size to divide by; then the row stays as it was.
func (o *Observation) TakeShelf(p *basket.Product) error {
	basis, unit := p.StandardSize, p.Unit
	if p.PerKg() {
		basis, unit = 1000, basket.Gram
	}
	size := basis
	if o.PackageSize != "" || !p.PerKg() {
		s, err := basket.ParseSize(o.PackageSize)
		read, ok := s.In(unit)
		switch {
		case err != nil:
			return fmt.Errorf("there is no size to divide it by: %w", err)
		case !ok || s.Approximate || s.PerWeight && !p.PerKg():
			return fmt.Errorf("there is no size to divide it by: %q is not an exact size in %s", o.PackageSize, unit)
		}
		size = read
	}
	divided := *o
	for _, price := range []*Price{&divided.Shelf, &divided.Regular, &divided.Sale} {
		if *price == 0 {
			continue
		}
		units := price.Decimal().Mul(decimal.NewFromFloat(basis)).DivRound(decimal.NewFromFloat(size), PriceDecimals).
			Shift(PriceDecimals).BigInt()
		if p := Price(units.Int64()); !units.IsInt64() || !p.Valid() {
			return fmt.Errorf("%s for %q is out of range on the product's basis", price, o.PackageSize)
		}
		*price = Price(units.Int64())
	}
	divided.Effective, divided.Shelf = divided.Shelf, 0
	*o = divided
	return nil
}

// Verdict is the quality gate's judgement of one observation. It comes with the
// row. The panel applies and counts it.
type Verdict uint8

// The verdicts. Only Pass counts in the index.
const (
	Pass          Verdict = iota
	FailsIdentity         // title or size does not fit the product's spec
	Quarantined           // an entry names its listing, its store or the row
)

var verdicts = enum.New("Verdict", Pass, "pass", "identity", "quarantine")

// String returns pass, identity or quarantine.
func (v Verdict) String() string { return verdicts.String(v) }

// PilotRow is one published row of the frozen pilot series (v1) of March to June
// 2026. It is served as it was published, never recomputed and never spliced to
// the current series.
type PilotRow struct {
	Date       Week
	City       string // slug; empty on national rows
	Banner     string // key; empty on national and city rows
	Category   string // slug; empty for the headline
	IndexValue Fixed  // never null
	BasketCost Fixed
	WoW, MoM   Fixed
	ItemCount  int // -1: null
	TotalItems int // -1: null
}

// Level returns the level that a pilot row's place implies: national, city or
// banner.
func (r *PilotRow) Level() string {
	switch {
	case r.Banner != "":
		return "banner"
	case r.City != "":
		return "city"
	}
	return "national"
}

// ShrinkEvent is one recorded change of a listing to a smaller pack. Package
// shrink derives its grade.
type ShrinkEvent struct {
	ID                 int64
	Listing            int64   // id of the Listing
	OldPackageSize     string  // as scraped
	NewPackageSize     string  // as scraped
	OldSize            float64 // in SizeUnit; 0: unknown
	NewSize            float64 // in SizeUnit; 0: unknown
	SizeUnit           string  // empty: unknown
	PctSizeChange      Fixed
	OldUnitPrice       float64 // 0: unknown
	NewUnitPrice       float64 // 0: unknown
	PctUnitPriceChange Fixed
	ShelfPrice         Price // at the change; 0: unknown
	DetectedAt         time.Time
	Observations       []int64 // ids of the rows that show it; empty: not recorded
	Detected           bool    // import detected it in the snapshot's rows, and detects it anew; else a file gave it
}

// maxRegular bounds a regular price, in effective prices.
const maxRegular = 4

// RestateRegular applies the regular-price rule. A regular price below the
// effective price, or above four times it, is a slip of the store's page, and so
// is the sale. Then the regular price becomes the effective price, and the row
// is not on sale. Rows of a verified banner stay as they are, because they were
// reviewed.
//
// Readers of rows call it: the prices endpoint and shopper comparisons. Stored
// rows stay as collected, and the effective price never changes.
func (o *Observation) RestateRegular(verified bool) {
	if verified || o.Regular == 0 || o.Regular >= o.Effective && o.Regular <= maxRegular*o.Effective {
		return
	}
	o.Regular, o.Sale, o.OnSale = o.Effective, 0, false
	o.SaleEndsOn, o.SaleCondition = 0, NoCondition
}

// basisUnavailable reports whether a promotion's detail says that the regular price
// is on an unknown basis. Imports refuse a detail that does not parse.
func basisUnavailable(detail string) bool {
	var d struct {
		Unavailable bool `json:"regularPriceBasisUnavailable"`
	}
	return json.Unmarshal([]byte(detail), &d) == nil && d.Unavailable
}
