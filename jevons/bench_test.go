//go:build cgo

package jevons_test

import (
	"fmt"
	"testing"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel/synth"
)

// BenchmarkCompute measures the whole published table, with and without the quality of its rows: levels,
// same-composition changes and basket costs of every cell of 146 stores, some 6,100 prices a week.
func BenchmarkCompute(b *testing.B) {
	for _, weeks := range []int{18, 520} {
		_, all := snapshot(b, synth.Config{Weeks: weeks, Stores: 146})
		for _, quality := range []bool{true, false} {
			name := fmt.Sprintf("weeks=%d", weeks)
			if quality {
				name = "quality," + name
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					if _, err := jevons.Compute(all.Panel, jevons.Options{Quality: quality}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(all.Panel.Counts().Used), "prices")
			})
		}
	}
}
