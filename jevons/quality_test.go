package jevons_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// sixProducts is the example of docs/methodology.md on quality: four products of
// dairy and two of meat at one store, by week from the base week on.
func sixProducts(t *testing.T) *panel.Panel {
	d := oneStoreData([]float64{0.2, 0.1, 0.1, 0.2, 0.2, 0.2}, [][]float64{
		{2, 2, 2, 2, 2, 2},
		{2.2, 2, 2.42, 2.2, 2, 2},
		{2.42, 2, 2.9282, 2.42, 2, 2},
		{0, 2, 2, 2, 2, 2},   // a product of dairy is missing
		{2.2, 2, 2, 2, 2, 0}, // one of two of meat
		{2.2, 2, 2, 2, 0, 0}, // both
	})
	for i := range d.Products {
		d.Products[i].Category = []string{"dairy", "meat"}[i/4]
	}
	return buildPanel(t, d)
}

func withQuality(t *testing.T, p *panel.Panel) *jevons.Table {
	t.Helper()
	table, err := jevons.Compute(p, jevons.Options{Quality: true, Through: panel.LastClosed(randomEnd)})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestQualityOfSixProducts(t *testing.T) {
	index := withQuality(t, sixProducts(t))
	for _, x := range []struct {
		week     int
		category basket.Category
		want     string
	}{
		{0, basket.Overall, `{"se":0.0000,"ci95_low":100.0000,"ci95_high":100.0000,"df":4,"se_wow":null,"matched_series":6,"matched_stores":1,"trimmed":0,"matched_weight":1.0000,"status":"B"}`},
		{1, basket.Overall, `{"se":1.4832,"ci95_low":101.8463,"ci95_high":110.0845,"df":4,"se_wow":1.4832,"matched_series":6,"matched_stores":1,"trimmed":0,"matched_weight":1.0000,"status":"A"}`},
		{1, basket.Dairy, `{"se":2.5681,"ci95_low":102.1235,"ci95_high":118.4840,"df":3,"se_wow":null,"matched_series":4,"matched_stores":1,"trimmed":0,"matched_weight":1.0000,"status":"A"}`},
		{1, basket.Meat, `{"se":null,"ci95_low":null,"ci95_high":null,"df":1,"se_wow":null,"matched_series":2,"matched_stores":1,"trimmed":0,"matched_weight":1.0000,"status":"A"}`},
		{2, basket.Overall, `{"se":3.1410,"ci95_low":103.7267,"ci95_high":121.1859,"df":4,"se_wow":1.4832,"matched_series":6,"matched_stores":1,"trimmed":0,"matched_weight":1.0000,"status":"A"}`},
		{3, basket.Overall, `{"se":0.0000,"ci95_low":100.0000,"ci95_high":100.0000,"df":3,"se_wow":3.9264,"matched_series":5,"matched_stores":1,"trimmed":0,"matched_weight":0.8000,"status":"A"}`},
		{3, basket.Dairy, `{"se":null,"ci95_low":null,"ci95_high":null,"df":2,"se_wow":null,"matched_series":3,"matched_stores":1,"trimmed":0,"matched_weight":0.6667,"status":"E"}`},
		{4, basket.Overall, `{"se":null,"ci95_low":null,"ci95_high":null,"df":3,"se_wow":null,"matched_series":5,"matched_stores":1,"trimmed":0,"matched_weight":0.8000,"status":"A"}`},
		{5, basket.Overall, `{"se":3.2724,"ci95_low":93.3219,"ci95_high":114.1856,"df":3,"se_wow":0.0000,"matched_series":4,"matched_stores":1,"trimmed":0,"matched_weight":0.6000,"status":"E"}`},
	} {
		row := index.Find(panel.DefaultBaseWeek.Add(x.week), jevons.Cell{Level: jevons.National, Category: x.category})
		if row == nil {
			t.Fatalf("week %d has no row of %s", x.week, x.category)
		}
		if got := string(table.AppendJSON(nil, row, table.QualityColumns())); got != x.want {
			t.Errorf("week %d, %s %s\n got %s\nwant %s", x.week, x.category, row.Index, got, x.want)
		}
	}
}

// TestQualityLeavesOneOut computes every standard error again from what Explain
// tells, by really leaving products out.
func TestQualityLeavesOneOut(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			d := randomData(4000 + seed)
			p := buildPanel(t, d)
			table := withQuality(t, p)
			plain := compute(t, d)
			intervals, changes := 0, 0
			for i := range table.Rows {
				r, q := &table.Rows[i], table.Rows[i].Extra.Quality
				where := fmt.Sprintf("%s in %s", r.Cell, r.Week)
				bare := *r
				bare.Extra = nil
				if bare != withCell(plain.Rows[i], r.Cell) {
					t.Fatalf("%s: quality changes the row", where)
				}
				e, err := table.Explain(r.Week, *r.Cell)
				if err != nil {
					t.Fatal(err)
				}
				se, df := leaveOneOut(d, r.Cell, e.SinceBase.Products, func(c *jevons.Contribution) float64 { return math.Log(c.Relative) })
				if q.DF != int32(df) {
					t.Errorf("%s: %d degrees of freedom, want %d", where, q.DF, df)
				}
				level := 1 + e.SinceBase.Change/100
				near(t, where+" se", q.SE, 100*level*se)
				if df >= 3 && q.SE.Valid {
					intervals++
					half := se * distuv.StudentsT{Sigma: 1, Nu: float64(df)}.Quantile(0.975)
					near(t, where+" low", q.Low, 100*level*math.Exp(-half))
					near(t, where+" high", q.High, 100*level*math.Exp(half))
				}
				wow, half, change := math.NaN(), math.NaN(), 0.0
				if r.Cell.Category == basket.Overall && e.WoW != nil {
					changes++
					wow, df = leaveOneOut(d, r.Cell, e.WoW.Products, func(c *jevons.Contribution) float64 { return math.Log(c.Relative / c.Before) })
					wow *= 100 + e.WoW.Change
					half, change = wow*distuv.StudentsT{Sigma: 1, Nu: float64(df)}.Quantile(0.975), e.WoW.Change
				}
				near(t, where+" low end of the change", q.LowWoW, change-half)
				near(t, where+" high end of the change", q.HighWoW, change+half)
				near(t, where+" se of the change", q.SEWoW, wow)
				checkCounts(t, where, table, p, r)
			}
			if seed == 0 && (intervals == 0 || changes == 0) {
				t.Errorf("%d intervals and %d changes: that tests little", intervals, changes)
			}
		})
	}
}

