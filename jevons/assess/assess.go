// Package assess computes multilateral series beside the published index of a whole panel. They answer two
// questions that the published series can't answer of itself:
//
//   - Same goods: does the fixed base drift? GEKS-Jevons and the time-product dummy (TPD) of each product,
//     over the series that the base week has, with every pair of weeks in place of pairs with the base.
//   - All goods: what does the fixed base leave out? A TPD of each category over all of its series, in which a
//     product has its basket weight in every week, spread evenly over its series there. A series that enters
//     later never starts at a level of its own.
//
// Of a product, GEKS-Jevons minimizes the squares of x_t - x_s - mean(ln p_t - ln p_s) over all pairs of weeks,
// the mean over the series that have both prices. The TPD minimizes those of ln p_it - a_i - x_t. Weeks without
// a link to the base week have no value. Products and categories are aggregated as the index does it, but without
// trimming.
//
// A fit spans a window of weeks. A later week is linked by the mean splice: the mean, over the other weeks of its
// window, of the published value there and the change since by the window's fit. Sources: Ivancic, Diewert and Fox,
// "Scanner data, time aggregation and the construction of price indexes", Journal of Econometrics 161 (2011);
// Diewert and Fox, "Substitution bias in multilateral methods for CPI construction", JBES 40 (2022).
package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Window is how many weeks a fit spans unless Options say otherwise: a year, and the same week of the year before.
const Window = 53

// Options say what is assessed.
type Options struct {
	Base    panel.Week // 0: the panel's base week
	Through panel.Week // the last week; 0: the panel's last
	Window  int        // weeks of a fit; 0: Window
}

// Line is a series of levels, 100 in the base week, not rounded.
type Line struct {
	Method   Method
	Category basket.Category
	Levels   []float64 // by week; NaN: none
}

// Method names how a line was computed.
type Method string

// The methods of lines.
const (
	Published Method = "published"    // the index, as rounded
	GEKS      Method = "geks_same"    // GEKS-Jevons of the base week's series
	TPD       Method = "tpd_same"     // time-product dummy of the base week's series
	AllGoods  Method = "tpd_all"      // time-product dummy of all series, by category
	FullSpan  Method = "tpd_all_full" // the same, fitted to all weeks at once
)

// Methods are all methods.
var Methods = []Method{Published, GEKS, TPD, AllGoods, FullSpan}

// Assessment has the lines of the nation: of each method its headline, then its categories.
type Assessment struct {
	Weeks []panel.Week // from the base week on, those with prices
	Lines []Line
	Sweep []Variant
}

// Variant is the last headline of the nation by other options of the published method.
type Variant struct {
	Name  string // what differs
	Level float64
}

// New assesses the index of a panel. The error is that of jevons.Compute, or that the base week has no price.
func New(p *panel.Panel, o Options) (*Assessment, error) {
	published, err := jevons.Compute(p, jevons.Options{Base: o.Base, Through: o.Through})
	if err != nil {
		return nil, err
	}
	o.Base, o.Through, o.Window = published.Options.Base, published.Options.Through, cmp.Or(o.Window, Window)
	if o.Window < 2 {
		return nil, fmt.Errorf("assess: a window of %d weeks; it needs 2 at least", o.Window)
	}
	a := &assessor{panel: p, Assessment: &Assessment{}, slices: p.Categories().Slices()}
	for _, x := range p.Products() {
		weight := 0.0
		if x.Active {
			weight = x.Weight
		}
		a.products = append(a.products, product{p.Categories().Of(x.Category).Index() - 1, weight})
	}
	for k, w := range p.Weeks() {
		if w >= o.Base && w <= o.Through {
			a.Weeks, a.logs = append(a.Weeks, w), append(a.logs, p.LogPrices(k))
		}
	}
	if len(a.Weeks) == 0 || a.Weeks[0] != o.Base {
		return nil, fmt.Errorf("assess: the base week %s has no price", o.Base)
	}
	a.addPublished(published)
	a.addSame(GEKS, o.Window, a.addPairs)
	a.addSame(TPD, o.Window, a.addSeries)
	a.addAll(AllGoods, o.Window)
	a.addAll(FullSpan, len(a.Weeks))
	return a.Assessment, a.sweep(o.Base, o.Through)
}

