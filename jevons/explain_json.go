package jevons

import "encoding/json"

// MarshalJSON writes the row with the members of Columns, its level, and both
// decompositions. "week_over_week" is null when the row has no such change. "method" is
// there only for another method than the published one.
func (e *Explanation) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Method    string          `json:"method,omitempty"`
		Row       json.RawMessage `json:"row"`
		Level     string          `json:"level"`
		SinceBase Decomposition   `json:"since_base"`
		WoW       *Decomposition  `json:"week_over_week"`
	}{e.Method, AppendJSON(nil, &e.Row, columns), e.Row.Cell.Level.String(), e.SinceBase, e.WoW})
}

// MarshalJSON writes the week that the change is counted from, the change in
// percent, and the products.
func (d Decomposition) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		From     string         `json:"from"`
		Change   float64        `json:"change_pct"`
		Products []Contribution `json:"products"`
	}{d.From.String(), d.Change, d.Products})
}

// MarshalJSON writes the product's id, name, category and basket weight beside the
// numbers. A relative that is not matched is null.
func (c Contribution) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ProductID    int         `json:"product_id"`
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
	}{
		c.Product.ID, c.Product.Name, c.Product.Category.String(), c.Product.Weight, orNull(c.Before), orNull(c.Relative),
		c.Share, c.Stores, c.Trimmed, c.Points, json.Number(c.Rounded.String()),
	})
}

// orNull turns a relative of 0, "not matched", into null.
func orNull(relative float64) *float64 {
	if relative == 0 {
		return nil
	}
	return &relative
}
