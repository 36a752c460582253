package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

var intervalSnapshot = flag.String("interval-snapshot", "", "the snapshot whose products are drawn, instead of the demo's")

// sampled are matched products of a category by maker, the weight of all its active ones, and the
// share of the products from which these were drawn without replacement that is not among them, else 1.
type sampled struct {
	all, left float64
	makers    [][]jevons.Contribution
}

// estimate returns ln of a headline's level, its standard error and its degrees of freedom.
func estimate(strata map[string]sampled) (level, se, df float64) {
	var v, squares, rest, total float64
	for _, s := range strata {
		var weight, sum, t, tt float64
		for _, x := range slices.Concat(s.makers...) {
			weight += x.Product.Weight
			sum += x.Product.Weight * math.Log(x.Relative)
		}
		for _, products := range s.makers {
			left, moved := weight, 0.0
			for _, x := range products {
				left -= x.Product.Weight
				moved += x.Product.Weight * (sum/weight - math.Log(x.Relative))
			}
			t, tt = t+moved/left, tt+moved/left*moved/left
		}
		n := float64(len(s.makers))
		of := s.all * s.all * (n - 1) / n * (tt - t*t/n)
		level, total, v, squares, rest = level+s.all*sum/weight, total+s.all, v+of, squares+of*of/(n-1), rest+of*s.left
	}
	return level / total, math.Sqrt(rest) / total, max(1, math.Floor(5*v*v/squares+1e-7)/10)
}

// byMaker groups products by maker. The list may repeat a product. A product whose maker is unknown makes a
// group of its own each time that it is listed.
func byMaker(products []jevons.Contribution, makers map[int64]int) (groups [][]jevons.Contribution) {
	at := map[int]int{}
	for _, x := range products {
		maker, several := makers[x.Product.ID]
		if i, there := at[maker]; several && there {
			groups[i] = append(groups[i], x)
			continue
		} else if several {
			at[maker] = len(groups)
		}
		groups = append(groups, []jevons.Contribution{x})
	}
	return groups
}

// ways are the ways to draw the products of a category anew: as many products as there are with
// replacement, as many makers, and half of the products.
var ways = []func(r *rand.Rand, all sampled, makers map[int64]int) sampled{
	func(r *rand.Rand, all sampled, makers map[int64]int) sampled {
		products := slices.Concat(all.makers...)
		drawn := make([]jevons.Contribution, len(products))
		for i := range drawn {
			drawn[i] = products[r.IntN(len(products))]
		}
		return sampled{all.all, 1, byMaker(drawn, makers)}
	},
	func(r *rand.Rand, all sampled, _ map[int64]int) sampled {
		drawn := sampled{all.all, 1, nil}
		for range all.makers {
			drawn.makers = append(drawn.makers, all.makers[r.IntN(len(all.makers))])
		}
		return drawn
	},
	func(r *rand.Rand, all sampled, makers map[int64]int) sampled {
		products := slices.Concat(all.makers...)
		r.Shuffle(len(products), func(i, k int) { products[i], products[k] = products[k], products[i] })
		half := products[:min(len(products), max(2, len(products)/2))]
		return sampled{all.all, 1 - float64(len(half))/float64(len(products)), byMaker(half, makers)}
	},
}

// TestIntervalsOfPanels draws the matched products of each headline anew, in three ways, and counts
// how often the interval of the draw holds the level of all of them. Half of a known set misses it by
// less than half of an endless one: that error is scaled. docs/intervals.md has the lines.
func TestIntervalsOfPanels(t *testing.T) {
	t.Parallel()
	db, name := *intervalSnapshot, "the snapshot"
	if db == "" {
		db, name = demo(t, 1, 4), "the demo, 4 weeks"
	}
	loaded := must((&app{stdout: &output{}, stderr: io.Discard}).open(t.Context(), db, false))
	p := loaded.Panel
	index := must(jevons.Compute(p, jevons.Options{Quality: true}))
	all, makers, quantiles := map[string]float64{}, map[int64]int{}, map[float64]float64{}
	for _, x := range p.Products() {
		if x.Active {
			all[x.Category] += x.Weight
		}
	}
	for i, group := range jevons.Makers(p) {
		for _, x := range group {
			if len(group) > 1 {
				makers[p.Products()[x].ID] = i
			}
		}
	}
	quantile := func(df float64) float64 {
		if quantiles[df] == 0 {
			quantiles[df] = jevons.StudentQuantile(df)
		}
		return quantiles[df]
	}
	const draws = 100
	r, headlines, without := rand.New(rand.NewPCG(27, 12)), 0.0, 0.0
	have, held := make([]float64, len(ways)), make([]float64, len(ways))
	for i := range index.Rows {
		row := &index.Rows[i]
		q := row.Extra.Quality
		if row.Cell.Category != basket.Overall || q.SE.Valid && q.SE.Units == 0 {
			continue // no headline, or all products moved alike
		}
		if headlines++; !q.Low.Valid {
			without++
		}
		e := must(index.Explain(row.Week, *row.Cell))
		matched := map[string][]jevons.Contribution{}
		for _, c := range e.Since.Products {
			if c.Relative > 0 {
				matched[c.Product.Category] = append(matched[c.Product.Category], c)
			}
		}
		strata := map[string]sampled{}
		for c, products := range matched {
			strata[c] = sampled{all[c], 1, byMaker(products, makers)}
		}
		truth, se, df := estimate(strata)
		if q.Low.Valid {
			if low := 100 * math.Exp(truth-quantile(df)*se); math.Abs(low-q.Low.Float64()) > 0.0001 {
				t.Fatalf("%s in %s: the interval begins at %.4f, the index has %s", row.Cell, row.Week, low, q.Low)
			}
		}
		for k, draw := range ways {
			for range draws {
				drawn := map[string]sampled{}
				for _, c := range basket.Categories(nil).Slugs() {
					if s, ok := strata[c]; ok {
						drawn[c] = draw(r, s, makers)
					}
				}
				if level, se, df := estimate(drawn); df >= jevons.LeastDF && se > 1e-12 {
					have[k]++
					if math.Abs(level-truth) <= quantile(df)*se {
						held[k]++
					}
				}
			}
		}
	}
	line := fmt.Sprintf("| %s | %.0f | %.0f%% |", name, headlines, 100*(1-without/headlines))
	for k := range have {
		drawn := headlines * draws
		line += fmt.Sprintf(" %.0f%% | %.1f%% | %.1f%% |", 100*have[k]/drawn, 100*held[k]/have[k], 100*held[k]/drawn)
	}
	t.Log(line)
	page := must(os.ReadFile("../../docs/intervals.md"))
	if *intervalSnapshot == "" && !strings.Contains(string(page), line+"\n") {
		t.Errorf("docs/intervals.md lacks the line\n%s", line)
	}
}
