package client_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/client"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// TestSeries compares the changes of series with view=since of the server, digit for digit.
func TestSeries(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	c := newClient(t, f.HTTP.URL, client.Key(f.Key(state.Standard)), client.Options{})
	series, err := client.Collect(c.Index(t.Context(), client.Query{"level": "city", "category": "overall", "limit": "50"}))
	if err != nil {
		t.Fatal(err)
	}
	since, week := panel.DefaultBaseWeek.Add(10), panel.DefaultBaseWeek.Add(16)
	changes, err := client.Compare(table.ViewSince, week, since, series...)
	if err != nil || len(changes) != 13 {
		t.Fatalf("%d series: %v", len(changes), err)
	}
	for r, err := range c.Index(t.Context(), client.Query{"level": "city", "category": "overall", "view": "since", "since": since.String(), "from": week.String(), "to": week.String()}) {
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(series, func(s *client.Series) bool { return s.Cell == *r.Cell })
		got, err := series[i].Change(since, week)
		level, err2 := series[i].Level(week)
		if err != nil || err2 != nil || got != changes[i] || level != r.Index || !strings.HasSuffix(string(r.JSON), `,"pct_change_since":`+got.String()+"}") {
			t.Errorf("%s: change %s, level %s, %v, %v; the server has %s", series[i].Cell, got, level, err, err2, r.JSON)
		}
	}
	dollars, err := client.Compare(table.ViewCost, week, 0, series...)
	if row := series[3].Rows()[len(series[3].Rows())-1]; err != nil || len(dollars) != 13 || row.Week != week.Add(1) || row.Cell.City != series[3].Cell.City {
		t.Errorf("%v, %v, %v", dollars, err, row)
	}
}

func TestSeriesRefuses(t *testing.T) {
	t.Parallel()
	row := func(name, city string, category basket.Category, week int, level int64) client.Row {
		return client.Row{Series: name, Release: "r1", Row: jevons.Row{
			Week: panel.DefaultBaseWeek.Add(week), Cell: &jevons.Cell{Level: jevons.City, City: city, Category: category},
			Index: panel.FixedOf(level), WoW: panel.FixedOf(10_000), BasketCost: panel.FixedOf(5 * level),
		}}
	}
	of := func(rows ...client.Row) *client.Series {
		s := &client.Series{}
		for _, r := range rows {
			if err := s.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	base := panel.DefaultBaseWeek
	toronto := of(row("v2", "Toronto", basket.Dairy, 0, 100_0000), row("v2", "Toronto", basket.Dairy, 2, 103_0000))
	calgary := of(row("v2", "Calgary", basket.Dairy, 0, 100_0000))
	meat := of(row("v2", "Toronto", basket.Meat, 0, 100_0000))
	pilot := of(row("v1", "Toronto", basket.Dairy, 0, 100_0000))
	later := of(func() client.Row { r := row("v2", "Calgary", basket.Dairy, 0, 100_0000); r.Release = "r2"; return r }())
	compare := func(view table.View, list ...*client.Series) error {
		_, err := client.Compare(view, base, base, list...)
		return err
	}
	second := func(_ panel.Fixed, err error) error { return err }
	refused := row("v2", "Toronto", basket.Dairy, 3, 1)
	refused.Release = "r2"
	for what, x := range map[string]struct {
		err  error
		is   error
		text string
	}{
		"v1 after v2":               {toronto.Append(row("v1", "Toronto", basket.Dairy, 3, 1)), client.ErrSplice, "use v2 alone"},
		"v1 beside v2":              {compare(table.ViewSince, toronto, pilot), client.ErrSplice, "use v2 alone"},
		"another city after it":     {toronto.Append(row("v2", "Calgary", basket.Dairy, 3, 1)), client.ErrLevels, "table.ViewSince"},
		"another category after it": {toronto.Append(row("v2", "Toronto", basket.Meat, 3, 1)), client.ErrLevels, "table.ViewSince"},
		"another release after it":  {toronto.Append(refused), client.ErrChanged, "r1 and r2"},
		"another release beside it": {compare(table.ViewSince, toronto, later), client.ErrChanged, "r1 and r2"},
		"an earlier week after it":  {toronto.Append(row("v2", "Toronto", basket.Dairy, 1, 1)), nil, "does not come after"},
		"the same week after it":    {toronto.Append(row("v2", "Toronto", basket.Dairy, 2, 1)), nil, "does not come after"},
		"levels of cities":          {compare(table.ViewIndex, toronto, calgary), client.ErrLevels, "table.ViewCost"},
		"levels of categories":      {compare(table.ViewIndex, toronto, meat), client.ErrLevels, "table.ViewSince"},
		"dollars of categories":     {compare(table.ViewCost, toronto, meat), client.ErrCosts, "table.ViewSince"},
		"weekly changes":            {toronto.Compound(base, base.Add(2)), client.ErrCompound, "3.0000% from 2026-07-19 to 2026-08-02"},
		"weekly changes to nothing": {toronto.Compound(base, base.Add(1)), client.ErrCompound, "no row"},
		"a week that is missing":    {second(toronto.Level(base.Add(1))), nil, "nothing is filled in"},
		"a change since nothing":    {second(toronto.Change(base.Add(1), base.Add(2))), nil, "has no level in the week ending 2026-07-26"},
		"dollars of cities":         {compare(table.ViewCost, toronto, calgary), nil, ""},
		"changes of categories":     {compare(table.ViewSince, toronto, meat), nil, ""},
		"one level":                 {compare(table.ViewIndex, toronto, toronto), nil, ""},
	} {
		switch {
		case (x.err == nil) != (x.text == ""), x.err != nil && !strings.Contains(x.err.Error(), x.text), x.is != nil && !errors.Is(x.err, x.is):
			t.Errorf("%s: %v", what, x.err)
		}
	}
	both, err := client.Collect(func(yield func(client.Row, error) bool) {
		_ = yield(row("v1", "Toronto", basket.Dairy, 0, 1), nil) && yield(row("v2", "Toronto", basket.Dairy, 1, 1), nil) && yield(row("v2", "Calgary", basket.Dairy, 1, 1), nil)
	})
	if err != nil || len(both) != 3 || both[0].Name != "v1" || both[1].Name != "v2" || both[2].Cell.City != "Calgary" || len(toronto.Rows()) != 2 {
		t.Errorf("%d series of v1 and v2, %v", len(both), err)
	}
}
