package jevons_test

import (
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// TestContributionsAddUp adds up the parts of every row of the demo and of random
// panels.
func TestContributionsAddUp(t *testing.T) {
	panels := []*panel.Panel{demoPanel(t)}
	for seed := range uint64(8) {
		panels = append(panels, buildPanel(t, randomData(3000+seed)))
	}
	gone := 0
	for _, p := range panels {
		table := withQuality(t, p)
		rows, err := table.WithContributions(table.Rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			r := &rows[i]
			if r.Extra.Quality != table.Rows[i].Extra.Quality || table.Rows[i].Extra.Contributions != nil {
				t.Fatalf("%s in %s: the quality is lost, or the table was changed", r.Cell, r.Week)
			}
			var level, wow int64
			matched := int32(0)
			for k, c := range r.Extra.Contributions {
				level, wow = level+c.Level.Units, wow+c.WoW.Units
				if c.WoW.Valid != r.WoW.Valid || !c.Level.Valid {
					t.Errorf("%s in %s: %+v", r.Cell, r.Week, c)
				}
				if headline := r.Cell.Category == basket.Overall; headline != (c.Product == 0) || !headline && c.Category != r.Cell.Category {
					t.Errorf("%s in %s: a part of %+v", r.Cell, r.Week, c)
				}
				if k > 0 && c.Product <= r.Extra.Contributions[k-1].Product && c.Category <= r.Extra.Contributions[k-1].Category {
					t.Errorf("%s in %s: parts are not in order", r.Cell, r.Week)
				}
				matched++
			}
			if r.Cell.Category != basket.Overall && matched != r.ItemCount {
				if gone++; matched < r.ItemCount || !r.WoW.Valid {
					t.Errorf("%s in %s: %d parts of %d products", r.Cell, r.Week, matched, r.ItemCount)
				}
			}
			if level != r.Index.Units-100_0000 || wow != r.WoW.Units {
				t.Errorf("%s in %s: parts add up to %d and %d, published are %s and %s", r.Cell, r.Week, level, wow, r.Index, r.WoW)
			}
		}
	}
	if gone == 0 {
		t.Error("no product is gone from one week to the next: nothing tests that")
	}
}

// The parts of six products' weeks; in the last a product of dairy is gone.
func TestContributionsOfSixProducts(t *testing.T) {
	p := sixProducts(t)
	index := withQuality(t, p)
	rows, err := index.WithContributions(index.Rows)
	if err != nil {
		t.Fatal(err)
	}
	index.Rows = rows
	for _, x := range []struct {
		week     int
		category basket.Category
		want     string
	}{
		{0, basket.Dairy, `{"contributions":[{"id":1,"level":0.0000,"wow":null},{"id":2,"level":0.0000,"wow":null},{"id":3,"level":0.0000,"wow":null},{"id":4,"level":0.0000,"wow":null}]}`},
		{1, basket.Overall, `{"contributions":[{"id":"dairy","level":5.8853,"wow":5.8853},{"id":"meat","level":0.0000,"wow":0.0000}]}`},
		{1, basket.Dairy, `{"contributions":[{"id":1,"level":3.3334,"wow":3.3334},{"id":2,"level":0.0000,"wow":0.0000},{"id":3,"level":3.3333,"wow":3.3333},{"id":4,"level":3.3333,"wow":3.3333}]}`},
		{3, basket.Dairy, `{"contributions":[{"id":1,"level":0.0000,"wow":-5.7851},{"id":2,"level":0.0000,"wow":0.0000},{"id":3,"level":0.0000,"wow":-5.7851},{"id":4,"level":0.0000,"wow":-5.7852}]}`},
		{5, basket.Overall, `{"contributions":[{"id":"dairy","level":3.2280,"wow":0.0000}]}`},
	} {
		row := index.Find(panel.DefaultBaseWeek.Add(x.week), jevons.Cell{Level: jevons.National, Category: x.category})
		if got := string(table.AppendJSON(nil, row, []table.Column{table.ContributionsColumn()})); got != x.want {
			t.Errorf("week %d, %s %s, week %s\n got %s\nwant %s", x.week, x.category, row.Index, row.WoW, got, x.want)
		}
	}
}
