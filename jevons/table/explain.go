package table

import (
	"encoding/json"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Explanation is one that can be written as JSON.
type Explanation struct {
	*jevons.Explanation
	About *panel.About // of the panel
}

// MarshalJSON writes the row with the members of Columns, its level, and both
// decompositions. "week_over_week" is null when the row has no such change. "method" is
// there only for another method than the published one.
func (e Explanation) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Method    string          `json:"method,omitempty"`
		Row       json.RawMessage `json:"row"`
		Level     string          `json:"level"`
		SinceBase *decomposition  `json:"since_base"`
		WoW       *decomposition  `json:"week_over_week"`
	}{
		e.Method, AppendJSON(nil, &e.Row, Columns(e.About)), e.Row.Cell.Level.String(),
		decompositionOf(&e.Since), decompositionOf(e.WoW),
	})
}

type decomposition struct {
	From     string         `json:"from"`
	Change   float64        `json:"change_pct"`
	Products []contribution `json:"products"`
}

// contribution has a null relative where the product is not matched.
type contribution struct {
	ProductID    int64       `json:"product_id"`
	Name         string      `json:"name"`
	Category     string      `json:"category"`
	BasketWeight float64     `json:"basket_weight"`
	Before       *float64    `json:"relative_before"`
	Relative     *float64    `json:"relative"`
	Share        float64     `json:"weight"`
	Stores       int         `json:"stores"`
	Trimmed      int         `json:"trimmed"`
	Points       float64     `json:"contribution_pp"`
	Rounded      json.Number `json:"contribution_pp_rounded"`
}

func decompositionOf(d *jevons.Decomposition) *decomposition {
	if d == nil {
		return nil
	}
	x := &decomposition{From: d.From.String(), Change: d.Change}
	for i := range d.Products {
		c := &d.Products[i]
		x.Products = append(x.Products, contribution{
			c.Product.ID, c.Product.Name, c.Product.Category, c.Product.Weight,
			orNull(c.Before), orNull(c.Relative), c.Share, c.Stores, c.Trimmed, c.Points,
			json.Number(c.Rounded.String()),
		})
	}
	return x
}

// CoverageCell is one that can be written as JSON.
type CoverageCell struct{ jevons.CoverageCell }

// MarshalJSON writes date, city, retailer, category, published, reason, item_count,
// total_items and unmatched. The reason of a published cell is null.
func (x CoverageCell) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Date      panel.Week `json:"date"`
		City      *string    `json:"city"`
		Retailer  *string    `json:"retailer"`
		Category  *string    `json:"category"`
		Published bool       `json:"published"`
		Why       *string    `json:"reason"`
		jevons.CoverageCell
	}{
		x.Week, orNull(x.Cell.City), orNull(x.Cell.Banner), orNull(x.Cell.Category.Slug()),
		x.Reason == "", orNull(x.Reason), x.CoverageCell,
	})
}

func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
