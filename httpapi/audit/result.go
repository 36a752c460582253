package audit

import (
	"fmt"
	"math"
	"strings"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Result is the outcome of checking one cell in one week. Its JSON is what
// "larder verify --format json" prints.
type Result struct {
	Date      panel.Week           `json:"date"`
	City      wire.Text            `json:"city"`
	Retailer  wire.Text            `json:"retailer"`
	Category  wire.Text            `json:"category"`
	Level     string               `json:"level"`
	Match     *bool                `json:"matches"` // nil when there was nothing to compare with
	Reason    wire.Text            `json:"not_published"`
	Figures   []Figure             `json:"figures"` // of Row, the level first
	SinceBase *table.Decomposition `json:"since_base"`
	Stores    []StoreRelative      `json:"store_relatives"` // behind Row, by product id and then relative
	Sources   Sources              `json:"sources"`

	Row          *jevons.Row `json:"-"` // recomputed; nil when no row may be published
	NotPublished error       `json:"-"` // why there is no Row: it wraps jevons.ErrNotPublished
	Published    Published   `json:"-"` // nil when there was nothing to compare with
}

// Figure is one number of a row, recomputed and published, as the server writes it.
type Figure struct {
	Name       string      `json:"figure"`
	Recomputed wire.Number `json:"recomputed"`
	Published  wire.Number `json:"published"`
	Match      *bool       `json:"matches"` // nil unless both are known
	Needs      wire.Text   `json:"needs"`   // the prices that the pages lack for this figure, in words
	Given      bool        `json:"-"`       // Published is known; it may be null
}

// StoreRelative is the relative of one product at one store, as in
// jevons.StoreRelative.
type StoreRelative struct {
	ProductID int     `json:"product_id"`
	Product   string  `json:"-"` // name
	StoreID   int64   `json:"store_id"`
	Banner    string  `json:"banner"`               // key
	City      string  `json:"city"`                 // display name
	Listings  []int64 `json:"retailer_product_ids"` // matched
	Base      float64 `json:"base_price"`           // dollars in the cell's base week
	Price     float64 `json:"price"`                // dollars in the row's week
	Relative  float64 `json:"relative"`             // Price / Base
	Trimmed   bool    `json:"trimmed"`
}

// figure compares a number with what was published. needs says which prices it lacks.
func (r *Result) figure(c *table.Column, needs string) Figure {
	number := func(v panel.Fixed) wire.Number {
		if !v.Valid {
			return ""
		}
		return wire.Number(v.Append(nil, c.Decimals))
	}
	f := Figure{Name: c.Name, Needs: wire.Text(needs)}
	was, given := r.Published[c.Name]
	f.Given, f.Published = given, number(was)
	if now := c.Number(r.Row); needs == "" {
		f.Recomputed = number(now)
		if given {
			f.Match = new(now == was)
		}
	}
	return f
}

// Matches reports whether something was published, and everything that could be
// compared is as published.
func (r *Result) Matches() bool {
	if r.Row == nil || len(r.Published) == 0 {
		return r.Row == nil && r.Published != nil && len(r.Published) == 0
	}
	return len(r.differing()) == 0
}

// differing names the figures that were compared and differ.
func (r *Result) differing() (names []string) {
	for _, f := range r.Figures {
		if f.Match != nil && !*f.Match {
			names = append(names, f.Name)
		}
	}
	return names
}

// Verdict says in words whether the cell matches.
func (r *Result) Verdict() string {
	switch row := r.Row; {
	case row == nil && r.Published == nil:
		return r.NotPublished.Error()
	case r.Published == nil:
		return fmt.Sprintf("index %s, %d of %d products; nothing was given to compare with", row.Index, row.ItemCount, row.TotalItems)
	case row == nil && len(r.Published) == 0:
		return "matches: no row is published, and none may be\n" + r.NotPublished.Error()
	case row == nil:
		return fmt.Sprintf("DOES NOT MATCH: %s is published, and no row may be\n%s", r.Published[table.IndexValue], r.NotPublished)
	case len(r.Published) == 0:
		return fmt.Sprintf("DOES NOT MATCH: index %s is recomputed, and no row is published", row.Index)
	case !r.Matches():
		return "DOES NOT MATCH in " + strings.Join(r.differing(), ", ")
	default:
		return fmt.Sprintf("matches: index %s, %d of %d products", row.Index, row.ItemCount, row.TotalItems)
	}
}

// Kept returns the range of a product's store relatives that were not trimmed, by
// the product's id. Without any, low is +Inf and high is -Inf.
func (r *Result) Kept(product int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range r.Stores {
		if s.ProductID == product && !s.Trimmed {
			low, high = min(low, s.Relative), max(high, s.Relative)
		}
	}
	return low, high
}
