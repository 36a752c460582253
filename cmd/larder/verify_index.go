package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// figures are the columns with numbers, in the order they are shown: the level,
// the counts behind it, then the rest.
var figures = func() []jevons.Column {
	rank := func(c jevons.Column) int {
		switch {
		case c.Name == jevons.IndexValue:
			return 0
		case c.Decimals == 0:
			return 1
		}
		return 2
	}
	list := slices.DeleteFunc(jevons.Columns(), func(c jevons.Column) bool { return c.Number == nil })
	slices.SortStableFunc(list, func(a, b jevons.Column) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}()

// figure returns the place of a column in figures.
func figure(name string) int {
	return slices.IndexFunc(figures, func(c jevons.Column) bool { return c.Name == name })
}

// published is what a page says of a figure; the public index has no
// pct_change_yoy.
type published struct {
	value panel.Fixed
	given bool
}

// indexRow is a row of the index, as published.
type indexRow struct {
	week    panel.Week
	cell    jevons.Cell
	figures []published // as figures
}

// indexJSON is a row of /api/v1/index or /api/public/index.
type indexJSON struct {
	Date     string  `json:"date"`
	City     string  `json:"city"`
	Banner   string  `json:"retailer"`
	Category *string `json:"category"`
	figures  []json.RawMessage
}

func (r *indexJSON) UnmarshalJSON(text []byte) error {
	type names indexJSON
	if err := json.Unmarshal(text, (*names)(r)); err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for _, c := range figures {
		r.figures = append(r.figures, members[c.Name])
	}
	return nil
}

func (r *indexJSON) row() (row indexRow, err error) {
	var errs []error
	if row.week, err = panel.ParseWeek(r.Date); err != nil {
		errs = append(errs, err)
	}
	row.cell = jevons.Cell{Level: levelOf(r.City, r.Banner), City: r.City, Banner: r.Banner}
	if r.Category != nil {
		if row.cell.Category, err = basket.ParseCategory(*r.Category); err != nil {
			errs = append(errs, err)
		}
	}
	row.figures = make([]published, len(figures))
	for i, raw := range r.figures {
		text := string(raw)
		if raw == nil && figures[i].Name == jevons.ChangeYoY {
			continue
		}
		if text == "null" {
			text = ""
		}
		value, err := panel.ParseFixed(text)
		if err == nil && raw == nil || figures[i].Name == jevons.IndexValue && !value.Valid {
			err = errors.New("it is missing")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", figures[i].Name, err))
		}
		row.figures[i] = published{value, true}
	}
	return row, errors.Join(errs...)
}

// levelOf returns the level of the cells of a city and banner, either of which
// may be none.
func levelOf(city, banner string) jevons.Level {
	switch {
	case banner != "":
		return jevons.Banner
	case city != "":
		return jevons.City
	}
	return jevons.National
}

// addIndex puts the pages of the index together.
func (d *downloads) addIndex(pages []*page) (err error) {
	if d.index, err = queriesOf(pages); err != nil {
		return err
	}
	type name struct {
		week, cell any
	}
	seen := map[name]int{}
	for _, p := range pages {
		if p.meta.Series != "v2" {
			return fmt.Errorf("%s: it is of series %q, whose prices are not published; v2 can be recomputed", p.file, p.meta.Series)
		}
		for _, r := range p.index {
			at, again := seen[name{r.week, r.cell}]
			if !again {
				seen[name{r.week, r.cell}] = len(d.indexRows)
				d.indexRows = append(d.indexRows, r)
				continue
			}
			if err := d.indexRows[at].join(&r); err != nil {
				return fmt.Errorf("%s: %s, week %s: %w", p.file, r.cell, r.week, err)
			}
		}
	}
	return nil
}

// join adds what another page says of the same row, if the two agree.
func (r *indexRow) join(s *indexRow) error {
	for i := range r.figures {
		a, b := &r.figures[i], s.figures[i]
		if a.given && b.given && *a != b {
			return fmt.Errorf("%s differs between two of the pages: the data changed between the downloads; download all pages again", figures[i].Name)
		}
		if b.given {
			*a = b
		}
	}
	return nil
}
