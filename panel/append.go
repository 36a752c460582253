package panel

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Append returns a panel with more observations, of the last week or later ones: the panel that a Builder makes
// of all, with the same records and base week. p stays as it is, and both share the earlier weeks. Only where
// there is a new series, a listing's first counted price at a store, are these copied with room for it.
//
// The error is the *RecordError of the first row that is refused. Its Index is the place in rows.
func (p *Panel) Append(rows []Observation) (*Panel, error) {
	if p == nil || p.regular {
		return nil, errors.New("panel: a panel that is nil or of regular prices takes no rows; append to that of all")
	}
	b, err := p.records()
	if err != nil {
		return nil, err
	}
	b.p.counts = p.counts
	for _, s := range p.series {
		b.slotOf(s.Listing, s.Store)
	}
	last := Week(math.MinInt32)
	if n := len(p.weeks) - 1; n >= 0 {
		last = p.weeks[n]
		b.p.weeks, b.p.logs = slices.Clone(p.weeks[:n]), slices.Clone(p.logs[:n])
		b.cells(last).cells = slices.Clone(p.open)
	}
	for i := range rows {
		o := &rows[i]
		if err := b.Observe(o); err != nil {
			return nil, err
		}
		if week := b.weekOf(o.ObservedAt.UnixNano()); week < last {
			return nil, refused(o, i, fmt.Errorf("its week, %s, is before %s, the panel's last; build a panel anew",
				week, last))
		}
	}
	return b.Build()
}

// records returns a builder with the panel's records and no observation.
func (p *Panel) records() (*Builder, error) {
	b := NewBuilder(p.base)
	b.p.about, b.weekOf = p.about, p.Calendar().Weeks()
	b.p.pilot, b.p.words, b.p.matches = p.pilot, p.words, p.matches
	return b, errors.Join(addAll(p.products, b.AddProduct), addAll(p.cities, b.AddCity),
		addAll(p.banners, b.AddBanner), addAll(p.stores, b.AddStore), addAll(p.listings, b.AddListing))
}

// relaid returns the log prices of weeks by series, given those by slot and the series of each slot. If
// the slots are in the order of the series, they are the same slices.
func relaid(logs [][]float64, series []int32) [][]float64 {
	if len(logs) == 0 || len(logs[0]) == len(series) {
		return logs
	}
	none := slices.Repeat([]float64{math.NaN()}, len(series))
	for k, old := range logs {
		logs[k] = slices.Clone(none)
		for i, log := range old {
			logs[k][series[i]] = log
		}
	}
	return logs
}
