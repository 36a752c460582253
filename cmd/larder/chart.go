package main

import (
	"fmt"
	"image/color"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// chart is a line chart of index series, each line named at its end.
type chart struct {
	title, yLabel, source string
	lines                 []line
	mixed                 bool // headlines with different entry weeks
}

type line struct {
	name     string
	weeks    []panel.Week
	levels   []float64
	headline bool // drawn heavier
}

// maxLines is how many lines can still be told apart.
const maxLines = 16

// colors are those of Okabe and Ito, which colour-blind readers can tell
// apart; from the ninth line on they come again, dashed.
var colors = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x22, 0x22, 0x22, 0xff}, {0x8c, 0x6d, 0x31, 0xff},
}

// newChart lays out the chosen rows of the table.
func newChart(table *jevons.Table, rows []jevons.Row) (*chart, error) {
	groups := seriesOf(rows)
	switch {
	case len(groups) == 0:
		return nil, fmt.Errorf("nothing to draw: no published row matches")
	case len(groups) > maxLines:
		return nil, usagef("%d series match, and a chart can show %d; choose with --level, --category, --city or --banner", len(groups), maxLines)
	}
	c := &chart{}
	same := commonCell(groups)
	bases := map[panel.Week]bool{}
	for _, g := range groups {
		cell := *g[0].Cell
		l := line{name: lineName(cell, same), headline: cell.Category == basket.Overall && !same.category}
		for _, r := range g {
			l.weeks = append(l.weeks, r.Week)
			l.levels = append(l.levels, r.Index.Float64())
		}
		c.lines = append(c.lines, l)
		bases[table.Base(cell)] = true
	}
	c.mixed = len(bases) > 1
	c.title = "Grocery price index: " + titleOf(same, groups)
	base := table.Base(*groups[0][0].Cell)
	switch {
	case base == 0:
		c.title += " (pilot series v1)"
		c.yLabel = "Index, pilot basis"
	case c.mixed:
		c.yLabel = "Index, each series' entry week = 100 (levels do not compare)"
	default:
		c.yLabel = fmt.Sprintf("Index, week ending %s = 100", base)
	}
	return c, nil
}

// seriesOf groups rows by cell, in the order that the cells first appear.
func seriesOf(rows []jevons.Row) [][]jevons.Row {
	at := map[jevons.Cell]int{}
	var all [][]jevons.Row
	for _, r := range rows {
		i, ok := at[*r.Cell]
		if !ok {
			i = len(all)
			at[*r.Cell] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], r)
	}
	return all
}

// period returns the first and the last week of any line.
func (c *chart) period() (first, last panel.Week) {
	first, last = c.lines[0].weeks[0], c.lines[0].weeks[0]
	for _, l := range c.lines {
		first, last = min(first, l.weeks[0]), max(last, l.weeks[len(l.weeks)-1])
	}
	return first, last
}
