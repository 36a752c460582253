package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/assess"
	"github.com/larder-index/larder/panel"
)

// prices has a price for each series and week; 0 is none. A product has three series.
type prices [][]float64

var products = []basket.Product{
	{ID: 1, Category: "dairy", Weight: 2}, {ID: 2, Category: "dairy", Weight: 1},
	{ID: 3, Category: "meat", Weight: 1.5},
}

const perProduct = 3

func (all prices) panel(t *testing.T) *panel.Panel {
	t.Helper()
	b := panel.NewBuilder(panel.DefaultBaseWeek)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(b.AddCity(basket.City{Slug: "here", Name: "Here", Province: "ON"}))
	must(b.AddBanner(basket.Banner{Key: "shop", Name: "Shop", Retailer: "Shop", InIndex: true}))
	for _, p := range products {
		p.Name, p.StandardSize, p.Unit = fmt.Sprint(p.ID), 1, basket.Count
		p.SoldBy, p.Active = basket.ByPackage, true
		must(b.AddProduct(p))
	}
	for i, weeks := range all {
		id := int64(i + 1)
		must(b.AddStore(panel.Store{ID: id, Banner: "shop", City: "here", Active: true, LocationCertain: true}))
		must(b.AddListing(panel.Listing{ID: id, Banner: "shop", ProductID: int64(i/perProduct + 1), Name: "x",
			Active: true}))
		for k, price := range weeks {
			if price > 0 {
				at := panel.DefaultBaseWeek.Add(k).Date().Time(time.UTC).Add(12 * time.Hour)
				must(b.Observe(&panel.Observation{Listing: id, Store: id, ObservedAt: at,
					Effective: panel.Price(math.Round(price * 1e4))}))
			}
		}
	}
	p, err := b.Build()
	must(err)
	return p
}

// random draws prices with gaps. Those of the first week are all there.
func random(seed uint64, weeks int) prices {
	r := rand.New(rand.NewPCG(seed, 38))
	all := make(prices, perProduct*len(products))
	for i := range all {
		all[i] = make([]float64, weeks)
		for k := range all[i] {
			if k == 0 || r.Float64() < 0.7 {
				all[i][k] = math.Round(1e4*(1+4*r.Float64())) / 1e4
			}
		}
	}
	return all
}

// TestEqualsRegressions fits the same weeks by regressions on dummies, as the papers write them.
func TestEqualsRegressions(t *testing.T) {
	const weeks = 9
	for seed := range uint64(20) {
		all := random(seed, weeks)
		all[1][0], all[8][0] = 0, 0 // goods that enter later
		x, err := assess.New(all.panel(t), 0, assess.Window)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range x.Lines { // those of categories without a product, too
			if len(line.Levels) != weeks {
				t.Errorf("seed %d: %s of %s has %d levels", seed, line.Method, line.Category, len(line.Levels))
			}
		}
		geks, tpd := make([][]float64, len(products)), make([][]float64, len(products))
		for p := range products {
			var same prices
			for _, series := range all[p*perProduct:][:perProduct] {
				if series[0] > 0 {
					same = append(same, series)
				}
			}
			geks[p], tpd[p] = same.geks(weeks), same.dummies(weeks, func(int, int) float64 { return 1 })
		}
		category := func(first, n int) []float64 {
			of := all[first*perProduct:][:n*perProduct]
			return of.dummies(weeks, func(i, k int) float64 {
				count := 0.0
				for j := range of {
					if j/perProduct == i/perProduct && of[j][k] > 0 {
						count++
					}
				}
				return products[first+i/perProduct].Weight / count
			})
		}
		for _, c := range []struct {
			method assess.Method
			levels [3][]float64 // headline, dairy, meat
		}{
			{assess.GEKS, byCategory(mean(geks[0], geks[1], 2, 1), geks[2])},
			{assess.TPD, byCategory(mean(tpd[0], tpd[1], 2, 1), tpd[2])},
			{assess.AllGoods, byCategory(category(0, 2), category(2, 1))},
			{assess.FullSpan, byCategory(category(0, 2), category(2, 1))},
		} {
			for i, line := range x.Of(c.method)[:len(c.levels)] {
				for k, level := range line.Levels {
					want := 100 * math.Exp(c.levels[i][k])
					if (level == level || want == want) && !(math.Abs(float64(level)-want) < 1e-9) {
						t.Errorf("seed %d: %s, %s, week %d: %v, want %v",
							seed, c.method, line.Category, k, level, want)
					}
				}
			}
		}
	}
}

func byCategory(dairy, meat []float64) [3][]float64 {
	return [3][]float64{mean(dairy, meat, 3, 1.5), dairy, meat}
}

func mean(x, y []float64, v, w float64) []float64 {
	z := make([]float64, len(x))
	for k := range z {
		switch {
		case x[k] != x[k]:
			z[k] = y[k]
		case y[k] != y[k]:
			z[k] = x[k]
		default:
			z[k] = (v*x[k] + w*y[k]) / (v + w)
		}
	}
	return z
}

// geks regresses the mean change between each two weeks on their dummies.
func (all prices) geks(weeks int) []float64 {
	var rows [][]float64
	var y []float64
	for s := range weeks {
		for t := s + 1; t < weeks; t++ {
			sum, n := 0.0, 0.0
			for _, series := range all {
				if series[s] > 0 && series[t] > 0 {
					sum, n = sum+math.Log(series[t]/series[s]), n+1
				}
			}
			if n > 0 {
				row := make([]float64, weeks)
				row[s], row[t] = -1, 1
				rows, y = append(rows, row), append(y, sum/n)
			}
		}
	}
	return solve(rows, y, weeks)
}

