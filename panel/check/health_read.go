package check

import (
	"time"

	"github.com/larder-index/larder/panel"
)

// storeSeen is the record of a store's collection.
type storeSeen struct {
	cell    int32 // place in collection.cells
	last    time.Time
	week    panel.Week    // its newest closed week with rows; 0: none yet
	before  panel.Week    // the one before that
	touched []*seriesSeen // with a row in week
	history []comparison
}

// comparison is a store's week beside the one before in which it was observed.
type comparison struct {
	week, before     panel.Week
	matched, changed int // series with prices in both; those whose prices are others
}

// seriesSeen is a series in its two newest weeks.
type seriesSeen struct{ now, before weekPrices }

// weekPrices is all that is kept of a series' prices in a week. Two weeks have
// the same prices when both the lowest and the highest are the same.
type weekPrices struct {
	week      panel.Week
	low, high panel.Price
}

// read goes through the rows, oldest first.
func (c *collection) read(r *panel.Rows, closed panel.Week, now time.Time) (rows, ahead int) {
	tomorrow := (panel.DateIn(now, panel.Toronto) + 1).Time(panel.Toronto).UnixNano()
	var week panel.Week
	var weekEnd int64 // of week, in Unix nanoseconds
	for i := range r.Len() {
		store, listing, ok := c.place(r, i)
		if !ok {
			continue
		}
		at := r.UnixNano(i)
		if at >= tomorrow {
			ahead++
			continue
		}
		rows++
		if week == 0 || at >= weekEnd {
			week = panel.WeekOf(time.Unix(0, at))
			weekEnd = week.Add(1).Start().UnixNano()
		}
		s := &c.stores[store]
		s.last = time.Unix(0, at).UTC()
		if week <= closed {
			c.collect(s, place{listing, store}, r.Effective(i), week)
		}
	}
	for i := range c.stores {
		c.compare(&c.stores[i])
	}
	return rows, ahead
}

// collect takes the price of a listing at a store in a closed week.
func (c *collection) collect(s *storeSeen, at place, price panel.Price, week panel.Week) {
	if s.week != week {
		c.compare(s)
		s.before, s.week, s.touched = s.week, week, s.touched[:0]
	}
	x := c.series[at]
	if x == nil {
		x = &seriesSeen{}
		c.series[at] = x
	}
	if x.now.week != week {
		x.before, x.now = x.now, weekPrices{week, price, price}
		s.touched = append(s.touched, x)
	}
	x.now.low, x.now.high = min(x.now.low, price), max(x.now.high, price)

	cell, product := &c.cells[s.cell], c.product[at.listing]
	if n := len(cell.weeks); n == 0 || cell.weeks[n-1].week != week {
		cell.weeks = append(cell.weeks, productsIn{week: week})
	}
	if cell.priced[product] != week {
		cell.priced[product] = week
		cell.weeks[len(cell.weeks)-1].products++
	}
}

// compare adds a store's newest week to its history, now that all of its rows
// are in.
func (c *collection) compare(s *storeSeen) {
	if s.before == 0 {
		return
	}
	seen := comparison{week: s.week, before: s.before}
	for _, x := range s.touched {
		if x.before.week != s.before {
			continue
		}
		seen.matched++
		if x.now.low != x.before.low || x.now.high != x.before.high {
			seen.changed++
		}
	}
	s.history = append(s.history, seen)
}
