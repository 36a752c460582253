package release

import (
	"maps"
	"math"
	"slices"

	"github.com/larder-index/larder/panel"
)

// seriesPair is a series with its places in two panels; -1: the panel lacks it.
type seriesPair struct {
	seriesID
	old, next int
}

func pairSeries(old, next *panel.Panel) []seriesPair {
	pairs := map[seriesID]seriesPair{}
	for i, s := range old.Series() {
		id := idOf(old, s)
		pairs[id] = seriesPair{id, i, -1}
	}
	for i, s := range next.Series() {
		x := seriesPair{idOf(next, s), -1, i}
		if was, ok := pairs[x.seriesID]; ok {
			x.old = was.old
		}
		pairs[x.seriesID] = x
	}
	return slices.Collect(maps.Values(pairs))
}

func idOf(p *panel.Panel, s panel.Series) seriesID {
	return seriesID{p.Listings()[s.Listing].ID, p.Stores()[s.Store].ID}
}

// logsOf returns the log prices of a week, or nil if it has none.
func logsOf(p *panel.Panel, week panel.Week) []float64 {
	if k, ok := slices.BinarySearch(p.Weeks(), week); ok {
		return p.LogPrices(k)
	}
	return nil
}

// logAt returns a log price; NaN without one.
func logAt(logs []float64, place int) float64 {
	if logs == nil || place < 0 {
		return math.NaN()
	}
	return logs[place]
}

// compareCells is merge for panels of which one has no rows: it compares the mean log
// price of every series in every week.
func (c *comparison) compareCells(old, next *panel.Panel) {
	pairs := pairSeries(old, next)
	weeks := slices.Concat(old.Weeks(), next.Weeks())
	slices.Sort(weeks)
	for _, week := range slices.Compact(weeks) {
		was, is := logsOf(old, week), logsOf(next, week)
		for _, x := range pairs {
			from, to := logAt(was, x.old), logAt(is, x.next)
			why := addedRows
			switch {
			case math.IsNaN(from) && math.IsNaN(to):
				continue
			case c.listings[x.listing] || c.stores[x.store]:
				why = reference
			case from == to:
				continue
			}
			c.markSeries(c.old, week, x.seriesID, why)
			c.markSeries(c.next, week, x.seriesID, why)
		}
	}
}

// markSeries marks the cells of a series if it counts in the index.
func (c *comparison) markSeries(x *side, week panel.Week, id seriesID, why causeSet) {
	at, ok := x.storeAt.Get(id.store)
	if good := x.listings[id.listing]; ok && x.stores[at].counts && good.counts {
		c.markAt(x, week, spot{at, good.category}, why)
	}
}

// scaleOfCells is the rule scale for cells. The price before is that of the last week
// before in which the series has one.
func (r *review) scaleOfCells() (evidence []string) {
	p := r.next.Panel
	before := slices.Repeat([]float64{math.NaN()}, len(p.Series()))
	for k, week := range p.Weeks() {
		if week > r.closed() {
			break
		}
		ratios := map[string][]ratio{}
		for i, log := range p.LogPrices(k) {
			if math.IsNaN(log) {
				continue
			}
			if was := before[i]; week > r.released() && !math.IsNaN(was) {
				s := p.Series()[i]
				id, banner := idOf(p, s), p.Banners()[s.Banner].Key
				ratios[banner] = append(ratios[banner], ratio{priced{id.listing, id.store, priceOf(log)}, priceOf(was)})
			}
			before[i] = log
		}
		for _, banner := range slices.Sorted(maps.Keys(ratios)) {
			if text := outOfScale(ratios[banner]); text != "" {
				evidence = append(evidence, banner+", week "+week.String()+": "+text)
			}
		}
	}
	return evidence
}

// priceOf returns the price of a log price, at least the smallest that there is.
func priceOf(log float64) panel.Price {
	const units = 10_000 // of a price in a dollar
	return max(1, panel.Price(math.Round(math.Exp(log)*units)))
}

// frozenCells is frozenBanners for cells.
func (r *review) frozenCells(first, last panel.Week) (still map[string]int, moved map[string]bool) {
	still, moved = map[string]int{}, map[string]bool{}
	p := r.next.Panel
	for i, s := range p.Series() {
		low, high := math.Inf(1), math.Inf(-1)
		for week := first; week <= last; week = week.Add(1) {
			log := logAt(logsOf(p, week), i)
			low, high = math.Min(low, log), math.Max(high, log) // NaN if one is
		}
		const rounding = 1e-9 // of means of the same price
		switch banner := p.Banners()[s.Banner].Key; {
		case math.IsNaN(low):
		case high-low < rounding:
			still[banner]++
		default:
			moved[banner] = true
		}
	}
	return still, moved
}
