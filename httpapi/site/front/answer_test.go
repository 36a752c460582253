package front

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// parsedFixed reads a number; empty is null.
func parsedFixed(t *testing.T, s string) panel.Fixed {
	t.Helper()
	v, err := panel.ParseFixed(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// toronto is where prices of these tests are from.
func toronto(panel.Week) words.Places {
	return words.Places{Cities: []string{"Toronto"}, Stores: 7, Products: 15}
}

// TestAnswerFirst has a direction, and so a large type, only by an interval without zero.
func TestAnswerFirst(t *testing.T) {
	t.Parallel()
	base := panel.Week(panel.DateOf(2026, time.July, 19))
	cell := nationalCell(basket.Overall)
	for name, x := range map[string]struct {
		weeks                      int // after the base week
		index, yoy, low, high      string
		first, direction, interval string
	}{
		"the first week":  {0, "100", "", "", "", "0.0%", "", ""},
		"a rise":          {1, "101.2500", "", "100.0001", "102.5", "+1.3%", "up", "95% interval 0.0% to +2.5%"},
		"a fall":          {1, "98.9501", "", "98", "99.9999", "−1.0%", "down", "95% interval −2.0% to 0.0%"},
		"no clear change": {1, "100.7", "", "98.2", "103.1", "+0.7%", "", "95% interval −1.8% to +3.1%: other goods could have shown a rise or a fall"},
		"touching 100":    {1, "100.7", "", "100", "101.4", "+0.7%", "", "95% interval 0.0% to +1.4%: other goods could have shown a rise or a fall"},
		"too small":       {1, "100.04", "", "100.01", "100.07", "0.0%", "", "95% interval 0.0% to +0.1%"},
		"no interval":     {1, "100.05", "", "", "", "+0.1%", "", ""},
		"a year":          {52, "103", "2.35", "102", "104", "+3.0%", "up", "95% interval +2.0% to +4.0%"},
	} {
		rows := []jevons.Row{{Week: base, Base: base, Cell: &cell, Index: parsedFixed(t, "100"), TotalItems: 50}}
		if x.weeks > 0 {
			rows = append(rows, jevons.Row{Week: base.Add(x.weeks), Base: base, Cell: &cell, Index: parsedFixed(t, x.index), YoY: parsedFixed(t, x.yoy), TotalItems: 50})
		}
		quality := slices.Clone(rows)
		for i := range quality {
			quality[i].Extra = &jevons.Extra{Quality: &jevons.Quality{}}
		}
		quality[len(rows)-1].Extra.Quality.Low, quality[len(rows)-1].Extra.Quality.High = parsedFixed(t, x.low), parsedFixed(t, x.high)
		got := newAnswer(words.English, figure.PublicNational, &jevons.Table{Rows: rows}, &jevons.Table{Rows: quality}, nil, nil, base.Add(x.weeks), toronto)
		if first := got.Tiles[0]; first.Value != x.first || first.Direction != x.direction || first.Interval != x.interval || got.Year != (x.yoy != "") {
			t.Errorf("%s: the first tile is %+v", name, first)
		}
	}
}

// TestAnswerGaps makes the answer of weeks that lack the headline, or have no row yet.
func TestAnswerGaps(t *testing.T) {
	t.Parallel()
	base := panel.Week(panel.DateOf(2026, time.July, 19))
	overall, dairy, meat := nationalCell(basket.Overall), nationalCell(basket.Categories(nil).Of("dairy")), nationalCell(basket.Categories(nil).Of("meat"))
	here := jevons.Cell{Level: jevons.City, City: "Here", Category: basket.Overall}
	there := jevons.Cell{Level: jevons.City, City: "There", Category: basket.Overall}
	row := func(week int, cell *jevons.Cell, index, cost, wow, mom string) jevons.Row {
		return jevons.Row{Week: base.Add(week), Base: base, Cell: cell, Index: parsedFixed(t, index), BasketCost: parsedFixed(t, cost), WoW: parsedFixed(t, wow), MoM: parsedFixed(t, mom), ItemCount: 40, TotalItems: 50}
	}
	table := &jevons.Table{Rows: []jevons.Row{
		row(0, &overall, "100", "300", "", ""), row(0, &dairy, "100", "50", "", ""), row(0, &here, "100", "310", "", ""), row(0, &there, "100", "290", "", ""),
		row(1, &overall, "101", "303", "1", ""), row(1, &meat, "100", "60", "", ""),
		row(5, &overall, "102", "306", "0.5", ""), row(5, &dairy, "99", "49.5", "", ""), row(5, &meat, "104", "61", "", ""),
		row(6, &dairy, "98", "49", "", ""), row(6, &here, "102", "315.55", "", ""),
	}}
	x := newAnswer(words.English, figure.PublicNational, table, &jevons.Table{}, []string{"Here", "There"}, nil, base.Add(8), toronto)
	if x.Week != "August 23, 2026" || !x.Behind || x.Newest != "August 30, 2026" || x.Next != "September 6, 2026" {
		t.Errorf("%+v", x)
	}
	for i, want := range []string{"+2.0%", "+0.5% same products, same stores, since the week ending July 26, 2026", "$306.00"} {
		if got := x.Tiles[i].Value + " " + x.Tiles[i].Note; !strings.HasPrefix(got, want) {
			t.Errorf("tile %d: %q, want %q", i, got, want)
		}
	}
	values := map[string]string{}
	for _, c := range basket.Categories(nil).Slices()[1:] {
		x.Categories = append(x.Categories, x.category(c))
		values[c.Slug()] = x.Categories[len(x.Categories)-1].Value
	}
	if x.Tiles[1].Name != "Since the previous published week" || x.Tiles[0].Note != "since the week ending July 19, 2026; no interval" || x.Tiles[0].Direction+x.Tiles[1].Direction+x.Categories[0].Direction+x.Categories[0].Note != "" || x.Categories[1].Note != "not published" {
		t.Errorf("tiles %+v, categories %+v", x.Tiles, x.Categories)
	}
	if values["dairy"] != "−1.0%" || values["meat"] != "–" || len(values) != 9 {
		t.Errorf("categories: %v; meat has no level in the base week", values)
	}
	if len(x.Cities) != 1 || x.Cities[0].Name != "Here" || x.Cities[0].Cost != "$315.55" || !slices.Equal(x.Absent, []string{"There (to July 19, 2026)"}) || x.Nation != "" {
		t.Errorf("cities %+v, absent %q, nation %q", x.Cities, x.Absent, x.Nation)
	}
	if x := newAnswer(words.English, figure.PublicNational, table, &jevons.Table{}, nil, nil, base.Add(5), toronto); x.Behind || len(x.Cities) != 0 {
		t.Errorf("a week before: %+v", x)
	}
	for name, x := range map[string]*answer{
		"public none":          newAnswer(words.English, figure.PublicNone, table, &jevons.Table{}, nil, nil, base.Add(8), toronto),
		"before the base week": newAnswer(words.English, figure.PublicNational, table, &jevons.Table{}, nil, nil, base.Add(-1), toronto),
	} {
		if x != nil {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

// TestAnswerCities lists cities by name, without a rank.
func TestAnswerCities(t *testing.T) {
	t.Parallel()
	base := panel.Week(panel.DateOf(2026, time.July, 19))
	var rows []jevons.Row
	add := func(c jevons.Cell, cost string) {
		rows = append(rows, jevons.Row{Week: base, Base: base, Cell: &c, Index: parsedFixed(t, "100"), BasketCost: parsedFixed(t, cost)})
	}
	add(nationalCell(basket.Overall), "300")
	names := []string{"B", "C", "F", "É"} // in the order of bytes
	for i, cost := range []string{"320", "290.5", "310", "290.5"} {
		add(jevons.Cell{Level: jevons.City, City: names[i], Category: basket.Overall}, cost)
	}
	x := newAnswer(words.English, figure.PublicNational, &jevons.Table{Rows: rows}, &jevons.Table{}, names, nil, base, toronto)
	var got []string
	for _, c := range x.Cities {
		got = append(got, c.Name+" "+c.Cost)
	}
	if want := []string{"B $320.00", "C $290.50", "É $290.50", "F $310.00"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
