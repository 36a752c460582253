package assess

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/larder-index/larder/panel"
)

// group is series that are fitted together, with their weight in the mean of a category.
type group struct {
	weight float64
	series []series
	levels []float64 // of the fit by week, as logarithms; NaN: none
}

// series has log prices and their weights by week: 0 and 0 where there is no price.
type series struct{ logs, weights []float64 }

// groupsOf returns by category a group for each product, of its series in the base week, and one of all
// series. The weeks are the panel's from the first on.
func groupsOf(p *panel.Panel, first, weeks int) (products, categories [][]group) {
	all := make([][]series, len(p.Products()))
	for i, s := range p.Series() {
		x := series{make([]float64, weeks), make([]float64, weeks)}
		for k := range weeks {
			if log := p.LogPrices(first + k)[i]; log == log {
				x.logs[k], x.weights[k] = log, 1
			}
		}
		all[s.Product] = append(all[s.Product], x)
	}
	n := len(p.Categories().List())
	products, categories = make([][]group, n), make([][]group, n)
	for c := range categories {
		categories[c] = make([]group, 1)
	}
	for i, product := range p.Products() {
		if !product.Active {
			continue
		}
		c := p.Categories().Of(product.Category).Index() - 1
		category, own, count := &categories[c][0], group{weight: product.Weight}, make([]float64, weeks)
		for _, x := range all[i] {
			floats.Add(count, x.weights)
		}
		for _, x := range all[i] {
			if x.weights[0] > 0 {
				own.series = append(own.series, x)
			}
			spread := make([]float64, weeks)
			for k, priced := range x.weights {
				spread[k] = product.Weight * priced / max(count[k], 1)
			}
			category.series = append(category.series, series{x.logs, spread})
		}
		products[c], category.weight = append(products[c], own), category.weight+product.Weight
	}
	return products, categories
}

// mean returns a group with the weight of all, and the mean of their levels in each week of those that
// have one.
func mean(groups []group, weeks int) (whole group) {
	for _, g := range groups {
		whole.weight += g.weight
	}
	for k := range weeks {
		var levels, weights []float64
		for _, g := range groups {
			if level := g.levels[k]; level == level {
				levels, weights = append(levels, level), append(weights, g.weight)
			}
		}
		whole.levels = append(whole.levels, stat.Mean(levels, weights))
	}
	return whole
}

// splice gives a group its levels in all weeks, 0 in the first: those of the first window, and then each
// by the mean splice.
func (g *group) splice(weeks, window int, pairs bool) {
	g.levels = g.fit(0, min(window, weeks), 0, pairs)
	for t := len(g.levels); t < weeks; t++ {
		var levels []float64 // of week t, from each other week
		for k, log := range g.fit(t+1-window, t+1, window-1, pairs)[:window-1] {
			if level := g.levels[t+1-window+k] - log; level == level {
				levels = append(levels, level)
			}
		}
		g.levels = append(g.levels, stat.Mean(levels, nil))
	}
}

// fit returns the log levels x of the weeks from first on and before end, 0 in the base and NaN where
// nothing links a week with it. It minimizes the sum of w (x_t - x_s - change)^2 over the changes between
// weeks s and t. Those of the TPD are of each series, w = w_s w_t / (the sum of the series' weights):
// that is to fit a level of the series beside those of the weeks. Those of GEKS are the means of all
// series by pair of weeks, each with the same weight.
func (g *group) fit(first, end, base int, pairs bool) []float64 {
	n := end - first
	weights, logs, z := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for _, x := range g.series {
		w, scale := mat.NewVecDense(n, x.weights[first:end]), 1.0
		if total := mat.Sum(w); total > 0 && !pairs {
			scale = 1 / total
		}
		z.MulElemVec(w, mat.NewVecDense(n, x.logs[first:end]))
		weights.RankOne(weights, scale, w, w)
		logs.RankOne(logs, scale, w, z)
	}
	linked := make([]bool, n)
	var link func(s int)
	link = func(s int) {
		for t := range n {
			if !linked[t] && weights.At(s, t) > 0 {
				linked[t] = true
				link(t)
			}
		}
	}
	link(base)
	a, b, levels := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for s := range n {
		diagonal, right := 0.0, 0.0
		for t := range n {
			w, change := weights.At(s, t), logs.At(s, t)-logs.At(t, s)
			if pairs && w > 0 {
				w, change = 1, change/w
			}
			diagonal, right = diagonal+w, right-change
			a.Set(s, t, -w)
		}
		if !linked[s] || s == base {
			diagonal++ // a level of 0, which the changes leave open
		}
		a.Set(s, s, a.At(s, s)+diagonal)
		b.SetVec(s, right)
	}
	err := levels.SolveVec(a, b)
	for t, ok := range linked {
		if err != nil || !ok {
			levels.SetVec(t, math.NaN())
		}
	}
	return levels.RawVector().Data
}
