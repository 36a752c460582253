package jevons_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

func TestExplainAddsUp(t *testing.T) {
	for seed := range uint64(3) {
		d := randomData(3000 + seed)
		p := buildPanel(t, d)
		table, err := jevons.Compute(p, jevons.Options{Through: panel.Calendar{}.LastClosed(randomEnd), Quality: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := range table.Rows {
			r := &table.Rows[i]
			trimmed := int(r.Extra.Quality.Trimmed)
			e, err := table.Explain(r.Week, *r.Cell)
			if err != nil {
				t.Fatalf("seed %d, %s in %s: %v", seed, r.Cell, r.Week, err)
			}
			where := fmt.Sprintf("seed %d, %s in %s", seed, r.Cell, r.Week)
			checkDecomposition(t, where+" since base", e.Since, r.Index.Units-100_0000)
			for _, c := range e.Since.Products {
				trimmed -= c.Trimmed
			}
			if len(e.Since.Products) != int(r.ItemCount) || trimmed != 0 {
				t.Errorf("%s: %d products explained, %d counted; %d stores not trimmed", where, len(e.Since.Products), r.ItemCount, trimmed)
			}
			if (e.WoW != nil) != r.WoW.Valid {
				t.Fatalf("%s: week-over-week %s explained: %v", where, r.WoW, e.WoW != nil)
			}
			if e.WoW != nil {
				checkDecomposition(t, where+" over the week", *e.WoW, r.WoW.Units)
			}
			for from := r.Base; i%10 == 0 && from < r.Week; from = from.Add(1) {
				checkBetween(t, where+" since "+from.String(), table, e, from)
			}
		}
	}
}

// checkBetween checks the change of an explained row from an earlier week: that of Explain where it has
// one, else the ratio of the two levels. A week without a row and a headline without WoW say why not.
func checkBetween(t *testing.T, where string, table *jevons.Table, e *jevons.Explanation, from panel.Week) {
	t.Helper()
	r := &e.Row
	x, err := table.Between(from, r.Week, *r.Cell)
	then, headline := table.Find(from, *r.Cell), r.Cell.Category == basket.Overall
	before := then != nil && then == table.Before(r.Week, *r.Cell)
	if then == nil || headline && before && !r.WoW.Valid {
		if !errors.Is(err, jevons.ErrNotPublished) {
			t.Errorf("%s: %v", where, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	want := jevons.PercentChange(r.Index.Units, then.Index.Units)
	switch {
	case from == r.Base && !reflect.DeepEqual(x.Since, e.Since), before && from != r.Base && e.WoW != nil && !reflect.DeepEqual(x.Since, *e.WoW):
		t.Errorf("%s: %+v is not that of Explain", where, x.Since)
	case before && headline && from != r.Base:
		want = r.WoW
	}
	checkDecomposition(t, where, x.Since, want.Units)
	sum := int64(0)
	for _, part := range x.Categories() {
		sum += part.Level.Units
	}
	if headline && sum != want.Units {
		t.Errorf("%s: categories add up to %d, want %s", where, sum, want)
	}
}

// TestTenths rounds parts of a known sum.
func TestTenths(t *testing.T) {
	for _, c := range [][2]string{
		{"0.9229 0.0575 0.0541 0.0191 -0.0119 -0.0379 -0.0527 -0.1078 -0.2238", "0.9 0.1 0 0 0 0 -0.1 -0.1 -0.2"},
		{"0.05", "0.1"}, {"-0.05", "-0.1"}, {"0.0499", "0"}, {"0.4 0.4 0.4", "0.4 0.4 0.4"}, {"0.3333 0.3333 0.3334", "0.3 0.3 0.4"},
		{"0.04 0.04", "0.1 0"}, {"1.96 -1.96", "2 -2"}, {"", ""},
	} {
		var parts []panel.Fixed
		var got []string
		for _, part := range strings.Fields(c[0]) {
			v, err := panel.ParseFixed(part)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, v)
		}
		for _, v := range jevons.Tenths(parts) {
			got = append(got, fmt.Sprint(v.Float64()))
		}
		if strings.Join(got, " ") != c[1] {
			t.Errorf("%s: %v, want %s", c[0], got, c[1])
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

func TestExplainSaysWhyNot(t *testing.T) {
	d := randomData(3000)
	p := buildPanel(t, d)
	table, err := jevons.Compute(p, jevons.Options{Through: panel.Calendar{}.LastClosed(randomEnd)})
	if err != nil {
		t.Fatal(err)
	}
	national := jevons.Cell{Level: jevons.National}
	_, alien := p.Categories().With("spices")
	for _, c := range []struct {
		name string
		week panel.Week
		cell jevons.Cell
		want string
	}{
		{"before the base", panel.DefaultBaseWeek.Add(-1), national, "the table runs from 2026-07-19 to"},
		{"not closed", panel.Calendar{}.LastClosed(randomEnd).Add(1), national, "the table runs from 2026-07-19 to"},
		{"no such city", panel.DefaultBaseWeek, jevons.Cell{Level: jevons.City, City: "Nowhere"}, "in no week so far are 60% of the products priced"},
		{"no such category", panel.DefaultBaseWeek, jevons.Cell{Level: jevons.National, Category: alien}, "there is no such category"},
		{"no such banner", panel.DefaultBaseWeek, jevons.Cell{Level: jevons.Banner, City: "Zed", Banner: "none", Category: basket.Categories(nil).Of("dairy")}, "0 of"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := table.Explain(c.week, c.cell)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}

	for name, table := range map[string]*jevons.Table{"nil": nil, "zero": {}, "of no panel": jevons.Pilot(nil)} {
		if _, err := table.Explain(panel.DefaultBaseWeek, national); err == nil || len(jevons.Makers(nil)) > 0 {
			t.Errorf("a table that is %s is explained", name)
		}
	}
	if _, err := jevons.Pilot(p).Explain(panel.DefaultBaseWeek, national); err == nil || !strings.Contains(err.Error(), "only rows that Compute made") {
		t.Errorf("of the pilot series: %v", err)
	}

	// Every cell and week without a row says why.
	suppressed := 0
	cells := map[jevons.Cell]bool{}
	for _, r := range table.Rows {
		cells[*r.Cell] = true
	}
	for cell := range cells {
		for w := panel.DefaultBaseWeek; w <= (panel.Calendar{}).LastClosed(randomEnd); w = w.Add(1) {
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

// Prices of which none can count are refused with what to do.
func TestPricesThatCannotCount(t *testing.T) {
	for want, change := range map[string]func(d *oracle.Data){
		"all 40 prices are of inactive stores": func(d *oracle.Data) {
			d.Observations = d.Observations[:40]
			for i := range d.Stores {
				d.Stores[i].Active = false
			}
		},
		"all prices are before the base week 2030-01-06 (base_week in settings.csv); choose one from 2026-": func(d *oracle.Data) { d.BaseWeek = "2030-01-06" },
	} {
		d := randomData(3000)
		change(d)
		if _, err := jevons.Compute(buildPanel(t, d), jevons.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// TestNoPanel computes panels that no builder built.
func TestNoPanel(t *testing.T) {
	for _, p := range []*panel.Panel{nil, {}} {
		_, computed := jevons.Compute(p, jevons.Options{})
		_, regular := jevons.Regular(p, &panel.Rows{}, jevons.Options{})
		if computed == nil || p == nil && regular == nil {
			t.Errorf("%v, %v", computed, regular)
		}
	}
}
