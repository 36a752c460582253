package main

import (
	"encoding/json"
	"io"

	"github.com/larder-index/larder/basket"
)

// verificationJSON is what "larder verify --format json" prints. Matches is null
// when there was nothing to compare with.
type verificationJSON struct {
	Date      string             `json:"date"`
	City      *string            `json:"city"`
	Retailer  *string            `json:"retailer"`
	Category  *string            `json:"category"`
	Level     string             `json:"level"`
	Matches   *bool              `json:"matches"`
	Reason    *string            `json:"not_published"`
	Figures   []figureJSON       `json:"figures"`
	SinceBase *decompositionJSON `json:"since_base"`
	Stores    []storeJSON        `json:"store_relatives"`
	Sources   sourcesJSON        `json:"sources"`
}

// figureJSON is one figure; Needs says what the pages lack for it.
type figureJSON struct {
	Name       string          `json:"figure"`
	Recomputed json.RawMessage `json:"recomputed"`
	Published  json.RawMessage `json:"published"`
	Matches    *bool           `json:"matches"`
	Needs      *string         `json:"needs"`
}

type storeJSON struct {
	ProductID int     `json:"product_id"`
	StoreID   int64   `json:"store_id"`
	Banner    string  `json:"banner"`
	City      string  `json:"city"`
	Listings  []int64 `json:"retailer_product_ids"`
	Base      float64 `json:"base_price"`
	Price     float64 `json:"price"`
	Relative  float64 `json:"relative"`
	Trimmed   bool    `json:"trimmed"`
}

type sourcesJSON struct {
	Files    int    `json:"files"`
	Oldest   string `json:"oldest"`
	Newest   string `json:"newest"`
	Prices   int    `json:"prices"`
	Verified int    `json:"verified_left_out"`
	Gate     string `json:"gate_version"`
}

func (v *verification) printJSON(w io.Writer) error {
	body := verificationJSON{
		Date: v.week.String(), City: textOrNull(v.cell.City), Retailer: textOrNull(v.cell.Banner), Level: v.cell.Level.String(),
		Figures: []figureJSON{}, Stores: []storeJSON{},
		Sources: sourcesJSON{v.files, stamp(v.oldest), stamp(v.newest), len(v.rows), v.panel.Counts().OutsideIndex, v.gate},
	}
	if v.cell.Category != basket.Overall {
		body.Category = textOrNull(v.cell.Category.String())
	}
	if v.claim != nil {
		matches := v.matches()
		body.Matches = &matches
	}
	if v.row == nil {
		body.Reason = textOrNull(v.whyNot.Error())
	} else {
		since := decomposition(v.since)
		body.SinceBase = &since
		for f := range v.figures {
			body.Figures = append(body.Figures, v.figures[f].json(f))
		}
	}
	for i := range v.stores {
		s := &v.stores[i]
		body.Stores = append(body.Stores, storeJSON{
			s.Product.ID, s.Store.ID, s.Store.Banner, v.cityOf(s), s.Listings, s.Base, s.Price, s.Relative, s.Trimmed,
		})
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(body)
}

func (c *checked) json(f int) figureJSON {
	null := json.RawMessage("null")
	body := figureJSON{figures[f].Name, null, null, nil, textOrNull(c.needs)}
	if c.needs == "" {
		body.Recomputed = json.RawMessage(figureText(f, c.value))
	}
	if c.given {
		body.Published = json.RawMessage(figureText(f, c.published.value))
	}
	if c.compared() {
		matches := c.value == c.published.value
		body.Matches = &matches
	}
	return body
}

// textOrNull turns the empty text into null.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
