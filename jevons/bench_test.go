package jevons_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// BenchmarkCompute measures the whole published table: levels, same-composition
// changes and basket costs of every cell.
func BenchmarkCompute(b *testing.B) {
	for _, weeks := range []int{18, 520} {
		b.Run(fmt.Sprintf("weeks=%d", weeks), func(b *testing.B) {
			p, _ := benchPanel(b, weeks)
			var rows int
			for b.Loop() {
				table, err := jevons.Compute(p, jevons.Options{})
				if err != nil {
					b.Fatal(err)
				}
				rows = len(table.Rows)
			}
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(float64(p.Counts().Used), "prices")
		})
	}
}

// benchPanel is the demo panel of so many weeks, and all its rows: 146 stores, 50
// products, some 6,100 prices a week.
func benchPanel(b testing.TB, weeks int) (*panel.Panel, *panel.Rows) {
	b.Helper()
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: weeks})
	if err != nil {
		b.Fatal(err)
	}
	p, err := data.Panel()
	if err != nil {
		b.Fatal(err)
	}
	var aside []panel.Quarantine
	for o := range data.Observations() {
		if o.Verdict != panel.Pass {
			aside = append(aside, panel.Quarantine{Listing: o.Listing, Observation: o.ID})
		}
	}
	gate := panel.NewGate(data.Products, data.Stores, data.Listings, nil, aside)
	rows, err := panel.NewRows(gate, func(yield func(*panel.Observation, error) bool) {
		for o := range data.Observations() {
			if !yield(&o, nil) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	return p, rows
}
