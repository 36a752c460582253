package jevons_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

func TestExplainAddsUp(t *testing.T) {
	for seed := range uint64(6) {
		d := randomData(3000 + seed)
		p := buildPanel(t, d)
		table, err := jevons.Compute(p, jevons.Options{Through: panel.LastClosed(randomEnd)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range table.Rows {
			r := &table.Rows[i]
			e, err := table.Explain(r.Week, *r.Cell)
			if err != nil {
				t.Fatalf("seed %d, %s in %s: %v", seed, r.Cell, r.Week, err)
			}
			where := fmt.Sprintf("seed %d, %s in %s", seed, r.Cell, r.Week)
			checkDecomposition(t, where+" since base", e.SinceBase, r.Index.Units-100_0000)
			if len(e.SinceBase.Products) != int(r.ItemCount) {
				t.Errorf("%s: %d products explained, %d counted", where, len(e.SinceBase.Products), r.ItemCount)
			}
			if (e.WoW != nil) != r.WoW.Valid {
				t.Fatalf("%s: week-over-week %s explained: %v", where, r.WoW, e.WoW != nil)
			}
			if e.WoW != nil {
				checkDecomposition(t, where+" over the week", *e.WoW, r.WoW.Units)
				checkRelatives(t, where, table, p, e)
			}
		}
	}
}

// checkDecomposition checks that the parts add up: unrounded ones to the
// change to the last bit, rounded ones to the published figure.
func checkDecomposition(t *testing.T, where string, d jevons.Decomposition, published int64) {
	t.Helper()
	points, shares, rounded := 0.0, 0.0, int64(0)
	for _, c := range d.Products {
		points += c.Points
		shares += c.Share
		rounded += c.Rounded.Units
		if math.Abs(c.Rounded.Float64()-c.Points) > 2e-4 {
			t.Errorf("%s: product %d: %v rounded to %s", where, c.Product.ID, c.Points, c.Rounded)
		}
		if c.Trimmed > 0 && c.Stores < 10 {
			t.Errorf("%s: product %d: %d of %d stores trimmed", where, c.Product.ID, c.Trimmed, c.Stores)
		}
	}
	if points != d.Change {
		t.Errorf("%s: parts add up to %.17g, the change is %.17g", where, points, d.Change)
	}
	if rounded != published {
		t.Errorf("%s: rounded parts add up to %d, published is %d", where, rounded, published)
	}
	if math.Abs(shares-1) > 1e-12 {
		t.Errorf("%s: shares add up to %v", where, shares)
	}
	if math.Abs(d.Change-float64(published)/1e4) > 0.500001e-4 {
		t.Errorf("%s: change %v, published %v", where, d.Change, float64(published)/1e4)
	}
}

// checkRelatives checks what a week-over-week decomposition starts from. A
// category's two levels stand each on its own matched products, as in the
// decompositions since base of the two weeks. A headline's stand on the same
// series, so no product may have more stores than it has since base.
func checkRelatives(t *testing.T, where string, table *jevons.Table, p *panel.Panel, e *jevons.Explanation) {
	t.Helper()
	previous, err := table.Explain(e.WoW.From, *e.Row.Cell)
	if err != nil {
		t.Fatalf("%s: the week before: %v", where, err)
	}
	find := func(d jevons.Decomposition, id int) (c jevons.Contribution) {
		for _, c := range d.Products {
			if c.Product.ID == id {
				return c
			}
		}
		return c
	}
	for _, c := range e.WoW.Products {
		now, then := find(e.SinceBase, c.Product.ID), find(previous.SinceBase, c.Product.ID)
		if e.Row.Cell.Category != basket.Overall && (c.Relative != now.Relative || c.Before != then.Relative || c.Stores != now.Stores) {
			t.Errorf("%s: product %d: %v at %d stores after %v; since base it is %v at %d stores after %v", where,
				c.Product.ID, c.Relative, c.Stores, c.Before, now.Relative, now.Stores, then.Relative)
		}
		if c.Stores > min(now.Stores, then.Stores) && e.Row.Cell.Category == basket.Overall {
			t.Errorf("%s: product %d has %d stores in all three weeks, %d and %d in two", where, c.Product.ID, c.Stores, then.Stores, now.Stores)
		}
	}
}

func TestExtremePrices(t *testing.T) {
	const cheapest, dearest = 0.0001, 10_000_000
	for _, c := range []struct {
		prices [][]float64
		want   float64
	}{
		{[][]float64{{cheapest, cheapest}, {dearest, dearest}}, 1e13},
		{[][]float64{{dearest, dearest}, {cheapest, cheapest}, {dearest, dearest}}, 0}, // 1e-9 rounded
	} {
		p := oneStorePanel(t, []float64{1, 3}, c.prices)
		table, err := jevons.Compute(p, jevons.Options{})
		if err != nil {
			t.Fatal(err)
		}
		week := panel.DefaultBaseWeek.Add(1)
		e, err := table.Explain(week, jevons.Cell{Level: jevons.National})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Row.Index.Float64(); math.Abs(got-c.want) > 1e-14*c.want {
			t.Errorf("the level is %v, want %v", got, c.want)
		}
		// A change against a level that rounds to 0 is unknown.
		dairy := jevons.Cell{Level: jevons.National, Category: basket.Dairy}
		if after := table.Find(week.Add(1), dairy); len(c.prices) > 2 && (after == nil || after.WoW.Valid) {
			t.Errorf("after a level of 0.0000: %+v", after)
		}
	}
}

func TestExplainSaysWhyNot(t *testing.T) {
	d := randomData(3000)
	p := buildPanel(t, d)
	table, err := jevons.Compute(p, jevons.Options{Through: panel.LastClosed(randomEnd)})
	if err != nil {
		t.Fatal(err)
	}
	national := jevons.Cell{Level: jevons.National}
	for _, c := range []struct {
		name string
		week panel.Week
		cell jevons.Cell
		want string
	}{
		{"before the base", panel.DefaultBaseWeek.Add(-1), national, "the table runs from 2026-07-19 to"},
		{"not closed", panel.LastClosed(randomEnd).Add(1), national, "the table runs from 2026-07-19 to"},
		{"no such city", panel.DefaultBaseWeek, jevons.Cell{Level: jevons.City, City: "Nowhere"}, "in no week so far are 60% of the products priced"},
		{"no such banner", panel.DefaultBaseWeek, jevons.Cell{Level: jevons.Banner, City: "Zed", Banner: "none", Category: basket.Dairy}, "0 of"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := table.Explain(c.week, c.cell)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}

	// Every cell and week without a row says why.
	suppressed := 0
	cells := map[jevons.Cell]bool{}
	for _, r := range table.Rows {
		cells[*r.Cell] = true
	}
	for cell := range cells {
		for w := panel.DefaultBaseWeek; w <= panel.LastClosed(randomEnd); w = w.Add(1) {
			if table.Find(w, cell) == nil {
				suppressed++
				if _, err := table.Explain(w, cell); !errors.Is(err, jevons.ErrNotPublished) {
					t.Errorf("%s in %s: %v", cell, w, err)
				}
			}
		}
	}
	if suppressed == 0 {
		t.Error("the panel has no suppressed cell")
	}
}

func TestCorners(t *testing.T) {
	headline := jevons.Filter{Level: jevons.National, Categories: []basket.Category{basket.Overall}}
	for _, c := range []struct {
		name   string
		prices [][]float64
		want   string // week offset: level wow cost items
	}{
		{"no price at all", nil, ""},
		{"one week", [][]float64{{2, 4}}, "0: 100.0000 - 6.00 2/2\n"},
		// 100 * 1.1^(1/4) * 1^(3/4) = 102.4113689... (R: 1.1^0.25)
		{"one product moves", [][]float64{{2, 4}, {2.2, 4}}, "0: 100.0000 - 6.00 2/2\n1: 102.4114 2.4114 6.20 2/2\n"},
		{"half the basket is under the floor", [][]float64{{2, 4}, {2.2, 0}, {2.2, 5}},
			// 100 * 1.1^0.25 * 1.25^0.75 = 121.06836...: the change is against the week before the gap
			"0: 100.0000 - 6.00 2/2\n2: 121.0684 21.0684 7.20 2/2\n"},
		{"a gap of a week", [][]float64{{2, 4}, {0, 0}, {2, 4}}, "0: 100.0000 - 6.00 2/2\n2: 100.0000 0.0000 6.00 2/2\n"},
		{"late entry", [][]float64{{2, 0}, {3, 5}, {3, 10}},
			// based on week 1: 100 * 2^0.75 = 168.1793
			"1: 100.0000 - 8.00 2/2\n2: 168.1793 68.1793 13.00 2/2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := jevons.Compute(oneStorePanel(t, []float64{1, 3}, c.prices), jevons.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, r := range table.Select(headline) {
				wow := r.WoW.String()
				if wow == "" {
					wow = "-"
				}
				got += fmt.Sprintf("%d: %s %s %s %d/%d\n", (r.Week-panel.DefaultBaseWeek)/7, r.Index, wow, string(r.BasketCost.Append(nil, 2)), r.ItemCount, r.TotalItems)
			}
			if got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// Published examples of elementary aggregates, as one category at one store.
func TestKnownValues(t *testing.T) {
	for _, c := range []struct {
		source    string
		weights   []float64
		base, now []float64
		want      string
	}{
		// Statistics Canada, course on price indices: relatives of an elementary
		// aggregate and their weights; the weighted mean is 1.063125, Jevons 1.069184.
		{"weighted", []float64{0.25, 0.3, 0.3, 0.15}, []float64{1, 1, 1, 1}, []float64{1.1, 1.2, 0.9, 1.1}, "106.3125"},
		{"Jevons", []float64{1, 1, 1, 1}, []float64{1, 1, 1, 1}, []float64{1.1, 1.2, 0.9, 1.1}, "106.9184"},
		// price6 of the R package gpindex, periods 1, 2 and 5: Jevons
		// 1.241920090268420 and 0.632455532033676.
		{"price6, 2", slices.Repeat([]float64{1}, 6), slices.Repeat([]float64{1}, 6), []float64{1.2, 3, 1.3, .7, 1.4, .8}, "124.1920"},
		{"price6, 5", slices.Repeat([]float64{1}, 6), slices.Repeat([]float64{1}, 6), []float64{1, 1, 1.6, .1, 2, .2}, "63.2456"},
	} {
		d := oneStoreData(c.weights, [][]float64{c.base, c.now})
		for i := range d.Products {
			d.Products[i].Category = "dairy"
		}
		table, err := jevons.Compute(buildPanel(t, d), jevons.Options{})
		if err != nil {
			t.Fatal(err)
		}
		week := panel.DefaultBaseWeek.Add(1)
		headline, dairy := table.Find(week, jevons.Cell{Level: jevons.National}), table.Find(week, jevons.Cell{Level: jevons.National, Category: basket.Dairy})
		if headline.Index.String() != c.want || dairy.Index.String() != c.want {
			t.Errorf("%s: headline %s, category %s; want %s", c.source, headline.Index, dairy.Index, c.want)
		}
	}
}

// A product without weight counts as an item and moves nothing; a category in
// which nothing has a weight has no level.
func TestNoWeight(t *testing.T) {
	p := oneStorePanel(t, []float64{0, 3}, [][]float64{{1, 1}, {5, 1.2}})
	table, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	week := panel.DefaultBaseWeek.Add(1)
	row := table.Find(week, jevons.Cell{Level: jevons.National})
	if row == nil || row.Index != panel.FixedOf(120_0000) || row.ItemCount != 2 || row.WoW != panel.FixedOf(20_0000) {
		t.Errorf("headline %+v", row)
	}
	if row := table.Find(week, jevons.Cell{Level: jevons.National, Category: basket.Dairy}); row != nil {
		t.Errorf("dairy has no weight and a level: %+v", row)
	}
	e, err := table.Explain(week, jevons.Cell{Level: jevons.National})
	if err != nil {
		t.Fatal(err)
	}
	checkDecomposition(t, "headline", e.SinceBase, 20_0000)
}

func TestOptionsAreChecked(t *testing.T) {
	p := oneStorePanel(t, []float64{1, 3}, [][]float64{{2, 4}})
	for _, c := range []struct {
		o    jevons.Options
		want string
	}{
		{jevons.Options{Base: panel.DefaultBaseWeek + 1}, "no Sunday"},
		{jevons.Options{Trim: jevons.Percent(50)}, "trim share 50/100"},
		{jevons.Options{Trim: jevons.Percent(-1)}, "trim share -1/100"},
		{jevons.Options{Floor: jevons.Percent(101)}, "floor share 101/100"},
	} {
		if _, err := jevons.Compute(p, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}
