package front

import (
	"fmt"
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

// TestAnswerSentence makes the sentence of known rows, in both languages.
func TestAnswerSentence(t *testing.T) {
	t.Parallel()
	base := panel.Week(panel.DateOf(2026, time.July, 19))
	cell := nationalCell(basket.Overall)
	for name, x := range map[string]struct {
		weeks            int // after the base week
		index, yoy       string
		low, high        string // of the level
		english, french  string
		direction, first string
		interval         string
	}{
		"the first week":   {0, "100", "", "", "", "The index of grocery prices begins (in Toronto, 7 shops): the week ending July 19, 2026 is 100.", "L’indice des prix à l’épicerie commence (à Toronto, 7 magasins)\u00a0: la semaine du 19 juillet 2026 vaut 100.", "", "0.0%", ""},
		"a rise":           {1, "101.2500", "", "100.0001", "102.5", "Grocery prices rose 1.3% between the weeks ending July 19, 2026, and July 26, 2026 (in Toronto, 7 shops).", "Les prix à l’épicerie ont augmenté de 1,3\u00a0% du 19 juillet 2026 au 26 juillet 2026 (à Toronto, 7 magasins).", "up", "+1.3%", "95% interval 0.0% to +2.5%"},
		"a fall":           {1, "98.9501", "", "98", "99.9999", "Grocery prices fell 1.0% between the weeks ending July 19, 2026, and July 26, 2026 (in Toronto, 7 shops).", "Les prix à l’épicerie ont baissé de 1,0\u00a0% du 19 juillet 2026 au 26 juillet 2026 (à Toronto, 7 magasins).", "down", "−1.0%", "95% interval −2.0% to 0.0%"},
		"no clear change":  {1, "100.7", "", "98.2", "103.1", "Grocery prices moved by +0.7% between the weeks ending July 19, 2026, and July 26, 2026 (in Toronto, 7 shops): other goods could have shown a rise or a fall.", "Les prix à l’épicerie ont varié de +0,7\u00a0% du 19 juillet 2026 au 26 juillet 2026 (à Toronto, 7 magasins); d’autres produits auraient pu montrer l’inverse.", "", "+0.7%", "95% interval −1.8% to +3.1%: other goods could have shown a rise or a fall"},
		"touching 100":     {1, "100.7", "", "100", "101.4", "Grocery prices moved by +0.7% between the weeks ending July 19, 2026, and July 26, 2026 (in Toronto, 7 shops): other goods could have shown a rise or a fall.", "", "", "+0.7%", "95% interval 0.0% to +1.4%: other goods could have shown a rise or a fall"},
		"no interval":      {1, "100.05", "", "", "", "Grocery prices rose 0.1% between the weeks ending July 19, 2026, and July 26, 2026 (in Toronto, 7 shops).", "", "", "+0.1%", ""},
		"too small":        {1, "100.0499", "", "", "", "Grocery prices changed little (0.0%) between the weeks ending July 19, 2026, and July 26, 2026 (in Toronto, 7 shops).", "", "", "0.0%", ""},
		"a year":           {52, "103", "2.35", "102", "104", "Grocery prices rose 2.4% in the 52 weeks to the week ending July 18, 2027 (in Toronto, 7 shops).", "Les prix à l’épicerie ont augmenté de 2,4\u00a0% en 52 semaines, jusqu’à la semaine du 18 juillet 2027 (à Toronto, 7 magasins).", "", "+2.4%", ""},
		"a year's fall":    {53, "103", "-2.35", "102", "104", "Grocery prices fell 2.4% in the 52 weeks to the week ending July 25, 2027 (in Toronto, 7 shops).", "", "", "−2.4%", ""},
		"a year's nothing": {53, "103", "-0.04", "102", "104", "Grocery prices changed little (0.0%) in the 52 weeks to the week ending July 25, 2027 (in Toronto, 7 shops).", "", "", "0.0%", ""},
	} {
		t.Run(name, func(t *testing.T) {
			rows := []jevons.Row{{Week: base, Base: base, Cell: &cell, Index: parsedFixed(t, "100"), BasketCost: parsedFixed(t, "300"), TotalItems: 50}}
			if x.weeks > 0 {
				rows = append(rows, jevons.Row{Week: base.Add(x.weeks), Base: base, Cell: &cell, Index: parsedFixed(t, x.index), YoY: parsedFixed(t, x.yoy), BasketCost: parsedFixed(t, "319.2"), TotalItems: 50})
			}
			quality := slices.Clone(rows)
			for i := range quality {
				quality[i].Extra = &jevons.Extra{Quality: &jevons.Quality{}}
			}
			quality[len(rows)-1].Extra.Quality.Low, quality[len(rows)-1].Extra.Quality.High = parsedFixed(t, x.low), parsedFixed(t, x.high)
			for _, l := range words.All {
				got := newAnswer(l, figure.PublicNational, &jevons.Table{Rows: rows}, &jevons.Table{Rows: quality}, nil, nil, base.Add(x.weeks), toronto)
				want := x.english
				if l == words.French {
					want = x.french
				}
				if want != "" && got.Sentence != want {
					t.Errorf("%q\nwant %q", got.Sentence, want)
				}
				if first := got.Tiles[0]; l == words.English && (first.Value != x.first || first.Direction != x.direction || first.Interval != x.interval) {
					t.Errorf("the first tile is %+v", first)
				}
			}
		})
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
	for i, want := range []string{"+2.0%", "– the week ending July 26, 2026 is not published", "+0.5% same products, same stores, since the week ending July 26, 2026", "$306.00"} {
		if got := x.Tiles[i].Value + " " + x.Tiles[i].Note; !strings.HasPrefix(got, want) {
			t.Errorf("tile %d: %q, want %q", i, got, want)
		}
	}
	values := map[string]string{}
	for _, c := range x.Categories {
		values[c.Category] = c.Value
	}
	if x.Tiles[2].Name != "Since the previous published week" || x.Tiles[0].Note != "since the week ending July 19, 2026; no interval" || x.Tiles[1].Direction+x.Tiles[2].Direction+x.Categories[0].Direction+x.Categories[0].Note != "" || x.Categories[1].Note != "not published" {
		t.Errorf("tiles %+v, categories %+v", x.Tiles, x.Categories)
	}
	if values["dairy"] != "−1.0%" || values["meat"] != "–" || len(values) != 9 {
		t.Errorf("categories: %v; meat has no level in the base week", values)
	}
	if len(x.Cities) != 1 || x.Cities[0].Name != "Here" || x.Cities[0].Cost != "$315.55" || x.Cities[0].Nation != -1 || !slices.Equal(x.Absent, []string{"There"}) || x.Nation != "" {
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
		got = append(got, fmt.Sprint(c.Name, " ", c.Cost, " ", c.At, " ", c.Nation))
	}
	if want := []string{"B $320.00 100 32", "C $290.50 0 32", "É $290.50 0 32", "F $310.00 66 32"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
