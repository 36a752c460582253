package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

var intervalSnapshot = flag.String("interval-snapshot", "", "the snapshot whose products are drawn, instead of the demo's")

// sampled are matched products of a category, the weight of all its active ones, and the share of
// the products from which these were drawn without replacement that is not among them, else 1.
type sampled struct {
	all, left float64
	matched   []jevons.Contribution
}

// estimate returns ln of a headline's level, its standard error and its degrees of freedom.
func estimate(strata map[basket.Category]sampled) (level, se, df float64) {
	var v, squares, rest, total float64
	for _, s := range strata {
		var weight, sum, of, t, tt float64
		for _, x := range s.matched {
			weight += x.Product.Weight
			sum += x.Product.Weight * math.Log(x.Relative)
		}
		for _, x := range s.matched {
			moved := x.Product.Weight * (sum/weight - math.Log(x.Relative)) / (weight - x.Product.Weight)
			t, tt = t+moved, tt+moved*moved
		}
		n := float64(len(s.matched))
		of = s.all * s.all * (n - 1) / n * (tt - t*t/n)
		level, total, v, squares, rest = level+s.all*sum/weight, total+s.all, v+of, squares+of*of/(n-1), rest+of*s.left
	}
	return level / total, math.Sqrt(rest) / total, math.Floor(10*v*v/squares+1e-7) / 10
}

// TestIntervalsOfPanels draws the matched products of each headline anew and counts how often the
// interval of the draw holds the level of all of them. It draws half of each category's, and as
// many as there are with replacement. Half of a known set misses it by less than half of an
// endless one: that error is scaled. docs/intervals.md has the lines.
func TestIntervalsOfPanels(t *testing.T) {
	t.Parallel()
	db, name := *intervalSnapshot, "the snapshot"
	if db == "" {
		db, name = demo(t, 1, 4), "the demo, 4 weeks"
	}
	p, err := (&app{stdout: &output{}, stderr: io.Discard}).openPanel(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	index, err := jevons.Compute(p, jevons.Options{Quality: true})
	if err != nil {
		t.Fatal(err)
	}
	all, quantiles := map[basket.Category]float64{}, map[float64]float64{}
	for _, x := range p.Products() {
		if x.Active {
			all[x.Category] += x.Weight
		}
	}
	quantile := func(df float64) float64 {
		if quantiles[df] == 0 {
			quantiles[df] = jevons.StudentQuantile(df)
		}
		return quantiles[df]
	}
	const draws = 200
	r, headlines := rand.New(rand.NewPCG(27, 12)), 0.0
	var have, held [2]float64 // of halves, and of draws with replacement
	for i := range index.Rows {
		row := &index.Rows[i]
		if !row.Extra.Quality.Low.Valid {
			continue
		}
		headlines++
		e, err := index.Explain(row.Week, *row.Cell)
		if err != nil {
			t.Fatal(err)
		}
		strata := map[basket.Category]sampled{}
		for _, c := range e.SinceBase.Products {
			if s := strata[c.Product.Category]; c.Relative > 0 {
				strata[c.Product.Category] = sampled{all[c.Product.Category], 1, append(s.matched, c)}
			}
		}
		truth, se, df := estimate(strata)
		if low := 100 * math.Exp(truth-quantile(df)*se); math.Abs(low-row.Extra.Quality.Low.Float64()) > 0.0001 {
			t.Fatalf("%s in %s: the interval begins at %.4f, the index has %s", row.Cell, row.Week, low, row.Extra.Quality.Low)
		}
		for k := range 2 * draws {
			drawn := map[basket.Category]sampled{}
			for _, c := range basket.Slices()[1:] {
				n := len(strata[c].matched)
				if n == 0 {
					continue
				}
				s, order := sampled{all[c], 1, nil}, r.Perm(n)
				if k%2 == 0 {
					order = order[:max(2, n/2)]
					s.left = 1 - float64(len(order))/float64(n)
				}
				for _, m := range order {
					if k%2 == 1 {
						m = r.IntN(n)
					}
					s.matched = append(s.matched, strata[c].matched[m])
				}
				drawn[c] = s
			}
			if level, se, df := estimate(drawn); df >= jevons.LeastDF && se > 1e-12 {
				have[k%2]++
				if math.Abs(level-truth) <= quantile(df)*se {
					held[k%2]++
				}
			}
		}
	}
	line := fmt.Sprintf("| %s | %.0f |", name, headlines)
	for k := range have {
		line += fmt.Sprintf(" %.0f%% | %.1f%% |", 100*have[k]/headlines/draws, 100*held[k]/have[k])
	}
	t.Log(line)
	page, err := os.ReadFile("../../docs/intervals.md")
	if err != nil {
		t.Fatal(err)
	}
	if *intervalSnapshot == "" && !strings.Contains(string(page), line+"\n") {
		t.Errorf("docs/intervals.md lacks the line\n%s", line)
	}
}
