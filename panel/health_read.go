package panel

import "time"

// storeSeen is the record of a store's collection.
type storeSeen struct {
	ordinal int32 // its place among its banner's active stores
	cell    int32 // place in collection.cells
	last    time.Time
	week    Week    // its newest closed week with rows; 0: none yet
	before  Week    // the one before that
	touched []int32 // places of the series with a row in week
	history []comparison
}

// comparison is a store's week beside the one before in which it was observed.
type comparison struct {
	week, before     Week
	matched, changed int // series with prices in both; those whose prices are others
}

// seriesSeen is a series in its two newest weeks.
type seriesSeen struct{ now, before weekPrices }

// weekPrices is all that is kept of a series' prices in a week. Two weeks have
// the same prices when both the lowest and the highest are the same.
type weekPrices struct {
	week      Week
	low, high Price
}

// read goes through the rows, oldest first.
func (c *collection) read(r *Rows, closed Week, now time.Time) (rows, ahead int) {
	tomorrow := unixNano((DateIn(now, Toronto) + 1).Time(Toronto))
	var week Week
	var weekEnd int64 // of week, in Unix nanoseconds
	for i := range r.n {
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
			week = WeekOf(time.Unix(0, at))
			weekEnd = week.Add(1).start()
		}
		s := &c.stores[store]
		s.last = time.Unix(0, at).UTC()
		if week <= closed {
			c.collect(s, listing, r.Effective(i), week)
		}
	}
	for i := range c.stores {
		c.compare(&c.stores[i])
	}
	return rows, ahead
}

// collect takes the price of a listing at a store in a closed week.
func (c *collection) collect(s *storeSeen, listing int32, price Price, week Week) {
	if s.week != week {
		c.compare(s)
		s.before, s.week, s.touched = s.week, week, s.touched[:0]
	}
	x, at := c.seriesOf(s, listing)
	if x.now.week != week {
		x.before, x.now = x.now, weekPrices{week, price, price}
		s.touched = append(s.touched, at)
	}
	x.now.low, x.now.high = min(x.now.low, price), max(x.now.high, price)

	cell, product := &c.cells[s.cell], c.product[listing]
	if n := len(cell.weeks); n == 0 || cell.weeks[n-1].week != week {
		cell.weeks = append(cell.weeks, productsIn{week: week})
	}
	if cell.priced[product] != week {
		cell.priced[product] = week
		cell.weeks[len(cell.weeks)-1].products++
	}
}

// seriesOf returns the series of a listing at a store, and its place.
func (c *collection) seriesOf(s *storeSeen, listing int32) (*seriesSeen, int32) {
	slots := &c.slots[listing]
	if n := int(s.ordinal) + 1; n > len(*slots) {
		*slots = append(*slots, make([]int32, n-len(*slots))...)
	}
	at := &(*slots)[s.ordinal]
	if *at == 0 {
		c.series = append(c.series, seriesSeen{})
		*at = int32(len(c.series))
	}
	return &c.series[*at-1], *at - 1
}

// compare adds a store's newest week to its history, now that all of its rows
// are in.
func (c *collection) compare(s *storeSeen) {
	if s.before == 0 {
		return
	}
	seen := comparison{week: s.week, before: s.before}
	for _, at := range s.touched {
		x := &c.series[at]
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
