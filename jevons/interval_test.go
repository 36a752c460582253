package jevons_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// A population says how the products of a made-up country are drawn.
type population struct {
	name     string
	products []int // by category
	weight   func(r *rand.Rand) float64
	relative func(r *rand.Rand) float64 // the log relative less its category's mean
}

func equalWeights(*rand.Rand) float64     { return 0.01 }
func unequalWeights(r *rand.Rand) float64 { return float64(10+r.IntN(90)) / 1000 }
func normalRelative(r *rand.Rand) float64 { return 0.08 * r.NormFloat64() }
func skewedRelative(r *rand.Rand) float64 { return 0.08 * (r.ExpFloat64() - 1) }
func heavyTail(r *rand.Rand) float64      { return 0.05 * studentOf3(r) }
func studentOf3(r *rand.Rand) float64     { return r.NormFloat64() / math.Sqrt(chiSquareOf3(r)/3) }
func chiSquareOf3(r *rand.Rand) (q float64) {
	for range 3 {
		x := r.NormFloat64()
		q += x * x
	}
	return q
}

// stickyRelative is 0 for two products in three, as in a week without new prices.
func stickyRelative(r *rand.Rand) float64 {
	if r.IntN(3) > 0 {
		return 0
	}
	return 0.12 * r.NormFloat64()
}

var small, large = []int{4, 4, 4, 6, 6, 6, 8, 8, 8}, []int{12, 12, 12, 20, 20, 20, 30, 30, 30}

var populations = []population{
	{"normal, equal weights", small, equalWeights, normalRelative},
	{"normal", small, unequalWeights, normalRelative},
	{"normal", large, unequalWeights, normalRelative},
	{"skewed (exponential)", small, unequalWeights, skewedRelative},
	{"skewed (exponential)", large, unequalWeights, skewedRelative},
	{"two in three unchanged", small, unequalWeights, stickyRelative},
	{"heavy tails (Student's t, 3 df)", small, unequalWeights, heavyTail},
}

const halfSamples = 2000

// TestIntervalsCoverTruth draws products whose true mean relative is known, prices
// half of them, and counts how often the interval holds the true level. Each city
// is one draw. docs/intervals.md has the table.
func TestIntervalsCoverTruth(t *testing.T) {
	page, err := os.ReadFile("../docs/intervals.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range populations {
		c := p.halfSample(t, uint64(i))
		line := fmt.Sprintf("| %s | %d | %.0f%% | ±%.1f | %.1f%% | %.1f%% |", p.name, c.products, c.have, c.width, c.headline, c.whole)
		if c.headline < 94 || c.headline > 99.5 {
			t.Errorf("the headline's intervals cover badly: %s", line)
		}
		if !strings.Contains(string(page), line+"\n") {
			t.Errorf("docs/intervals.md lacks the line\n%s", line)
		}
	}
}

// A cover says how many in a hundred intervals hold the truth.
type cover struct {
	products int     // of the population
	have     float64 // headlines that have an interval; the others do not count
	headline float64 // where the truth is the mean of what products are drawn from
	whole    float64 // where the truth is the level of all products, priced or not
	width    float64 // mean half width of an interval, in points
}

func (p population) halfSample(t *testing.T, seed uint64) cover {
	r := rand.New(rand.NewPCG(seed, 95))
	d := &oracle.Data{Banners: []oracle.Banner{{Key: "b", InIndex: true}}}
	means, weights := make([]float64, len(p.products)), make([]float64, len(p.products))
	firsts := make([]int64, len(p.products)) // of each category the first product's id
	for c, n := range p.products {
		means[c] = 0.02 * float64(c-3)
		firsts[c] = int64(1 + len(d.Products))
		for range n {
			id, weight := int64(1+len(d.Products)), p.weight(r)
			weights[c] += weight
			d.Products = append(d.Products, oracle.Product{ID: id, Category: basket.Categories(nil).Slugs()[c], Weight: weight, Active: true})
			d.Listings = append(d.Listings, oracle.Listing{ID: id, ProductID: id, Banner: "b", Active: true})
		}
	}
	all := floats.Sum(weights)
	whole := map[string]float64{} // by city: rho of all products
	for s := range int64(halfSamples) {
		slug := fmt.Sprintf("c%04d", s)
		d.Cities = append(d.Cities, oracle.City{Slug: slug, Name: slug})
		d.Stores = append(d.Stores, oracle.Store{ID: 1 + s, Banner: "b", City: slug, Active: true})
		for c, n := range p.products {
			for i, k := range r.Perm(n) {
				id := firsts[c] + int64(k)
				relative := means[c] + p.relative(r)
				whole[slug] += d.Products[id-1].Weight * relative / all
				if i >= n/2 {
					continue // not priced
				}
				for week, price := range []float64{50, 50 * math.Exp(relative)} {
					d.Observations = append(d.Observations, oracle.Observation{
						ListingID: id, StoreID: 1 + s, EffectivePrice: price,
						ObservedAt: panel.DefaultBaseWeek.Add(week).String() + "T12:00:00Z",
					})
				}
			}
		}
	}

	table, err := jevons.Compute(buildPanel(t, d), jevons.Options{Floor: jevons.Percent(50), Quality: true})
	if err != nil {
		t.Fatal(err)
	}
	truth := 0.0
	for c := range means {
		truth += weights[c] * means[c] / all
	}
	var held cover
	headlines := 0.0
	for _, row := range table.Rows {
		q := row.Extra.Quality
		if row.Cell.Level != jevons.City || !q.Low.Valid {
			continue
		}
		if row.Week == panel.DefaultBaseWeek || row.Cell.Category != basket.Overall {
			t.Fatalf("%s has an interval in %s", row.Cell, row.Week)
		}
		headlines++
		held.width += (number(q.High) - number(q.Low)) / 2
		held.headline += holds(q, truth)
		held.whole += holds(q, whole[row.Cell.City])
	}
	if headlines < 0.9*halfSamples {
		t.Fatalf("%v headlines have an interval", headlines)
	}
	return cover{len(d.Products), 100 * headlines / halfSamples, 100 * held.headline / headlines, 100 * held.whole / headlines, held.width / headlines}
}

// holds is 1 if the interval covers the level of the given rho.
func holds(q *jevons.Quality, rho float64) float64 {
	level := 100 * math.Exp(rho)
	if number(q.Low) <= level && level <= number(q.High) {
		return 1
	}
	return 0
}

// TestStudentQuantile compares with the printed table of Student's t, to its three decimals.
func TestStudentQuantile(t *testing.T) {
	for df, want := range map[float64]string{
		1: "12.706", 2: "4.303", 10: "2.228", 120: "1.980", math.NaN(): "NaN", 0: "NaN", -1: "NaN", math.Inf(1): "NaN",
	} {
		if got := fmt.Sprintf("%.3f", jevons.StudentQuantile(df)); got != want {
			t.Errorf("%g: %s, want %s", df, got, want)
		}
	}
}
