// Package assess computes multilateral series beside the published index of a whole panel. They answer two
// questions that the published series can't answer of itself:
//
//   - Same goods: does the fixed base drift? GEKS-Jevons and the time-product dummy (TPD) of each product,
//     over the series that the base week has, with every pair of weeks in place of pairs with the base.
//   - All goods: what does the fixed base leave out? A TPD of each category over all of its series, in which
//     a product has its basket weight in every week, spread evenly over its series there. A series that
//     enters later never starts at a level of its own.
//
// GEKS-Jevons minimizes the squares of x_t - x_s - mean(ln p_t - ln p_s) over all pairs of weeks, the
// mean over the series that have both prices. The TPD minimizes those of ln p_it - a_i - x_t. Weeks
// without a link to the base week have no value. Products and categories are aggregated as the index does
// it, but without trimming.
//
// A fit spans a window of weeks. A later week is linked by the mean splice: the mean, over the other
// weeks of its window, of the published value there and the change since by the window's fit. Sources:
// Ivancic, Diewert and Fox, "Scanner data, time aggregation and the construction of price indexes",
// Journal of Econometrics 161 (2011); Diewert and Fox, "Substitution bias in multilateral methods for CPI
// construction", JBES 40 (2022).
package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Window is how many weeks a fit spans by default: a year, and the same week of the year before.
const Window = 53

// Assessment has the lines of the nation: of each method its headline, then its categories.
type Assessment struct {
	Weeks []panel.Week `json:"weeks"` // from the base week on, those with prices
	Lines []Line       `json:"lines"`
	Sweep []Variant    `json:"sweep"`
	parts []basket.Category
}

// Line is a series of levels by week, 100 in the base week.
type Line struct {
	Method   Method  `json:"method"`
	Category string  `json:"category"`
	Levels   []Level `json:"levels"`
}

// Variant is the last headline of the nation by other options of the published method.
type Variant struct {
	Options string `json:"options"` // what differs
	Level   Level  `json:"last_headline"`
}

// Level prints a level of the index. NaN stands for none.
type Level float64

// Text writes so many decimals, and nothing for NaN.
func (l Level) Text(decimals int) string {
	if l != l {
		return ""
	}
	return strconv.FormatFloat(float64(l), 'f', decimals, 64)
}

// String writes six decimals.
func (l Level) String() string { return l.Text(6) }

// MarshalJSON writes six decimals, and null for NaN.
func (l Level) MarshalJSON() ([]byte, error) { return []byte(cmp.Or(l.String(), "null")), nil }

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

// New assesses the index of a panel up to a week, 0 for its last, by fits of a window of weeks. The error
// is that of jevons.Compute, or that the window is too short or the base week has no price.
func New(p *panel.Panel, through panel.Week, window int) (*Assessment, error) {
	if window < 2 {
		return nil, fmt.Errorf("assess: a window of %d weeks; it needs 2 at least", window)
	}
	published, err := jevons.Compute(p, jevons.Options{Through: through})
	if err != nil {
		return nil, err
	}
	through = published.Options.Through
	first, priced := slices.BinarySearch(p.Weeks(), p.BaseWeek())
	end, _ := slices.BinarySearch(p.Weeks(), through.Add(1))
	if !priced || end <= first {
		return nil, fmt.Errorf("assess: no price up to %s in the base week %s", through, p.BaseWeek())
	}
	a := &Assessment{Weeks: p.Weeks()[first:end], parts: p.Categories().Slices()}
	a.add(Published, func(c, k int) Level { return levelOf(published, a.Weeks[k], a.parts[c]) })
	products, categories := groupsOf(p, first, len(a.Weeks))
	a.fit(GEKS, products, window)
	a.fit(TPD, products, window)
	a.fit(AllGoods, categories, window)
	a.fit(FullSpan, categories, len(a.Weeks))
	return a, a.sweep(p, through)
}

// add adds the lines of a method by the level of each category and week.
func (a *Assessment) add(m Method, level func(c, k int) Level) {
	for c, part := range a.parts {
		line := Line{m, part.String(), make([]Level, len(a.Weeks))}
		for k := range a.Weeks {
			line.Levels[k] = level(c, k)
		}
		a.Lines = append(a.Lines, line)
	}
}

// fit adds the lines of a method, which fits each group of a category by itself.
func (a *Assessment) fit(m Method, categories [][]group, window int) {
	var wait sync.WaitGroup
	for _, groups := range categories {
		for i := range groups {
			wait.Go(func() { groups[i].splice(len(a.Weeks), window, m == GEKS) })
		}
	}
	wait.Wait()
	means := make([]group, len(categories))
	for c, groups := range categories {
		means[c] = mean(groups, len(a.Weeks))
	}
	means = slices.Insert(means, 0, mean(means, len(a.Weeks)))
	a.add(m, func(c, k int) Level { return Level(100 * math.Exp(means[c].levels[k])) })
}

// levelOf returns the published level of the nation.
func levelOf(t *jevons.Table, w panel.Week, c basket.Category) Level {
	row := t.Find(w, jevons.Cell{Level: jevons.National, Category: c})
	if row == nil {
		return Level(math.NaN())
	}
	return Level(row.Index.Float64())
}

// sweep computes the last headline with other trims, longer bases and equal weights.
func (a *Assessment) sweep(p *panel.Panel, through panel.Week) error {
	equal := map[int64]float64{}
	for _, x := range p.Products() {
		if x.Active {
			equal[x.ID] = 1
		}
	}
	var variants []jevons.Options
	for trim := 0; trim <= 25; trim += 5 {
		variants = append(variants, jevons.Options{Trim: jevons.Percent(trim)})
	}
	variants = append(variants,
		jevons.Options{BaseWeeks: 4}, jevons.Options{BaseWeeks: 13}, jevons.Options{Weights: equal})
	for _, o := range variants {
		o.Through, o.Only = through, &jevons.Cell{}
		t, err := jevons.Compute(p, o)
		if err != nil {
			return err
		}
		last := levelOf(t, a.Weeks[len(a.Weeks)-1], basket.Overall)
		a.Sweep = append(a.Sweep, Variant{cmp.Or(o.Method(), string(Published)), last})
	}
	return nil
}

// Of returns the lines of a method, the headline first.
func (a *Assessment) Of(m Method) []Line {
	return a.Lines[slices.Index(Methods, m)*len(a.parts):][:len(a.parts)]
}

// RMS returns the root mean square of the differences of two lines over the weeks that both have, in
// index points.
func RMS(x, y *Line) Level {
	var squares []float64
	for k, level := range x.Levels {
		if d := float64(level - y.Levels[k]); d == d {
			squares = append(squares, d*d)
		}
	}
	return Level(math.Sqrt(stat.Mean(squares, nil)))
}
