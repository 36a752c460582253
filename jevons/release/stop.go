package release

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Bounds of the rules about the table. Levels are in ten-thousandths of an index point.
const (
	mostEarly    = 10.0 // percent that a headline may change before a usual range is known
	mostNational = 5_000
	mostElse     = 20_000 // of other released levels. A warning needs half
	mostRestated = 1_000  // of a headline, by a cause other than prices
	mostCells    = 100    // restated by it
	mostLost     = 0.1    // of the cells
)

// jump finds new weeks in which a headline or a national category moves far. The earlier changes are
// all that the new table has before the week.
func (r *review) jump() {
	if r.isFirst() {
		return
	}
	own, kinds := map[jevons.Cell][]float64{}, [len(changeLimits)][]float64{}
	for rows := r.next.Table.Rows; len(rows) > 0; {
		week := firstWeek(rows)
		rows = rows[len(week):]
		for i := range week {
			if kind, ok := changeKind(week[i].Cell); ok && week[i].WoW.Valid && week[i].Week > r.released {
				r.judgeChange(&week[i], &changeLimits[kind], own[*week[i].Cell], kinds[kind])
			}
		}
		for i := range week {
			if kind, ok := changeKind(week[i].Cell); ok && week[i].WoW.Valid {
				change := week[i].WoW.Float64()
				own[*week[i].Cell], kinds[kind] = append(own[*week[i].Cell], change), append(kinds[kind], change)
			}
		}
	}
}

// judgeChange holds the change of a row over the week against those of its cell before, and of its kind.
func (r *review) judgeChange(row *jevons.Row, l *limits, own, kind []float64) {
	f := Finding{Rule: Jump, Cell: row.Cell, Week: row.Week, Value: row.WoW, Unit: "percent"}
	x := row.WoW.Float64()
	u, ok := l.usualOf(own, func() usual { return l.describe(kind) })
	low, high, stops, beyond := l.beyond(x, u)
	switch {
	case ok && beyond:
		f.Stops, f.distance = stops, math.Abs(x-u.median)/u.deviation
		f.Code, f.Args = "jump", []any{x, 1, low, high, u}
	case !ok && row.Cell.Category == basket.Overall && math.Abs(x) > mostEarly:
		low, high = -mostEarly, mostEarly
		f.Stops, f.distance = true, math.Abs(x)
		f.Code, f.Args = "jump_early", []any{x, mostEarly}
	default:
		return
	}
	f.Low, f.High = fixed(low), fixed(high)
	r.add(f)
}

// revision finds released levels that move: of a cell the week in which it moves most, since its
// changes come the largest first.
func (r *review) revision() {
	weeks := map[jevons.Cell]int{}
	var largest []*Change
	for i := range r.changes {
		c := &r.changes[i]
		if c.Move() == 0 {
			continue
		}
		weeks[c.Cell]++
		if weeks[c.Cell] == 1 {
			largest = append(largest, c)
		}
	}
	var quality *jevons.Table
	for _, c := range largest {
		most := int64(mostElse)
		if c.Cell.Level == jevons.National {
			most = mostNational
		}
		if 2*c.Move() <= most {
			continue
		}
		if quality == nil {
			quality = r.withQuality()
		}
		if row := quality.Find(c.Week, c.Cell); row != nil && row.Extra != nil && row.Extra.Quality != nil {
			most = max(most, 3*row.Extra.Quality.SE.Units)
		}
		if 2*c.Move() <= most {
			continue
		}
		r.add(Finding{Rule: Revision, Stops: c.Move() > most, Cell: &c.Cell, Week: c.Week, Unit: "points",
			Value: panel.FixedOf(c.New.Index.Units - c.Old.Index.Units), Low: panel.FixedOf(-most),
			High: panel.FixedOf(most), distance: float64(c.Move()) / float64(most), Code: "revision",
			Args: []any{c.Old.Index, c.New.Index, c.CauseText(" and "), weeks[c.Cell], panel.FixedOf(most)}})
	}
}

// withQuality returns the next table with its standard errors, or as it is where they can't be known.
func (r *review) withQuality() *jevons.Table {
	o := r.next.Table.Options
	o.Quality = true
	if t, err := jevons.Compute(r.next.Panel, o); err == nil && !r.next.Elsewhere {
		return t
	}
	return r.next.Table
}

// restatement finds causes other than prices that move released levels.
func (r *review) restatement() {
	for _, cause := range [...]Cause{Reference, Settings, Method} {
		cells, headline, most := 0, int64(0), (*Change)(nil)
		for i := range r.changes {
			c := &r.changes[i]
			if c.Move() == 0 || !slices.Contains(c.Causes, cause) {
				continue
			}
			cells++
			most = cmp.Or(most, c)
			if c.Cell.Category == basket.Overall {
				headline = max(headline, c.Move())
			}
		}
		if cells > 0 {
			moved := panel.FixedOf(headline)
			r.add(Finding{ID: string(cause), Rule: Restatement, Stops: headline > mostRestated || cells > mostCells,
				Value: moved, Low: panel.FixedOf(0), High: panel.FixedOf(mostRestated), Unit: "points",
				Code: "restatement", Args: []any{
					cause, phrase.Count(cells, "cell"), moved, most.Cell, most.Week, panel.FixedOf(most.Move()),
				}})
		}
	}
}

