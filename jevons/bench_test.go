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
	for _, x := range []struct {
		weeks   int
		quality bool
	}{{18, false}, {520, false}, {520, true}} {
		b.Run(fmt.Sprintf("weeks=%d,quality=%t", x.weeks, x.quality), func(b *testing.B) {
			p := benchPanel(b, x.weeks)
			var rows int
			for b.Loop() {
				table, err := jevons.Compute(p, jevons.Options{Quality: x.quality})
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

// BenchmarkFloor measures reading the panel's log prices once, on all
// processors: what no computation from them can go below.
func BenchmarkFloor(b *testing.B) {
	p := benchPanel(b, 520)
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

// benchPanel is the demo panel of so many weeks: 146 stores, 50 products, some
// 6,100 prices a week.
func benchPanel(b *testing.B, weeks int) *panel.Panel {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: weeks})
	if err != nil {
		b.Fatal(err)
	}
	p, err := data.Panel()
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkCompanions measures the companion series of ten years. That of regular
// prices has a panel of its own, the making of which counts.
func BenchmarkCompanions(b *testing.B) {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: 520})
	if err != nil {
		b.Fatal(err)
	}
	p, err := data.Panel()
	if err != nil {
		b.Fatal(err)
	}
	rows, err := panel.NewRows(panel.NewGate(data.Products, data.Stores, data.Listings, data.Specs, nil), func(yield func(*panel.Observation, error) bool) {
		for o := range data.Observations() {
			if !yield(&o, nil) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, x := range []struct {
		name    string
		compute func() (*jevons.Table, error)
	}{
		{"published", func() (*jevons.Table, error) { return jevons.Compute(p, jevons.Options{}) }},
		{"linked", func() (*jevons.Table, error) { return jevons.Linked(p, jevons.Options{}) }},
		{"regular", func() (*jevons.Table, error) { return jevons.Regular(p, rows, jevons.Options{}) }},
	} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.compute(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
