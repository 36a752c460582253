package jevons

import (
	"cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/enum"
	"github.com/larder-index/larder/panel"
)

// Level says how wide a cell's geography is.
type Level uint8

// The three levels, in published order.
const (
	National Level = iota + 1 // no city, no banner
	City                      // one city, all its index banners
	Banner                    // one banner in one city
)

var levels = enum.New("level", National, "national", "city", "banner")

// String returns national, city or banner.
func (l Level) String() string { return levels.String(l) }

// ParseLevel reads national, city or banner.
func ParseLevel(s string) (Level, error) { return levels.Parse(s) }

// UnmarshalText reads what ParseLevel reads.
func (l *Level) UnmarshalText(text []byte) error { return levels.UnmarshalText(l, text) }

// LevelOf returns the level of the cells of a city and a banner. Either may be
// empty, for all of them.
func LevelOf(city, banner string) Level {
	switch {
	case banner != "":
		return Banner
	case city != "":
		return City
	}
	return National
}

// Cell is a geography and a slice of the basket. One series of index values
// measures one cell, and all its rows share the Cell.
type Cell struct {
	Level    Level
	City     string          // display name; empty on national cells
	Banner   string          // key; empty on national and city cells
	Category basket.Category // basket.Overall: the headline
}

// String writes the cell as a reader would name it.
func (c Cell) String() string {
	place := "national"
	switch c.Level {
	case City:
		place = c.City
	case Banner:
		place = c.Banner + " in " + c.City
	}
	return c.Category.String() + ", " + place
}

// CompareCells orders the cells of one week as they are published: by level, then
// city, banner and category.
func CompareCells(a, b *Cell) int {
	return cmp.Or(
		cmp.Compare(a.Level, b.Level),
		cmp.Compare(a.City, b.City),
		cmp.Compare(a.Banner, b.Banner),
		a.Category.Compare(b.Category),
	)
}

// Row is one cell in one week, as published. Levels and changes are rounded to
// four decimals and costs to two, half away from zero. An invalid number is
// null.
type Row struct {
	Week       panel.Week
	Base       panel.Week // in which the level is 100; 0 in v1 rows
	Cell       *Cell
	Index      panel.Fixed // the level: 100 in the base week; a headline's base is its entry week
	BasketCost panel.Fixed // in the currency; compares across cities and banners
	WoW        panel.Fixed // percent, against the week before; see the package doc
	MoM        panel.Fixed // percent, against 28 days earlier
	YoY        panel.Fixed // percent, against 364 days earlier
	ItemCount  int32       // products matched behind the cell; -1: null (v1 rows only)
	TotalItems int32       // products at full coverage; -1: null (v1 rows only)
	Extra      *Extra      // nil unless asked for
}

// Same reports whether two rows are of one cell and week and agree in every number. The
// base of a level follows from the table, so it is not compared, and neither is Extra.
func (r *Row) Same(other *Row) bool {
	a, b := *r, *other
	if *a.Cell != *b.Cell {
		return false
	}
	a.Base, a.Cell, a.Extra = b.Base, b.Cell, b.Extra
	return a == b
}

// Extra holds the members that a row has only when they are asked for.
type Extra struct {
	Quality       *Quality
	Contributions []Part
	Difference    *Difference
}

// Quality says how well a row is supported. Its errors measure how much the level
// depends on the choice of products. They say nothing about the choice of stores,
// or about prices within a product. Numbers have four decimals. Intervals are null on rows of a
// category, and where no relative differs from another.
type Quality struct {
	SE        panel.Fixed // standard error of the level, index points
	Low, High panel.Fixed // ends of the 95% interval of a headline's level, index points
	SEWoW     panel.Fixed // standard error of a headline's WoW, percentage points
	LowWoW    panel.Fixed // lower end of the 95% interval of WoW, percentage points
	HighWoW   panel.Fixed // its upper end
	Weight    panel.Fixed // of the matched products, as a share of the slice's weight
	DF        panel.Fixed // degrees of freedom, one decimal
	Series    int32       // matched series behind the level, before the trim
	Stores    int32       // distinct stores of these series
	Trimmed   int32       // store relatives dropped, both ends together
	Status    byte        // of the SDMX code list CL_OBS_STATUS: A (normal), E (estimated) or B (break)
}

// The statuses that rows have.
const (
	normal    = 'A'
	estimated = 'E' // much of the weight, or a whole category, is not matched
	breaks    = 'B' // the series' first published week
)

// enoughWeight is the matched share of the weight under which a row is estimated.
var enoughWeight = Percent(80)

// LeastDF is the smallest number of degrees of freedom that gives an interval.
const LeastDF = 1.5
