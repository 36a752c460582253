package jevons_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
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

// benchPanel has 146 stores of 6 banners in 12 cities and 50 products, some
// 84% of all pairs priced in a week: the size that other programs were
// measured with.
func benchPanel(b *testing.B, weeks int) *panel.Panel {
	r := rand.New(rand.NewPCG(1, 2))
	build := panel.NewBuilder(0)
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for id := range 50 {
		must(build.AddProduct(basket.Product{
			ID: id + 1, Name: "x", Category: basket.Categories()[id%9], StandardSize: 1, Unit: basket.Count,
			Weight: 0.5 + 4.5*r.Float64(), SoldBy: basket.ByPackage, Active: true,
		}))
	}
	for c := range 12 {
		must(build.AddCity(basket.City{Slug: fmt.Sprint("c", c), Name: fmt.Sprint("City ", c), Province: "XX"}))
	}
	for n := range 6 {
		key := fmt.Sprint("b", n)
		must(build.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key, InIndex: true}))
		for id := range 50 {
			must(build.AddMapping(panel.Mapping{ID: int64(1 + n*50 + id), ProductID: id + 1, Banner: key, Active: true}))
		}
	}
	banner := make([]int, 146)
	for s := range banner {
		banner[s] = r.IntN(6)
		city := int(12 * r.Float64() * r.Float64())
		must(build.AddStore(panel.Store{ID: int64(s + 1), Banner: fmt.Sprint("b", banner[s]), City: fmt.Sprint("c", city), Active: true}))
	}
	at := time.Date(2026, 7, 15, 12, 0, 0, 0, panel.Toronto)
	for range weeks {
		for s, n := range banner {
			for id := range 50 {
				if (s*50+id)%10 == 0 || r.IntN(100) < 6 {
					continue
				}
				must(build.Observe(&panel.Observation{
					Mapping: int64(1 + n*50 + id), Store: int64(s + 1), ObservedAt: at,
					Effective: panel.Price(10_000 + 100*r.IntN(900)),
				}))
			}
		}
		at = at.AddDate(0, 0, 7)
	}
	p, err := build.Build()
	must(err)
	return p
}