// dummies regresses log prices on dummies of weeks and series.
func (all prices) dummies(weeks int, weight func(i, k int) float64) []float64 {
	var rows [][]float64
	var y []float64
	for i, series := range all {
		for k, price := range series {
			if price > 0 {
				row, root := make([]float64, weeks+len(all)), math.Sqrt(weight(i, k))
				row[k], row[weeks+i] = root, root
				rows, y = append(rows, row), append(y, root*math.Log(price))
			}
		}
	}
	return solve(rows, y, weeks)
}

// solve returns the effects of the weeks beside that of the first: NaN for a week that no row has.
func solve(rows [][]float64, y []float64, weeks int) []float64 {
	x := make([]float64, weeks)
	var kept []int
	for c := 1; c < len(rows[0]); c++ {
		used := false
		for _, row := range rows {
			used = used || row[c] != 0
		}
		if used {
			kept = append(kept, c)
		} else if c < weeks {
			x[c] = math.NaN()
		}
	}
	a := mat.NewDense(len(rows), len(kept), nil)
	for i, row := range rows {
		for j, c := range kept {
			a.Set(i, j, row[c])
		}
	}
	var qr mat.QR
	var solution mat.VecDense
	qr.Factorize(a)
	if err := qr.SolveVecTo(&solution, false, mat.NewVecDense(len(y), y)); err != nil {
		panic(err)
	}
	for j, c := range kept {
		if c < weeks {
			x[c] = solution.AtVec(j)
		}
	}
	return x
}

// TestMeanSplice links weeks to windows of three: each has the mean of the changes from the two weeks
// before, from their published levels.
func TestMeanSplice(t *testing.T) {
	const weeks, window = 7, 3
	all := random(7, weeks)
	for i := range all {
		for k := range all[i] {
			all[i][k] = max(all[i][k], 1.5)
		}
	}
	x, err := assess.New(all.panel(t), 0, window)
	if err != nil {
		t.Fatal(err)
	}
	var want []float64
	for k := range weeks {
		var meat prices
		for _, series := range all[2*perProduct:] {
			meat = append(meat, series[max(k+1-window, 0):][:window])
		}
		log := meat.dummies(window, func(int, int) float64 { return 1 })
		if k < window {
			want = append(want, log[k])
		} else {
			want = append(want, (want[k-2]+log[2]+want[k-1]+log[2]-log[1])/2)
		}
		if got := x.Of(assess.AllGoods)[2].Levels[k]; math.Abs(float64(got)-100*math.Exp(want[k])) > 1e-9 {
			t.Errorf("week %d is %v, want %v", k, got, 100*math.Exp(want[k]))
		}
	}
}

// TestProportion moves all prices of a category by one factor a week, and lets most of the others be
// missing. The index is that factor by every method; the published one may be under its floor.
func TestProportion(t *testing.T) {
	for _, weeks := range []int{1, 2, 60} {
		r := rand.New(rand.NewPCG(uint64(weeks), 39))
		all := make(prices, perProduct*len(products))
		for i := range all {
			all[i] = make([]float64, weeks)
		}
		want := make([][3]float64, weeks) // headline, dairy, meat
		for k := range weeks {
			factors := [2]float64{1, 1}
			if k%3 > 0 { // else the prices of the base week
				factors = [2]float64{0.5 + float64(r.IntN(100))/100, 0.5 + float64(r.IntN(100))/100}
			}
			logs := [2][]float64{{math.NaN()}, {math.NaN()}}
			for i, series := range all {
				if c := i / (2 * perProduct); k == 0 || r.Float64() < 0.4 {
					series[k], logs[c] = float64(i+1)*factors[c], []float64{math.Log(factors[c])}
				}
			}
			for i, log := range byCategory(logs[0], logs[1]) {
				want[k][i] = 100 * math.Exp(log[0])
			}
		}
		x, err := assess.New(all.panel(t), 0, assess.Window)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range assess.Methods {
			for i, line := range x.Of(m)[:3] {
				for k, level := range line.Levels {
					got := float64(level)
					if m == assess.Published && got != got {
						continue
					}
					if (got == got || want[k][i] == want[k][i]) && !(math.Abs(got-want[k][i]) < 1e-4) {
						t.Errorf("%d weeks: %s, %s, week %d: %v, want %v",
							weeks, m, line.Category, k, got, want[k][i])
					}
				}
			}
		}
	}
}

// TestUnlinked has a product whose second series starts when the first has ended, and a category that
// enters late: by no method is there a change across.
func TestUnlinked(t *testing.T) {
	all := prices{{2, 3}, {0, 0, 4, 5}, {}, {}, {}, {}, {0, 1, 1, 1}}
	x, err := assess.New(all.panel(t), 0, assess.Window)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range assess.Methods[1:] {
		for i, want := range []string{"[100.000000 150.000000  ]", "[100.000000 150.000000  ]", "[   ]"} {
			if line := x.Of(m)[i]; fmt.Sprint(line.Levels) != want {
				t.Errorf("%s, %s: %v, want %s", m, line.Category, line.Levels, want)
			}
		}
	}
	for window, p := range map[int]prices{1: all, assess.Window: {{0, 3}}} {
		if _, err := assess.New(p.panel(t), 0, window); err == nil {
			t.Errorf("a window of %d weeks is taken, or a base week without a price", window)
		}
	}
}
