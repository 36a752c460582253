package jevons

import (
	"encoding/json"
	"errors"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// ReadJSON reads a row of the index as AppendJSON writes it, with all its digits. A member
// that is absent is null, and a member that Columns lacks is left out: Base is 0 and Extra nil.
// The cell is the row's own. The error says which value is wrong.
func ReadJSON(text []byte) (Row, error) {
	x := struct {
		Date, City, Retailer, Category string
		Index                          fixed `json:"index_value"`
		Cost                           fixed `json:"basket_cost_cad"`
		WoW                            fixed `json:"pct_change_wow"`
		MoM                            fixed `json:"pct_change_mom"`
		YoY                            fixed `json:"pct_change_yoy"`
		Items                          int32 `json:"item_count"`
		Total                          int32 `json:"total_items"`
	}{Items: -1, Total: -1} // which null leaves as they are
	if err := json.Unmarshal(text, &x); err != nil {
		return Row{}, err
	}
	week, err := panel.ParseWeek(x.Date)
	cell := &Cell{National, x.City, x.Retailer, basket.Overall}
	switch {
	case x.Retailer != "":
		cell.Level = Banner
	case x.City != "":
		cell.Level = City
	}
	if err == nil && x.Category != "" {
		cell.Category, err = basket.ParseCategory(x.Category)
	}
	if err == nil && !x.Index.Valid {
		err = errors.New("index_value is missing")
	}
	return Row{
		Week: week, Cell: cell, Index: x.Index.Fixed, BasketCost: x.Cost.Fixed, WoW: x.WoW.Fixed, MoM: x.MoM.Fixed, YoY: x.YoY.Fixed,
		ItemCount: x.Items, TotalItems: x.Total,
	}, err
}

// fixed is a number in JSON, or null.
type fixed struct{ panel.Fixed }

// UnmarshalJSON implements json.Unmarshaler.
func (f *fixed) UnmarshalJSON(text []byte) (err error) {
	if string(text) != "null" {
		f.Fixed, err = panel.ParseFixed(string(text))
	}
	return err
}
