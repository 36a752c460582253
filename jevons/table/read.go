package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// ReadJSON reads a row of the index as AppendJSON writes it, with all its digits. A member
// that is absent is null, and a member that Columns lacks is left out: Base is 0 and Extra nil.
// The cell is the row's own. The error says which value is wrong.
func ReadJSON(text []byte) (jevons.Row, error) {
	var members map[string]json.RawMessage
	errs := []error{json.Unmarshal(text, &members)}
	texts := map[string]string{}
	for _, c := range columns {
		switch text := ""; {
		case len(members[c.Name]) == 0 || string(members[c.Name]) == "null":
		case c.Number != nil:
			texts[c.Name] = string(members[c.Name])
		default:
			errs = append(errs, json.Unmarshal(members[c.Name], &text))
			texts[c.Name] = text
		}
	}
	if err := errors.Join(errs...); err != nil {
		return jevons.Row{}, err
	}
	return Read(texts)
}

// Read reads a row from the texts of Columns by their names, as ReadJSON does, and of
// IntervalColumns. The empty text is null.
func Read(texts map[string]string) (jevons.Row, error) {
	week, err := panel.ParseWeek(texts["date"])
	errs := []error{err}
	cell := &jevons.Cell{Level: jevons.LevelOf(texts["city"], texts["retailer"]), City: texts["city"], Banner: texts["retailer"]}
	if text := texts["category"]; text != "" {
		cell.Category, err = basket.ParseCategory(text)
		errs = append(errs, err)
	}
	r := jevons.Row{Week: week, Cell: cell}
	for _, c := range slices.Concat(columns, intervalColumns) {
		if c.Set == nil {
			continue
		}
		v, err := panel.ParseFixed(texts[c.Name])
		if err == nil && c.Decimals == 0 && v.Units%unitsPerOne != 0 {
			err = errors.New("it is no whole number")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Name, err))
		}
		c.Set(&r, v)
	}
	if !r.Index.Valid {
		errs = append(errs, fmt.Errorf("%s is missing", IndexValue))
	}
	return r, errors.Join(errs...)
}
