package jevons_test

import (
	"fmt"
	"math"
	"runtime"
	"sync"
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

// BenchmarkBesides measures what can be asked for besides, as ratios to the time of
// the published table of ten years. They run by turns, and the fastest of each
// counts. The series of regular prices has a panel of its own, whose making counts.
func BenchmarkBesides(b *testing.B) {
	p, rows := benchPanel(b, 520)
	of := []struct {
		name    string
		compute func() (*jevons.Table, error)
		fastest time.Duration
	}{
		{name: "published", compute: func() (*jevons.Table, error) { return jevons.Compute(p, jevons.Options{}) }},
		{name: "quality", compute: func() (*jevons.Table, error) { return jevons.Compute(p, jevons.Options{Quality: true}) }},
		{name: "linked", compute: func() (*jevons.Table, error) { return jevons.Linked(p, jevons.Options{}) }},
		{name: "regular", compute: func() (*jevons.Table, error) { return jevons.Regular(p, rows, jevons.Options{}) }},
	}
	for b.Loop() {
		for i := range of {
			start := time.Now()
			if _, err := of[i].compute(); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(start); of[i].fastest == 0 || took < of[i].fastest {
				of[i].fastest = took
			}
		}
	}
	for _, x := range of[1:] {
		b.ReportMetric(x.fastest.Seconds()/of[0].fastest.Seconds(), x.name)
	}
}

// BenchmarkFloor measures reading the panel's log prices once, on all
// processors: what no computation from them can go below.
func BenchmarkFloor(b *testing.B) {
	p, _ := benchPanel(b, 520)
	weeks := len(p.Weeks())
	workers := runtime.GOMAXPROCS(0)
	sums := make([]float64, workers)
	for b.Loop() {
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() {
				for k := weeks * i / workers; k < weeks*(i+1)/workers; k++ {
					sums[i] += sumOf(p.LogPrices(k))
				}
			})
		}
		wg.Wait()
	}
	b.SetBytes(int64(8 * weeks * len(p.Series())))
}

// sumOf adds in four lanes, NaN for gaps and all: only the reading counts.
func sumOf(logs []float64) float64 {
	var s, t, u, v float64
	for ; len(logs) >= 4; logs = logs[4:] {
		s, t, u, v = s+logs[0], t+logs[1], u+logs[2], v+logs[3]
	}
	return math.Max(s+t, u+v)
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
