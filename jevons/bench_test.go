//go:build cgo

package jevons_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// BenchmarkCompute measures the whole published table: levels, same-composition
// changes and basket costs of every cell.
func BenchmarkCompute(b *testing.B) {
	for _, weeks := range []int{18, 520} {
		b.Run(fmt.Sprintf("weeks=%d", weeks), func(b *testing.B) {
			p := benchPanel(b, weeks)
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

// BenchmarkQuality measures the published table with and without the quality of its rows, by turns, and
// how many times as long the first takes.
func BenchmarkQuality(b *testing.B) {
	p := benchPanel(b, 104)
	var took [2]time.Duration
	for b.Loop() {
		for i, o := range [...]jevons.Options{{}, {Quality: true}} {
			start := time.Now()
			if _, err := jevons.Compute(p, o); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), "times")
}

// BenchmarkOnly measures a table of one cell, and how many times as fast it is as that of all cells.
func BenchmarkOnly(b *testing.B) {
	p := benchPanel(b, 520)
	city := p.Cities()[0].Name
	for _, only := range []jevons.Cell{{}, {City: city}, {Category: p.Categories().Of(p.Products()[0].Category)}} {
		b.Run(fmt.Sprint("city=", only.City != "", "/", only.Category), func(b *testing.B) {
			var took [2]time.Duration
			for b.Loop() {
				for i, o := range [...]jevons.Options{{}, {Only: &only}} {
					start := time.Now()
					if _, err := jevons.Compute(p, o); err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(start)
				}
			}
			b.ReportMetric(float64(took[0])/float64(took[1]), "times")
		})
	}
}

// BenchmarkAppend appends a week to a panel of 520.
func BenchmarkAppend(b *testing.B) {
	p := benchPanel(b, 520)
	last, rows := len(p.Weeks())-1, []panel.Observation(nil)
	for i, log := range p.LogPrices(last) {
		if s := p.Series()[i]; log == log {
			rows = append(rows, panel.Observation{
				Listing: p.Listings()[s.Listing].ID, Store: p.Stores()[s.Store].ID, Effective: 2_0000,
				ObservedAt: p.Weeks()[last].Add(1).Date().Time(time.UTC),
			})
		}
	}
	for b.Loop() {
		if _, err := p.Append(rows); err != nil {
			b.Fatal(err)
		}
	}
}

// benchPanel is a synthetic panel of so many weeks: 146 stores, 50 products, some 6,100 prices a
// week.
func benchPanel(b testing.TB, weeks int) *panel.Panel {
	b.Helper()
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: weeks, Stores: 146})
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(b.TempDir(), "panel")
	if err := data.WriteDir(dir); err != nil {
		b.Fatal(err)
	}
	if _, err := sqlite.Import(b.Context(), dir, dir+".db", sqlite.ImportOptions{Strict: true}); err != nil {
		b.Fatal(err)
	}
	p, err := sqlite.Load(b.Context(), dir+".db")
	if err != nil {
		b.Fatal(err)
	}
	return p
}
