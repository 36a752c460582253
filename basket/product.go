package basket

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/larder-index/larder/internal/enum"
)

// Unit is the unit of a product's standard size.
type Unit uint8

// The three units.
const (
	Gram       Unit = iota + 1 // g
	Millilitre                 // mL
	Count                      // unit: pieces
)

var units = enum.New("unit", Gram, "g", "mL", "unit")

// String returns the unit as files and the API write it: g, mL or unit.
func (u Unit) String() string { return units.String(u) }

// ParseUnit reads g, mL or unit, as written here.
func ParseUnit(s string) (Unit, error) { return units.Parse(s) }

// UnmarshalText reads the text as ParseUnit does.
func (u *Unit) UnmarshalText(text []byte) error { return units.UnmarshalText(u, text) }

// SoldBy says how a product is sold: its prices are per standard size or per
// kilogram.
type SoldBy uint8

// The two ways of selling.
const (
	ByPackage  SoldBy = iota + 1 // whole packages; a price is that of the standard size
	ByKilogram                   // by weight; a price is that of one kilogram
)

var soldBy = enum.New("sold_by", ByPackage, "package", "kg")

// String returns package or kg.
func (s SoldBy) String() string { return soldBy.String(s) }

// ParseSoldBy reads package or kg.
func ParseSoldBy(s string) (SoldBy, error) { return soldBy.Parse(s) }

// UnmarshalText reads the text as ParseSoldBy does.
func (s *SoldBy) UnmarshalText(text []byte) error { return soldBy.UnmarshalText(s, text) }

// MaxID is the largest id of a product, up to which every reader of JSON has whole numbers exactly.
const MaxID = 1<<53 - 1

// Product is one canonical item of the basket, whatever a shop calls it.
type Product struct {
	ID           int64    // 1 to MaxID, unique in a basket; 1 to 50 in Canada's
	Name         string   // English, independent of any banner
	NameFr       string   // French; empty if none
	Aliases      []string // other words that a shopper may use; no "|" in them
	Category     string   // slug of one of the basket's Categories
	Subcategory  string   // empty if none
	StandardSize float64  // the pack size that prices are normalized to, in Unit
	Unit         Unit
	Weight       float64 // raw relative importance, at least 0; normalized wherever it is used
	SoldBy       SoldBy
	Active       bool // an inactive product is in no index, list or count

	// What maps offers in a publisher's files to the item, whatever their titles.
	OfficialCodes []string // of an office's categories, as its files write them; no "|" in them
	GTINs         []GTIN
}

// PerKg reports whether the product is sold by weight.
func (p Product) PerKg() bool { return p.SoldBy == ByKilogram }

// Validate returns an error that lists everything wrong with the product, or
// nil.
func (p Product) Validate() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if p.ID <= 0 {
		bad("id %d is not above 0", p.ID)
	}
	if p.ID > MaxID {
		bad("id %d is above %d: readers of JSON round larger numbers", p.ID, int64(MaxID))
	}
	if p.Name == "" {
		bad("name is empty")
	}
	if p.Category == "" {
		bad("category is empty")
	}
	if !positive(p.StandardSize) {
		bad("standard_size %v is not a number above 0", p.StandardSize)
	}
	if !units.Has(p.Unit) {
		bad("unit is not one of %s", strings.Join(units.List(), ", "))
	}
	if !positive(p.Weight) && p.Weight != 0 {
		bad("basket_weight %v is not a number of at least 0", p.Weight)
	}
	if !soldBy.Has(p.SoldBy) {
		bad("sold_by is not one of %s", strings.Join(soldBy.List(), ", "))
	}
	for _, a := range p.Aliases {
		if a == "" || strings.Contains(a, "|") {
			bad("alias %q is empty or contains \"|\"", a)
		}
	}
	return errors.Join(errs...)
}

func positive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// Spec has the conditions under which a shop's title and pack size fit a product.
// Terms are whole words, or several words in a row, in lower case and without
// accents. Titles are folded in the same way before they are compared.
type Spec struct {
	ProductID int64
	Require   [][]string // every group must be met, by any one of its terms
	Forbid    []string   // a title with one of these terms does not fit
	MinSize   float64    // in the product's unit, included; 0: no bound
	MaxSize   float64    // in the product's unit, included; 0: no bound
}