// lost looks at the last weeks of both tables. A city without a headline has a few categories near the
// floor, which come and go, so it is not missed as a whole.
func (r *review) lost() {
	was, is := lastWeek(r.published), lastWeek(r.next.Table.Rows)
	have, cities := map[jevons.Cell]bool{}, map[string]bool{}
	for i := range is {
		have[*is[i].Cell], cities[is[i].Cell.City] = true, true
	}
	var gone []string
	found := len(r.found)
	for i := range was {
		c := was[i].Cell
		if have[*c] {
			continue
		}
		gone = append(gone, c.String())
		if c.Level == jevons.City && c.Category == basket.Overall && !cities[c.City] {
			r.add(Finding{Rule: Lost, Stops: true, Cell: c, Week: lastOf(is), Value: panel.FixedOf(0), Unit: "count",
				distance: 2, Code: "lost_city", Args: []any{r.released}})
		}
	}
	if part := share(len(gone), max(len(was), 1)); 2*part > mostLost {
		last := "none"
		if len(is) > 0 {
			last = lastOf(is).String()
		}
		r.add(Finding{ID: "cells", Rule: Lost, Stops: part > mostLost, Week: r.released, Unit: "percent",
			Value: fixed(100 * part), Low: panel.FixedOf(0), High: fixed(100 * mostLost), distance: part, Code: "lost",
			Args: []any{len(gone), len(was), r.released, last, strings.Join(gone[:min(len(gone), 3)], "; ")}})
	}
	if len(r.found) == found && r.released != 0 && lastOf(is) > r.released {
		r.lostSlowly()
	}
}

// lostSlowly compares the median number of cells of the new table's last 3 weeks with the base week's: of the whole
// table, of cities and of banners. The first week below is reported, unless the loss came in one of the 3 weeks: then
// it was reported.
func (r *review) lostSlowly() {
	rows := r.next.Table.Rows
	counts := map[jevons.Cell]map[panel.Week]float64{}
	var weeks []panel.Week
	for i := range rows {
		if len(weeks) == 0 || rows[i].Week != weeks[len(weeks)-1] {
			weeks = append(weeks, rows[i].Week)
		}
		c := rows[i].Cell
		places := [...]jevons.Cell{{}, {Level: jevons.City, City: c.City}, {Level: jevons.Banner, Banner: c.Banner}}
		for _, place := range places[:c.Level] {
			if counts[place] == nil {
				counts[place] = map[panel.Week]float64{}
			}
			counts[place][rows[i].Week]++
		}
	}
	n := len(weeks)
	if n <= recentWeeks {
		return
	}
	for _, place := range slices.SortedFunc(maps.Keys(counts), compareCells) {
		list := make([]float64, n)
		for i, week := range weeks {
			list[i] = counts[place][week]
		}
		of, warn, stop := list[0], slowShare, 0.5
		cell := &place
		if place.Level == 0 {
			cell, warn, stop = nil, 1-mostLost/2, 1-mostLost
		}
		atOnce := false
		for i := n - recentWeeks; i < n; i++ {
			atOnce = atOnce || list[i] < stop*list[i-1]
		}
		is, low, ok := fellBelow(list, stop*of, warn*of)
		if ok && !atOnce && of >= leastPrices {
			r.add(Finding{ID: "slowly", Rule: Lost, Stops: low == stop*of, Cell: cell, Week: weeks[n-1], Unit: "count",
				Value: fixed(is), Low: fixed(stop * of), distance: of - is,
				Code: "lost_slowly", Args: []any{is, recentWeeks, of}})
		}
	}
}

func compareCells(a, b jevons.Cell) int { return jevons.CompareCells(&a, &b) }

// places finds banners, and banners in cities, with under half of the stores at certain places that they had.
// A comparison of shopping lists leaves out a banner without one.
func (r *review) places() {
	if r.isFirst() {
		return
	}
	was, is := certainStores(r.old), certainStores(r.next)
	for _, c := range slices.SortedFunc(maps.Keys(was), compareCells) {
		all := jevons.Cell{Level: jevons.Banner, Banner: c.Banner}
		reported := c.City != "" && 2*is[all] < was[all]
		if 2*is[c] < was[c] && !reported {
			r.add(Finding{ID: "places", Rule: Vanished, Stops: is[c] == 0, Cell: &c, Week: r.released, Unit: "count",
				Value: fixed(float64(is[c])), Low: fixed(float64(was[c]) / 2), distance: float64(was[c]),
				Code: "places", Args: []any{is[c], was[c]}})
		}
	}
}

// certainStores counts active stores at certain places, by banner, and by banner and city.
func certainStores(s *Snapshot) map[jevons.Cell]int {
	certain, cities := map[jevons.Cell]int{}, map[string]string{}
	for _, c := range s.Panel.Cities() {
		cities[c.Slug] = c.Name
	}
	for _, st := range s.Panel.Stores() {
		if st.Active && st.LocationCertain {
			certain[jevons.Cell{Level: jevons.Banner, Banner: st.Banner}]++
			certain[jevons.Cell{Level: jevons.Banner, Banner: st.Banner, City: cities[st.City]}]++
		}
	}
	return certain
}

// nothingNew finds a release without a change.
func (r *review) nothingNew() {
	if len(r.changes) > 0 {
		return
	}
	f := Finding{Rule: NothingNew, Stops: true, Week: r.released, Unit: "count", Value: panel.FixedOf(0)}
	f.Code = "nothing_first"
	if r.released != 0 {
		f.Code, f.Args = "nothing_new", []any{r.released}
	}
	r.add(f)
}
