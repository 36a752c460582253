package main

import (
	"encoding/json"
	"io"

	"github.com/larder-index/larder/jevons"
)

// explanationJSON is what "larder explain --format json" prints. Contributions
// are given in full, adding up to change_pct, and rounded, adding up to the
// published figure.
type explanationJSON struct {
	Row       json.RawMessage    `json:"row"`
	Level     string             `json:"level"`
	SinceBase decompositionJSON  `json:"since_base"`
	WoW       *decompositionJSON `json:"week_over_week"`
}

type decompositionJSON struct {
	From     string             `json:"from"`
	Change   float64            `json:"change_pct"`
	Products []contributionJSON `json:"products"`
}

type contributionJSON struct {
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
}

func printExplanationJSON(w io.Writer, e *jevons.Explanation) error {
	body := explanationJSON{
		Row:       jevons.AppendJSON(nil, &e.Row, jevons.Columns()),
		Level:     e.Row.Cell.Level.String(),
		SinceBase: decomposition(e.SinceBase),
	}
	if e.WoW != nil {
		d := decomposition(*e.WoW)
		body.WoW = &d
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(body)
}

func decomposition(d jevons.Decomposition) decompositionJSON {
	body := decompositionJSON{From: d.From.String(), Change: d.Change, Products: []contributionJSON{}}
	for _, c := range d.Products {
		body.Products = append(body.Products, contributionJSON{
			ProductID: c.Product.ID, Name: c.Product.Name, Category: c.Product.Category.String(),
			BasketWeight: c.Product.Weight, Before: orNull(c.Before), Relative: orNull(c.Relative),
			Share: c.Share, Stores: c.Stores, Trimmed: c.Trimmed,
			Points: c.Points, Rounded: json.Number(c.Rounded.String()),
		})
	}
	return body
}

// orNull turns a relative of 0, "not matched", into null.
func orNull(r float64) *float64 {
	if r == 0 {
		return nil
	}
	return &r
}
