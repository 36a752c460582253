package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Published is the figures that were published of a cell in a week, by the names
// of their columns in table.Columns. An empty one says that no row was published;
// nil says that nothing is known.
type Published map[string]panel.Fixed

// columns are the numbers of an index row: the level, the counts, then the others.
var columns = numbers()

func numbers() []table.Column {
	list := slices.DeleteFunc(table.Columns(), func(c table.Column) bool { return c.Number == nil })
	rank := func(c table.Column) int {
		return slices.Index([]string{table.TotalItems, table.ItemCount, table.IndexValue}, c.Name)
	}
	slices.SortStableFunc(list, func(a, b table.Column) int { return rank(b) - rank(a) })
	return list
}

// optional reports whether rows may lack the column: those of the public index do.
func optional(c table.Column) bool {
	return !slices.ContainsFunc(table.PublicColumns(), func(x table.Column) bool { return x.Name == c.Name })
}

// indexRow is one published row.
type indexRow struct {
	rowKey
	figures Published
}

// indexJSON is a row of /api/v1/index or /api/public/index.
type indexJSON struct {
	Date     string  `json:"date"`
	City     string  `json:"city"`
	Banner   string  `json:"retailer"`
	Category *string `json:"category"`
	members  map[string]json.RawMessage
}

// UnmarshalJSON keeps the numbers as they are written.
func (r *indexJSON) UnmarshalJSON(text []byte) error {
	type labels indexJSON
	return errors.Join(json.Unmarshal(text, (*labels)(r)), json.Unmarshal(text, &r.members))
}

func (r *indexJSON) row() (row indexRow, err error) {
	var errs []error
	if row.week, err = panel.ParseWeek(r.Date); err != nil {
		errs = append(errs, err)
	}
	row.cell = jevons.Cell{Level: LevelOf(r.City, r.Banner), City: r.City, Banner: r.Banner}
	if r.Category != nil {
		if row.cell.Category, err = basket.ParseCategory(*r.Category); err != nil {
			errs = append(errs, err)
		}
	}
	row.figures = Published{}
	for _, c := range columns {
		raw, ok := r.members[c.Name]
		if !ok && optional(c) {
			continue
		}
		text := string(raw)
		if text == "null" {
			text = ""
		}
		value, err := panel.ParseFixed(text)
		if err == nil && (!ok || c.Name == table.IndexValue && !value.Valid) {
			err = errors.New("it is missing")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Name, err))
		}
		row.figures[c.Name] = value
	}
	return row, errors.Join(errs...)
}

// LevelOf returns the level of the cells of a city and a banner. Either may be
// empty, for all of them.
func LevelOf(city, banner string) jevons.Level {
	switch {
	case banner != "":
		return jevons.Banner
	case city != "":
		return jevons.City
	}
	return jevons.National
}

// Published returns what the pages of the index say about a cell in a week. It is
// empty when they cover the cell and hold no row of it. When they do not cover the
// cell, the error is a MissingError.
func (e *Evidence) Published(week panel.Week, cell jevons.Cell) (Published, error) {
	if figures := e.published[rowKey{week, cell}]; figures != nil {
		return figures, nil
	}
	for _, q := range e.index {
		if q.reaches(week.Date()) && q.chooses("city", cell.City) && q.chooses("banner", cell.Banner) &&
			q.chooses("level", cell.Level.String()) && q.chooses("category", cell.Category.String()) {
			return Published{}, q.whole()
		}
	}
	v := url.Values{"from": {week.String()}, "to": {week.String()}, "level": {cell.Level.String()}, "category": {cell.Category.String()}}
	address := IndexEndpoint + "?" + place{cell.City, cell.Banner}.add(v).Encode()
	return nil, missing(address, "%s, week %s is in none of the pages of the index; download %s for it", cell, week, address)
}