// Of returns the lines of a method, the headline first.
func (a *Assessment) Of(m Method) []Line {
	n := len(a.Lines) / len(Methods)
	return a.Lines[slices.Index(Methods, m)*n:][:n]
}

// RMS returns the root mean square of the differences of two lines over the weeks that both have, in index points.
func RMS(x, y *Line) float64 {
	sum, n := 0.0, 0.0
	for k, v := range x.Levels {
		if d := v - y.Levels[k]; d == d {
			sum, n = sum+d*d, n+1
		}
	}
	return math.Sqrt(sum / n)
}

type assessor struct {
	*Assessment
	panel    *panel.Panel
	logs     [][]float64 // by week, then series
	slices   []basket.Category
	products []product
}

// product is an active product of the panel; those that are not have no weight.
type product struct {
	category int // from 0
	weight   float64
}

func (a *assessor) addPublished(t *jevons.Table) {
	for _, c := range a.slices {
		levels := make([]float64, len(a.Weeks))
		for k, w := range a.Weeks {
			levels[k] = math.NaN()
			if row := t.Find(w, jevons.Cell{Level: jevons.National, Category: c}); row != nil {
				levels[k] = row.Index.Float64()
			}
		}
		a.Lines = append(a.Lines, Line{Published, c, levels})
	}
}

// spliced returns the log levels of all weeks, 0 in the first: those of the first window, and then each by the
// mean splice. of makes the fit of the weeks from first on and before end.
func (a *assessor) spliced(window int, of func(first, end int) *fit) []float64 {
	x := of(0, min(window, len(a.Weeks))).levels(0)
	for t := len(x); t < len(a.Weeks); t++ {
		first, sum, n := t+1-window, 0.0, 0.0
		for k, w := range of(first, t+1).levels(window - 1)[:window-1] {
			if before := x[first+k]; w == w && before == before {
				sum, n = sum+before-w, n+1
			}
		}
		x = append(x, sum/n) // NaN without a link
	}
	return x
}

// fitted returns the log levels of groups of series, each fitted by itself; nil for a group without any.
func (a *assessor) fitted(groups [][]int, window int, addTo func(f *fit, list []int, first int)) [][]float64 {
	levels := make([][]float64, len(groups))
	var wait sync.WaitGroup
	for i, list := range groups {
		if len(list) > 0 {
			wait.Go(func() {
				levels[i] = a.spliced(window, func(first, end int) *fit {
					f := newFit(end - first)
					addTo(f, list, first)
					return f
				})
			})
		}
	}
	wait.Wait()
	return levels
}

// addSame adds the lines of a method that fits each product by itself to the series of the base week.
func (a *assessor) addSame(m Method, window int, addTo func(f *fit, list []int, first int)) {
	groups := make([][]int, len(a.products))
	for i, s := range a.panel.Series() {
		if log := a.logs[0][i]; log == log {
			groups[s.Product] = append(groups[s.Product], i)
		}
	}
	levels := a.fitted(groups, window, addTo)
	categories := make([][]float64, len(a.slices)-1)
	for c := range categories {
		weights := make([]float64, len(a.products))
		for i, p := range a.products {
			if p.category == c {
				weights[i] = p.weight
			}
		}
		categories[c] = a.mean(levels, weights)
	}
	a.add(m, categories)
}

// prices returns the log prices of a series in the weeks of a fit.
func (a *assessor) prices(series, first int, f *fit) []float64 {
	logs := make([]float64, f.weeks)
	for t := range logs {
		logs[t] = a.logs[first+t][series]
	}
	return logs
}

