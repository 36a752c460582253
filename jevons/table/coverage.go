package table

import (
	"encoding/json"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// CoverageCell is one that can be written as JSON.
type CoverageCell struct{ jevons.CoverageCell }

// MarshalJSON writes date, city, retailer, category, published, reason, item_count,
// total_items and unmatched. The reason of a published cell is null.
func (x CoverageCell) MarshalJSON() ([]byte, error) {
	category := ""
	if x.Cell.Category != basket.Overall {
		category = x.Cell.Category.String()
	}
	return json.Marshal(struct {
		Date       panel.Week         `json:"date"`
		City       *string            `json:"city"`
		Retailer   *string            `json:"retailer"`
		Category   *string            `json:"category"`
		Published  bool               `json:"published"`
		Reason     *string            `json:"reason"`
		ItemCount  int                `json:"item_count"`
		TotalItems int                `json:"total_items"`
		Unmatched  []jevons.Unmatched `json:"unmatched"`
	}{
		x.Week, orNull(x.Cell.City), orNull(x.Cell.Banner), orNull(category), x.Reason == "", orNull(x.Reason),
		x.ItemCount, x.TotalItems, append([]jevons.Unmatched{}, x.Unmatched...),
	})
}
