package table

import (
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Read reads a row of the index from the texts of Columns and of IntervalColumns by their names. Its category is one of
// a list. The empty text, and
// one that is absent, is null. Base is 0. The cell is the row's own. The error says which value is wrong.
func Read(about *panel.About, categories basket.Categories, texts map[string]string) (jevons.Row, error) {
	week, err := panel.ParseWeek(texts["date"])
	errs := []error{err}
	city, banner := texts["city"], texts["retailer"]
	cell := &jevons.Cell{Level: jevons.LevelOf(city, banner), City: city, Banner: banner}
	if text := texts["category"]; text != "" {
		cell.Category, err = categories.Parse(text)
		errs = append(errs, err)
	}
	r := jevons.Row{Week: week, Cell: cell}
	for _, c := range slices.Concat(Columns(about), intervalColumns) {
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
