package table_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// TestViews computes every view of rows again, from the printed levels of three products over 60 weeks.
func TestViews(t *testing.T) {
	var x panel.Prices
	r := rand.New(rand.NewPCG(1, 60))
	for week := range 60 {
		for i, product := range []string{"milk", "tea", "soap"} {
			x.Product, x.Category = append(x.Product, product), append(x.Category, []string{"food", "food", "other"}[i])
			x.Day = append(x.Day, panel.DefaultBaseWeek.Add(week).Date().Time(time.UTC))
			x.Price = append(x.Price, float64(100+r.IntN(900))/100)
		}
	}
	index, err := jevons.FromPrices(x, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	since := index.Options.Through.Add(-5)
	rows := index.Select(jevons.Filter{Level: jevons.National, From: since.Date()})
	years := 0
	for v := table.ViewIndex; v <= table.ViewCost; v++ {
		column, err := table.ViewColumn(&panel.About{}, index, v, since, table.CellsOf(rows))
		if err != nil {
			t.Fatal(v, err)
		}
		for i := range rows {
			r, want := &rows[i], ""
			switch v {
			case table.ViewIndex:
				want = r.Index.String()
			case table.ViewCost:
				want = r.BasketCost.String()
			case table.ViewSince:
				want = percent(t, r, index.Find(since, *r.Cell))
			default:
				if want = percent(t, r, index.Find(r.Week.Add(-v.Weeks()), *r.Cell)); v == table.ViewYoY && want != "" {
					years++
				}
			}
			if got := column.Number(r).String(); got != want {
				t.Fatalf("%s, week ending %s, view %s: %q, not %q", r.Cell, r.Week, v, got, want)
			}
		}
	}
	if years == 0 {
		t.Error("no change over 52 weeks was checked")
	}
}

// percent returns 100*(now/then-1) of two printed levels, with four decimals, half away from zero.
func percent(t *testing.T, now, then *jevons.Row) string {
	t.Helper()
	if then == nil {
		return ""
	}
	a, ok := new(big.Rat).SetString(now.Index.String())
	b, ok2 := new(big.Rat).SetString(then.Index.String())
	if !ok || !ok2 {
		t.Fatal(now, then)
	}
	x := a.Quo(a, b)
	return x.Sub(x, big.NewRat(1, 1)).Mul(x, big.NewRat(100, 1)).FloatString(4) // rounds half away from zero
}

// TestSinceWithoutLevel refuses a series that has no level in the chosen week by name.
func TestSinceWithoutLevel(t *testing.T) {
	week := panel.DefaultBaseWeek
	index := &jevons.Table{}
	for k := 1; k < 4; k++ {
		for _, cell := range []jevons.Cell{{Level: jevons.National}, {Level: jevons.City, City: "C"}} {
			index.Rows = append(index.Rows, jevons.Row{Week: week.Add(k), Cell: &cell, Index: panel.FixedOf(100_0000)})
		}
	}
	national := func(c basket.Category) jevons.Cell { return jevons.Cell{Level: jevons.National, Category: c} }
	cells := []jevons.Cell{national(basket.Overall), {Level: jevons.City, City: "C", Category: basket.Overall}}
	_, err := table.ViewColumn(&panel.About{}, index, table.ViewSince, week.Add(9), cells)
	missing, ok := errors.AsType[*table.NoLevelError](err)
	if !ok || missing.Cell != cells[0] {
		t.Fatalf("%+v", err)
	}
	if text := missing.Named("national.overall"); !strings.HasPrefix(text, "national.overall has no level in the week ending "+week.Add(9).String()) {
		t.Error(text)
	}
	if _, err = table.ViewColumn(&panel.About{}, index, table.ViewSince, week.Add(-1), cells[:1]); err == nil ||
		err.Error() != "overall, national has no level in the week ending 2026-07-12" {
		t.Error(err)
	}
	if _, err = table.ViewColumn(&panel.About{}, index, table.ViewYoY, 0, cells); err != nil {
		t.Error(err)
	}
}

// TestNames reads and writes the names of series.
func TestNames(t *testing.T) {
	names := table.NewNames([]basket.City{
		{Slug: "toronto", Name: "Toronto"}, {Slug: "st-johns", Name: "St. John's"}, {Slug: "a", Name: "A"}, {Slug: "a.b", Name: "AB"},
	}, []string{"b", "b.c", "metro"}, nil)
	for name, cell := range map[string]jevons.Cell{
		"national.overall":     {Level: jevons.National, Category: basket.Overall},
		"st-johns.dairy":       {Level: jevons.City, City: "St. John's", Category: basket.Categories(nil).Of("dairy")},
		"toronto.metro.frozen": {Level: jevons.Banner, City: "Toronto", Banner: "metro", Category: basket.Categories(nil).Of("frozen")},
		"toronto.b.c.overall":  {Level: jevons.Banner, City: "Toronto", Banner: "b.c", Category: basket.Overall},
		"a.b.dairy":            {Level: jevons.Banner, City: "A", Banner: "b", Category: basket.Categories(nil).Of("dairy")},
		"a.b.metro.dairy":      {Level: jevons.Banner, City: "AB", Banner: "metro", Category: basket.Categories(nil).Of("dairy")},
	} {
		if got, err := names.Parse(name); err != nil || got != cell {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if got := names.Name(cell); got != name {
			t.Errorf("%+v: %q, not %q", cell, got, name)
		}
	}
	for _, cell := range []jevons.Cell{{Level: jevons.City, City: "AB", Category: basket.Categories(nil).Of("dairy")}, {Level: jevons.City, City: "Nowhere"}} {
		if got := names.Name(cell); got != "" {
			t.Errorf("%+v: %q, which is another series", cell, got)
		}
	}
	for name, want := range map[string]string{
		"":                       `"" is no name of a series; write national.CATEGORY`,
		"toronto.":               "is no name of a series",
		"torono.dairy":           `there is no city "torono"; did you mean "toronto"?`,
		"toronto.dary":           `there is no category "dary"; did you mean "dairy"?`,
		"toronto.metre.dairy":    `there is no banner "metre"; did you mean "metro"?`,
		"national.metro.dairy":   `has a banner but no city; write CITY.metro.dairy`,
		"Toronto.dairy":          `did you mean "toronto"?`,
		"xxxxxxxxxxxxxxxx.dairy": "known are national, toronto, st-johns, a, a.b",
	} {
		if cell, err := names.Parse(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v", name, cell, err)
		}
	}
}
