package table_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// slowRatio returns 100*(now/then-1) of two printed numbers, with four decimals, half
// away from zero.
func slowRatio(t *testing.T, now, then string) string {
	t.Helper()
	a, ok := new(big.Rat).SetString(now)
	b, ok2 := new(big.Rat).SetString(then)
	if !ok || !ok2 {
		t.Fatalf("%q or %q is no number", now, then)
	}
	x := a.Quo(a, b)
	return x.Sub(x, big.NewRat(1, 1)).Mul(x, big.NewRat(100, 1)).FloatString(4) // rounds half away from zero
}

// TestViewsOfDemo computes every view of every cell of 62 weeks again, from the
// printed levels.
func TestViewsOfDemo(t *testing.T) {
	data, err := synth.Generate(synth.Config{Weeks: 62, Through: panel.DateOf(2026, time.November, 20)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := data.Panel()
	if err != nil {
		t.Fatal(err)
	}
	computed, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkViews(t, computed)
	checkViews(t, jevons.Pilot(p))
}

func checkViews(t *testing.T, index *jevons.Table) {
	t.Helper()
	type key struct {
		cell jevons.Cell
		date string
	}
	printed := map[key]string{}
	for i := range index.Rows {
		r := &index.Rows[i]
		printed[key{*r.Cell, r.Week.String()}] = r.Index.String()
	}
	pilot := index.Options.Base == 0
	newest := index.Rows[len(index.Rows)-1].Week
	since := newest.Add(-5)
	var chosen []jevons.Row // of the cells that have a level in the week since
	for _, r := range index.Rows {
		if printed[key{*r.Cell, since.String()}] != "" {
			chosen = append(chosen, r)
		}
	}
	values := map[table.View][]panel.Fixed{}
	for v := table.ViewIndex; v <= table.ViewCost; v++ {
		var err error
		if values[v], err = table.Values(index, v, since, chosen); err != nil {
			t.Fatal(v, err)
		}
	}
	years := 0
	for i := range chosen {
		r := &chosen[i]
		earlier := func(days int) string {
			day := r.Week.Date().Time(time.UTC).AddDate(0, 0, -days).Format(time.DateOnly)
			then := printed[key{*r.Cell, day}]
			if then == "" {
				return ""
			}
			return slowRatio(t, r.Index.String(), then)
		}
		want := map[table.View]string{
			table.ViewIndex: r.Index.String(), table.ViewCost: r.BasketCost.String(),
			table.ViewYoY: earlier(364), table.ViewFourWeeks: earlier(28),
			table.ViewSince: slowRatio(t, r.Index.String(), printed[key{*r.Cell, since.String()}]),
		}
		if pilot {
			want[table.ViewFourWeeks] = r.MoM.String() // as it was published
		}
		if want[table.ViewYoY] != "" {
			years++
		}
		for v, text := range want {
			if got := values[v][i].String(); got != text {
				t.Fatalf("%s, week ending %s, view %s: %q, not %q", r.Cell, r.Week, v, got, text)
			}
		}
	}
	if !pilot && years == 0 {
		t.Error("no change of a year was checked")
	}
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
	_, err := table.ViewColumn(index, table.ViewSince, week.Add(9), cells)
	missing, ok := errors.AsType[*table.NoLevelError](err)
	if !ok || missing.More != 1 || missing.Cell != cells[0] {
		t.Fatalf("%+v", err)
	}
	if text := missing.Named("national.overall"); !strings.HasPrefix(text, "national.overall has no level in the week ending "+week.Add(9).String()) {
		t.Error(text)
	}
	if _, err = table.ViewColumn(index, table.ViewSince, week.Add(-1), cells[:1]); err == nil ||
		err.Error() != "overall, national has no level in the week ending 2026-07-12; its first is that of the week ending 2026-07-26" {
		t.Error(err)
	}
	if _, err = table.ViewColumn(index, table.ViewYoY, 0, cells); err != nil {
		t.Error(err)
	}
}

// TestNames reads and writes the names of series.
func TestNames(t *testing.T) {
	names := table.NewNames([]basket.City{
		{Slug: "toronto", Name: "Toronto"}, {Slug: "st-johns", Name: "St. John's"}, {Slug: "a", Name: "A"}, {Slug: "a.b", Name: "AB"},
	}, []string{"b", "b.c", "metro"})
	for name, cell := range map[string]jevons.Cell{
		"national.overall":     {Level: jevons.National, Category: basket.Overall},
		"st-johns.dairy":       {Level: jevons.City, City: "St. John's", Category: basket.Dairy},
		"toronto.metro.frozen": {Level: jevons.Banner, City: "Toronto", Banner: "metro", Category: basket.Frozen},
		"toronto.b.c.overall":  {Level: jevons.Banner, City: "Toronto", Banner: "b.c", Category: basket.Overall},
		"a.b.dairy":            {Level: jevons.Banner, City: "A", Banner: "b", Category: basket.Dairy},
		"a.b.metro.dairy":      {Level: jevons.Banner, City: "AB", Banner: "metro", Category: basket.Dairy},
	} {
		if got, err := names.Parse(name); err != nil || got != cell {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if got := names.Name(cell); got != name {
			t.Errorf("%+v: %q, not %q", cell, got, name)
		}
	}
	for _, cell := range []jevons.Cell{{Level: jevons.City, City: "AB", Category: basket.Dairy}, {Level: jevons.City, City: "Nowhere"}} {
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
