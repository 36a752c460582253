package compare_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
)

// BenchmarkEvaluate compares 20 items over all chains of the largest city.
func BenchmarkEvaluate(b *testing.B) {
	pr := demo(b)
	r := benchRequest(b)
	now := demoNow
	b.Run("usual", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := compare.Evaluate(pr, r, now); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("with body", func(b *testing.B) {
		b.ReportAllocs()
		var body []byte
		for b.Loop() {
			res, err := compare.Evaluate(pr, r, now)
			if err != nil {
				b.Fatal(err)
			}
			body = res.WithLinks("https://larder.example").AppendJSON(body[:0])
		}
		b.ReportMetric(float64(len(body)), "bytes")
	})
	b.Run("with decode", func(b *testing.B) {
		text, err := json.Marshal(r)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		var body []byte
		for b.Loop() {
			asked, err := compare.DecodeRequest(text)
			if err != nil {
				b.Fatal(err)
			}
			res, err := compare.Evaluate(pr, asked, now)
			if err != nil {
				b.Fatal(err)
			}
			body = res.WithLinks("https://larder.example").AppendJSON(body[:0])
		}
	})
	b.Run("first of a day", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			if _, err := compare.Evaluate(pr, r, now.AddDate(0, 0, n%2)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecodeRequest(b *testing.B) {
	body := []byte(`{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5},{"id":12,"qty":1}],"stores":["northlarch","tillbrook"]}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compare.DecodeRequest(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNewProjection is the cost of a snapshot, paid once, over 18 weeks of
// the demo panel.
func BenchmarkNewProjection(b *testing.B) {
	p, rows := demoPanel(b)
	b.ReportAllocs()
	for b.Loop() {
		compare.NewProjection(p, rows)
	}
	b.ReportMetric(float64(rows.Len()), "rows")
}

func benchRequest(b testing.TB) compare.Request {
	items, err := compare.ParseItems("1x2,2,3,4,5,7x0.5,8x0.75,9x0.5,10,12,13,18x1.25,19,20x3,26,30,35x4,42,43,46")
	if err != nil {
		b.Fatal(err)
	}
	return compare.Request{City: "toronto", Items: items}
}

var demoNow = time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)
