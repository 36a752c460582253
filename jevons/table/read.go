package table

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// ReadJSON reads a row of the index as AppendJSON writes it, with all its digits. A member
// that is absent is null, and a member that Columns lacks is left out: Base is 0 and Extra nil.
// The cell is the row's own. The error says which value is wrong.
func ReadJSON(text []byte) (jevons.Row, error) {
	var key struct{ Date, City, Retailer, Category string }
	var members map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(text, &key), json.Unmarshal(text, &members)); err != nil {
		return jevons.Row{}, err
	}
	week, err := panel.ParseWeek(key.Date)
	errs := []error{err}
	cell := &jevons.Cell{Level: jevons.LevelOf(key.City, key.Retailer), City: key.City, Banner: key.Retailer}
	if key.Category != "" {
		cell.Category, err = basket.ParseCategory(key.Category)
		errs = append(errs, err)
	}
	r := jevons.Row{Week: week, Cell: cell}
	for i := range columns {
		c := &columns[i]
		if c.Set == nil {
			continue
		}
		var v panel.Fixed
		if text := string(members[c.Name]); text != "" && text != "null" {
			if v, err = panel.ParseFixed(text); err == nil && c.Decimals == 0 && v.Units%unitsPerOne != 0 {
				err = errors.New("it is no whole number")
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", c.Name, err))
			}
		}
		c.Set(&r, v)
	}
	if !r.Index.Valid {
		errs = append(errs, fmt.Errorf("%s is missing", IndexValue))
	}
	return r, errors.Join(errs...)
}
