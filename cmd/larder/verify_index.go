package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// figure is one of the numbers of an index row.
type figure int

const (
	indexValue figure = iota
	itemCount
	totalItems
	basketCost
	changeWoW
	changeMoM
	changeYoY
	numFigures
)

// figureForms holds how the rows name them, and their decimals.
var figureForms = [numFigures]struct {
	name     string
	decimals int
}{
	{"index_value", 4}, {"item_count", 0}, {"total_items", 0}, {"basket_cost_cad", 2},
	{"pct_change_wow", 4}, {"pct_change_mom", 4}, {"pct_change_yoy", 4},
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
	figures [numFigures]published
}

// indexJSON is a row of /api/v1/index or /api/public/index.
type indexJSON struct {
	Date     string          `json:"date"`
	City     string          `json:"city"`
	Banner   string          `json:"retailer"`
	Category *string         `json:"category"`
	Index    json.RawMessage `json:"index_value"`
	Items    json.RawMessage `json:"item_count"`
	Total    json.RawMessage `json:"total_items"`
	Cost     json.RawMessage `json:"basket_cost_cad"`
	WoW      json.RawMessage `json:"pct_change_wow"`
	MoM      json.RawMessage `json:"pct_change_mom"`
	YoY      json.RawMessage `json:"pct_change_yoy"`
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
	for i, raw := range [numFigures]json.RawMessage{r.Index, r.Items, r.Total, r.Cost, r.WoW, r.MoM, r.YoY} {
		text := string(raw)
		if raw == nil && figure(i) == changeYoY {
			continue
		}
		if text == "null" {
			text = ""
		}
		value, err := panel.ParseFixed(text)
		if err == nil && raw == nil || figure(i) == indexValue && !value.Valid {
			err = errors.New("it is missing")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", figureForms[i].name, err))
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
			return fmt.Errorf("%s differs between two of the pages: the data changed between the downloads; download all pages again", figureForms[i].name)
		}
		if b.given {
			*a = b
		}
	}
	return nil
}