// addPairs adds the mean change of the series between each two weeks.
func (a *assessor) addPairs(f *fit, list []int, first int) {
	for s := range f.weeks {
		for t := s + 1; t < f.weeks; t++ {
			sum, n := 0.0, 0.0
			for _, i := range list {
				if change := a.logs[first+t][i] - a.logs[first+s][i]; change == change {
					sum, n = sum+change, n+1
				}
			}
			if n > 0 {
				f.add(s, t, 1, sum/n)
			}
		}
	}
}

// addSeries adds each series with one weight for all of its weeks.
func (a *assessor) addSeries(f *fit, list []int, first int) {
	weights := slices.Repeat([]float64{1}, f.weeks)
	for _, i := range list {
		f.addSeries(a.prices(i, first, f), weights)
	}
}

// addAll adds the lines of the time-product dummy of all series of each category. A product's weight is spread
// over its series of a week.
func (a *assessor) addAll(m Method, window int) {
	groups := make([][]int, len(a.slices)-1)    // by category
	count := make([][]float64, len(a.products)) // of series, by week
	for i := range count {
		count[i] = make([]float64, len(a.Weeks))
	}
	for i, s := range a.panel.Series() {
		if p := &a.products[s.Product]; p.weight > 0 {
			groups[p.category] = append(groups[p.category], i)
			for k, logs := range a.logs {
				if log := logs[i]; log == log {
					count[s.Product][k]++
				}
			}
		}
	}
	a.add(m, a.fitted(groups, window, func(f *fit, list []int, first int) {
		weights := make([]float64, f.weeks)
		for _, i := range list {
			of := a.panel.Series()[i].Product
			for t := range weights {
				weights[t] = a.products[of].weight / count[of][first+t]
			}
			f.addSeries(a.prices(i, first, f), weights)
		}
	}))
}

// add adds the lines of a method: the headline made of the categories' log levels, and these.
func (a *assessor) add(m Method, categories [][]float64) {
	weights := make([]float64, len(categories)) // of all their active products
	for _, p := range a.products {
		weights[p.category] += p.weight
	}
	for c, logs := range slices.Insert(slices.Clone(categories), 0, a.mean(categories, weights)) {
		levels := slices.Repeat([]float64{math.NaN()}, len(a.Weeks)) // those of a category without prices
		for k, log := range logs {
			levels[k] = 100 * math.Exp(log)
		}
		a.Lines = append(a.Lines, Line{m, a.slices[c], levels})
	}
}

// mean returns the weighted mean of log levels by week, over those that there are.
func (a *assessor) mean(list [][]float64, weights []float64) []float64 {
	mean := make([]float64, len(a.Weeks))
	for k := range mean {
		sum, total := 0.0, 0.0
		for i, logs := range list {
			if logs != nil && logs[k] == logs[k] && weights[i] > 0 {
				sum, total = sum+weights[i]*logs[k], total+weights[i]
			}
		}
		mean[k] = sum / total // NaN without any
	}
	return mean
}

// sweep computes the last headline with other trims, longer bases and equal weights.
func (a *assessor) sweep(base, through panel.Week) error {
	headline := jevons.Cell{Level: jevons.National}
	var variants []jevons.Options
	for trim := 0; trim <= 25; trim += 5 {
		variants = append(variants, jevons.Options{Trim: jevons.Percent(trim)})
	}
	for _, weeks := range []int{4, 13} {
		variants = append(variants, jevons.Options{BaseWeeks: weeks})
	}
	equal := map[int64]float64{}
	for _, p := range a.panel.Products() {
		if p.Active {
			equal[p.ID] = 1
		}
	}
	for _, o := range append(variants, jevons.Options{Weights: equal}) {
		name := cmp.Or(o.Method(), "published")
		o.Base, o.Through, o.Only = base, through, &headline
		t, err := jevons.Compute(a.panel, o)
		if err != nil {
			return err
		}
		level := math.NaN()
		if row := t.Find(a.Weeks[len(a.Weeks)-1], headline); row != nil {
			level = row.Index.Float64()
		}
		a.Sweep = append(a.Sweep, Variant{name, level})
	}
	return nil
}
