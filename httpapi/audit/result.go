package audit

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Result is the outcome of checking one cell in one week. MarshalJSON writes it as
// "larder verify --format json" prints it.
type Result struct {
	Cell         jevons.Cell
	Week         panel.Week
	Row          *jevons.Row           // recomputed; nil when no row may be published
	NotPublished error                 // why there is no Row: it wraps jevons.ErrNotPublished
	Published    Published             // nil when there was nothing to compare with
	Figures      []Figure              // of Row, the level first
	SinceBase    *jevons.Decomposition // of Row
	Stores       []StoreRelative       // behind Row, by product id and then relative
	Sources      Sources
	Warnings     []panel.Warning
}

// Figure is one number of a row, recomputed and published.
type Figure struct {
	Column     table.Column
	Recomputed panel.Fixed // not to be used when Needs is set
	Published  panel.Fixed
	Given      bool   // Published is known; it may be null
	Needs      string // the prices that the pages lack for this figure, in words
}

// Compared reports whether the figure could be compared.
func (f *Figure) Compared() bool { return f.Needs == "" && f.Given }

// Matches reports whether both numbers are equal.
func (f *Figure) Matches() bool { return f.Recomputed == f.Published }

// Text writes a number as the server writes those of this figure.
func (f *Figure) Text(number panel.Fixed) string {
	return string(number.Append(nil, f.Column.Decimals))
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
		if f.Compared() && !f.Matches() {
			names = append(names, f.Column.Name)
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

// MarshalJSON writes the result as one object. "matches" is null when there was
// nothing to compare with.
func (r *Result) MarshalJSON() ([]byte, error) {
	body := struct {
		Date      panel.Week            `json:"date"`
		City      wire.Text             `json:"city"`
		Retailer  wire.Text             `json:"retailer"`
		Category  wire.Text             `json:"category"`
		Level     string                `json:"level"`
		Matches   *bool                 `json:"matches"`
		Reason    wire.Text             `json:"not_published"`
		Figures   []Figure              `json:"figures"`
		SinceBase *jevons.Decomposition `json:"since_base"`
		Stores    []StoreRelative       `json:"store_relatives"`
		Sources   Sources               `json:"sources"`
	}{
		Date: r.Week, City: wire.Text(r.Cell.City), Retailer: wire.Text(r.Cell.Banner), Level: r.Cell.Level.String(),
		Figures: r.Figures, SinceBase: r.SinceBase, Stores: r.Stores, Sources: r.Sources,
	}
	if r.Cell.Category != basket.Overall {
		body.Category = wire.Text(r.Cell.Category.String())
	}
	if r.Published != nil {
		body.Matches = new(r.Matches())
	}
	if r.NotPublished != nil {
		body.Reason = wire.Text(r.NotPublished.Error())
	}
	return json.Marshal(body)
}

// MarshalJSON writes the numbers with the figure's decimals. A number that is not
// known is null.
func (f Figure) MarshalJSON() ([]byte, error) {
	body := struct {
		Name       string          `json:"figure"`
		Recomputed json.RawMessage `json:"recomputed"`
		Published  json.RawMessage `json:"published"`
		Matches    *bool           `json:"matches"`
		Needs      wire.Text       `json:"needs"`
	}{Name: f.Column.Name, Needs: wire.Text(f.Needs)}
	if f.Needs == "" {
		body.Recomputed = json.RawMessage(f.Text(f.Recomputed))
	}
	if f.Given {
		body.Published = json.RawMessage(f.Text(f.Published))
	}
	if f.Compared() {
		body.Matches = new(f.Matches())
	}
	return json.Marshal(body)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