func withCell(r jevons.Row, cell *jevons.Cell) jevons.Row { r.Cell = cell; return r }

// near compares a published number with what it should be; NaN is null.
func near(t *testing.T, what string, got panel.Fixed, want float64) {
	t.Helper()
	if got.Valid == math.IsNaN(want) || got.Valid && math.Abs(got.Float64()-want) > 0.5001e-4+1e-9*math.Abs(want) {
		t.Errorf("%s is %s, want %.6f", what, got, want)
	}
}

// leaveOneOut returns the standard error of the mean of the products' values, with
// its degrees of freedom. The error is NaN without an interval.
func leaveOneOut(d *oracle.Data, cell *jevons.Cell, products []jevons.Contribution, value func(*jevons.Contribution) float64) (se float64, df int) {
	strata := map[string][]*jevons.Contribution{}
	for i := range products {
		c := products[i].Product.Category.String()
		strata[c] = append(strata[c], &products[i])
	}
	// rho is the level without one product.
	rho := func(without *jevons.Contribution) (sum float64) {
		total := 0.0
		for name, list := range strata {
			active, num, den := 0.0, 0.0, 0.0
			for _, p := range d.Products {
				if p.Active && p.Category == name {
					active += p.Weight
				}
			}
			for _, c := range list {
				if c != without {
					num += c.Product.Weight * value(c)
					den += c.Product.Weight
				}
			}
			sum += active * num / den
			total += active
		}
		return sum / total
	}
	variance := 0.0
	for _, list := range strata {
		n := float64(len(list))
		df += len(list) - 1
		var moves []float64
		mean := 0.0
		for _, c := range list {
			moves = append(moves, rho(c)-rho(nil))
			mean += moves[len(moves)-1] / n
		}
		for _, m := range moves {
			variance += (n - 1) / n * (m - mean) * (m - mean)
		}
		if n == 1 {
			variance = math.NaN()
		}
	}
	if df < 3 {
		return math.NaN(), df
	}
	return math.Sqrt(variance), df
}

// checkCounts compares the counts with the store relatives behind the row.
func checkCounts(t *testing.T, where string, table *jevons.Table, p *panel.Panel, r *jevons.Row) {
	t.Helper()
	all, err := table.StoreRelatives(r.Week, *r.Cell)
	if err != nil {
		t.Fatal(err)
	}
	var series, trimmed int32
	stores, weights := map[int64]bool{}, map[int]float64{}
	for _, s := range all {
		series += int32(len(s.Listings))
		stores[s.Store.ID] = true
		weights[s.Product.ID] = s.Product.Weight
		if s.Trimmed {
			trimmed++
		}
	}
	q := r.Extra.Quality
	if q.Series != series || int(q.Stores) != len(stores) || q.Trimmed != trimmed {
		t.Errorf("%s: %d series, %d stores, %d trimmed; want %d, %d, %d", where, q.Series, q.Stores, q.Trimmed, series, len(stores), trimmed)
	}
	matched, active, lacking := 0.0, 0.0, map[basket.Category]bool{}
	for _, x := range p.Products() {
		if x.Active && (r.Cell.Category == basket.Overall || r.Cell.Category == x.Category) {
			active += x.Weight
			matched += weights[x.ID]
			if _, ok := lacking[x.Category]; !ok {
				lacking[x.Category] = true
			}
			if _, ok := weights[x.ID]; ok {
				lacking[x.Category] = false
			}
		}
	}
	near(t, where+" weight", q.Weight, matched/active)
	want := jevons.Normal
	if matched/active < 0.8-1e-9 {
		want = jevons.Estimated
	}
	for _, lacks := range lacking {
		if lacks {
			want = jevons.Estimated
		}
	}
	if r.Week == r.Base {
		want = jevons.Break
	}
	if q.Status != want {
		t.Errorf("%s: status %c, want %c", where, q.Status, want)
	}
}
