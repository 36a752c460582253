package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// looseRow is a price with the members that this test reads.
type looseRow struct {
	Listing  int       `json:"retailer_product_id"`
	Store    int       `json:"store_id"`
	Price    float64   `json:"effective_price"`
	At       time.Time `json:"observed_at"`
	Source   *string   `json:"regular_price_source"`
	Listings struct {
		Banner   string
		Products struct {
			ID       int
			Category string
			Weight   float64 `json:"basket_weight"`
		}
	} `json:"retailer_products"`
	Stores struct{ City string }
}

func readLoose(t *testing.T, files []string) (rows []looseRow) {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var page struct{ Observations []looseRow }
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, page.Observations...)
	}
	return rows
}

// otherLevel computes a level from the rows of two weeks as docs/methodology.md says,
// without any code of this module. It multiplies prices instead of adding logarithms. It
// also returns the number of matched products.
func otherLevel(base, week []looseRow, weights map[string]float64, holds func(*looseRow) bool) (float64, int) {
	type series struct{ product, store, listing int }
	prices := func(rows []looseRow) map[series][]float64 {
		list := map[series][]float64{}
		for i := range rows {
			if r := &rows[i]; r.Source == nil && holds(r) {
				s := series{r.Listings.Products.ID, r.Store, r.Listing}
				list[s] = append(list[s], r.Price)
			}
		}
		return list
	}
	then, now := prices(base), prices(week)
	byStore := map[[2]int][]float64{}
	for s, list := range now {
		if before, ok := then[s]; ok {
			k := [2]int{s.product, s.store}
			byStore[k] = append(byStore[k], geometric(list)/geometric(before))
		}
	}
	byProduct := map[int][]float64{}
	for k, list := range byStore {
		byProduct[k[0]] = append(byProduct[k[0]], geometric(list))
	}
	type sums struct{ log, weight float64 }
	of := map[string]*sums{}
	for i := range week {
		p := &week[i].Listings.Products
		list := byProduct[p.ID]
		if list == nil {
			continue
		}
		slices.SortFunc(list, cmp.Compare[float64])
		cut := len(list) / 10
		if of[p.Category] == nil {
			of[p.Category] = &sums{}
		}
		of[p.Category].log += p.Weight * math.Log(geometric(list[cut:len(list)-cut]))
		of[p.Category].weight += p.Weight
		byProduct[p.ID] = nil // done
	}
	log, weight := 0.0, 0.0
	for category, s := range of {
		log += weights[category] * s.log / s.weight
		weight += weights[category]
	}
	return 100 * math.Exp(log/weight), len(byProduct)
}

func geometric(list []float64) float64 {
	product := 1.0
	for _, v := range list {
		product *= v
	}
	return math.Pow(product, 1/float64(len(list)))
}

// testOtherArithmetic compares the levels of a week with otherLevel.
func testOtherArithmetic(t *testing.T, s *subscriber) {
	baseFiles := s.download("base", "/api/v1/prices?from=2026-07-13&to=2026-07-19")
	weekFiles := s.download("week", "/api/v1/prices?from=2026-11-09&to=2026-11-15")
	base, week := readLoose(t, baseFiles), readLoose(t, weekFiles)
	r, err := evidenceOf(t, baseFiles, weekFiles, s.download("products", "/api/v1/products?")).Recompute(panel.DefaultBaseWeek, panel.DefaultBaseWeek.Add(17))
	if err != nil {
		t.Fatal(err)
	}
	weights := map[string]float64{}
	for _, p := range r.Panel().Products() {
		weights[p.Category.String()] += p.Weight
	}
	compared := 0
	for _, cell := range cellsOf(r.Panel()) {
		v, err := r.Check(cell, nil)
		if err != nil || v.Row == nil {
			continue // of a later entry week, or no row
		}
		level, items := otherLevel(base, week, weights, func(x *looseRow) bool {
			return (cell.City == "" || cell.City == x.Stores.City) && (cell.Banner == "" || cell.Banner == x.Listings.Banner) &&
				(cell.Category == basket.Overall || cell.Category.String() == x.Listings.Products.Category)
		})
		if got := fmt.Sprintf("%.4f", level); got != v.Row.Index.String() || items != int(v.Row.ItemCount) {
			t.Errorf("%s: %s of %d products, recomputed is %s of %d", cell, got, items, v.Row.Index, v.Row.ItemCount)
		}
		compared++
	}
	if compared < 600 {
		t.Errorf("%d cells were compared", compared)
	}
}
