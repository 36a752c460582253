package compare_test

import (
	"testing"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/internal/oracle"
)

// BenchmarkEvaluate compares 50 items of 1,000 at 200 chains of a city, and writes the body.
func BenchmarkEvaluate(b *testing.B) {
	w, r := oracle.LargeMarket(compare.MaxCatalog, compare.MaxChains)
	pr, asked := compare.NewProjection(w.Build()), request(b, r)
	b.ReportAllocs()
	var body []byte
	for b.Loop() {
		body = mustEvaluate(b, pr, asked, w.Now).AppendJSON(body[:0])
	}
	b.ReportMetric(float64(len(body)), "bytes")
}
