// Package chart draws series of the index as a line chart.
package chart

import (
	"errors"
	"fmt"
	"image/color"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Chart is a line chart of index series. Each line has its name at its end.
type Chart struct {
	Title  string
	Source string   // below the chart
	Notice string   // a line above Source; or empty
	Notes  []string // lines above Notice: what the reader must know about the figures
	Mixed  bool     // the series have different entry weeks, so their levels do not compare

	yLabel string
	lines  []line
}

type line struct {
	name     string
	weeks    []panel.Week
	levels   []float64
	band     []interval // by week; nil: none is drawn
	headline bool       // drawn heavier
}

// interval is the 95% interval of a level. NaN: the row has no interval.
type interval struct{ low, high float64 }

// MaxLines is the largest number of lines that a reader can tell apart.
const MaxLines = 16

// mostBands is the largest number of lines whose intervals are drawn.
const mostBands = 4

// Errors of New and Draw.
var (
	ErrEmpty     = errors.New("nothing to draw: no published row matches")
	ErrTooMany   = fmt.Errorf("chart: more than %d series", MaxLines)
	ErrLongTitle = errors.New("chart: the title does not fit")
)

// colors are those of Okabe and Ito: colour-blind readers can tell them apart.
// They are used again from the ninth line on, dashed.
var colors = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x22, 0x22, 0x22, 0xff}, {0x8c, 0x6d, 0x31, 0xff},
}

// New lays out the chosen rows of a table, one line for each series, and gives
// the chart a title and notes. Few lines of rows with Quality have their intervals
// as bands. It fails with ErrEmpty or, beside the number of series, with
// ErrTooMany.
func New(table *jevons.Table, rows []jevons.Row) (c *Chart, series int, err error) {
	groups := seriesOf(rows)
	switch {
	case len(groups) == 0:
		return nil, 0, ErrEmpty
	case len(groups) > MaxLines:
		return nil, len(groups), ErrTooMany
	}
	c = &Chart{}
	same := commonCell(groups)
	bases := map[panel.Week]bool{}
	for _, g := range groups {
		cell := *g[0].Cell
		l := line{name: lineName(cell, same), headline: cell.Category == basket.Overall && !same.category}
		for _, r := range g {
			l.weeks = append(l.weeks, r.Week)
			l.levels = append(l.levels, r.Index.Float64())
			if r.Extra != nil && len(groups) <= mostBands {
				l.band = append(l.band, interval{r.Extra.Quality.Low.Float64(), r.Extra.Quality.High.Float64()})
			}
		}
		c.lines = append(c.lines, l)
		bases[table.Base(cell)] = true
	}
	if c.lines[0].band != nil {
		c.Notes = append(c.Notes, "Bands: 95% intervals over the choice of products; not over stores, and not seasons.")
	}
	if method := table.Options.Method(); method != "" {
		c.Notes = append(c.Notes, "Not the published method: "+method+".")
	}
	c.Mixed = len(bases) > 1
	c.Title = "Grocery price index: " + titleOf(same, groups)
	base := table.Base(*groups[0][0].Cell)
	switch {
	case base == 0:
		c.Title += " (pilot series v1)"
		c.yLabel = "Index, pilot basis"
	case c.Mixed:
		c.yLabel = "Index, each series' entry week = 100 (levels do not compare)"
	default:
		c.yLabel = fmt.Sprintf("Index, week ending %s = 100", base)
	}
	return c, len(groups), nil
}

// seriesOf groups rows by cell, in the order in which the cells first appear.
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

// Period returns the first and the last week of the chart.
func (c *Chart) Period() (first, last panel.Week) {
	first, last = c.lines[0].weeks[0], c.lines[0].weeks[0]
	for _, l := range c.lines {
		first, last = min(first, l.weeks[0]), max(last, l.weeks[len(l.weeks)-1])
	}
	return first, last
}
