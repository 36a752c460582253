package chart

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

var (
	july     = panel.Week(panel.DateOf(2026, time.July, 19))
	thirteen = words.Places{Cities: make([]string, 13), Stores: 144}
	all      = jevons.Cell{Level: jevons.National}
	dairy    = basket.Categories(nil).Of("dairy")
)

func inCity(name string, c basket.Category) jevons.Cell {
	return jevons.Cell{Level: jevons.City, City: name, Category: c}
}

// found is a figure of a point in each series, with its finding in both languages.
type found struct {
	view             table.View
	base, last       panel.Week
	value, low, high float64
	cells            []jevons.Cell
	pairs            []float64 // the lower end, the middle and the upper end of a difference
	newest           panel.Week
}

func (x found) in(l *words.Language, places words.Places) string {
	f := &Figure{Lang: l, View: x.view, Base: x.base}
	p := Point{Week: x.last, Value: level(x.value)}
	if x.low != 0 || x.high != 0 {
		p.Low, p.High = level(x.low), level(x.high)
	}
	var pairs []jevons.Row
	for i, a := range x.cells {
		f.Lines = append(f.Lines, Line{Points: []Point{p}})
		p.Value.Units += 10000 // a point more
		for k, b := range x.cells {
			if i != k && x.pairs != nil {
				d := &jevons.Difference{City: b.City, Low: level(x.pairs[0]), Percent: level(x.pairs[1]), High: level(x.pairs[2])}
				if k < i {
					d.Low, d.Percent, d.High = level(-x.pairs[2]), level(-x.pairs[1]), level(-x.pairs[0])
				}
				pairs = append(pairs, jevons.Row{Cell: &a, Extra: &jevons.Extra{Difference: d}})
			}
		}
	}
	if x.newest == 0 {
		x.newest = x.last
	}
	return newNaming(l, nil, []basket.Banner{{Key: "metro", Name: "Chain M"}}, places, x.cells...).finding(f, x.newest, pairs)
}

// change returns the change that a single series' title names.
func (x found) change() panel.Fixed {
	if x.view == table.ViewIndex {
		return jevons.AboveBase(level(x.value))
	}
	return level(x.value)
}

// A direction needs an interval without zero. Without an interval the number stands alone.
func TestFinding(t *testing.T) {
	t.Parallel()
	november := july.Add(17)
	toronto, halifax, regina := inCity("Toronto", basket.Overall), inCity("Halifax", basket.Overall), inCity("Regina", basket.Overall)
	one := []jevons.Cell{all}
	for name, c := range map[string]struct {
		found
		en, fr string
	}{
		"unclear":            {found{base: july, last: november, value: 100.4, low: 99, high: 102, cells: one}, "Grocery prices in 13 cities: no clear change since July, +0.4%", "Épicerie dans 13 villes : rien de concluant depuis juillet, +0,4 %"},
		"touching zero":      {found{base: july, last: november, value: 100.7, low: 100, high: 101.4, cells: one}, "Grocery prices in 13 cities: no clear change since July, +0.7%", ""},
		"a rise":             {found{base: july, last: november, value: 101.25, low: 100.0001, high: 102.5, cells: one}, "Grocery prices in 13 cities: up 1.3% since July", "Prix à l’épicerie dans 13 villes : hausse de 1,3 % depuis juillet"},
		"a fall":             {found{base: july, last: november, value: 98.9501, low: 98, high: 99.9999, cells: one}, "Grocery prices in 13 cities: down 1.0% since July", "Prix à l’épicerie dans 13 villes : baisse de 1,0 % depuis juillet"},
		"too small to write": {found{base: july, last: november, value: 100.04, low: 100.01, high: 100.07, cells: one}, "Grocery prices in 13 cities: 0.0% since July", ""},
		"no interval":        {found{base: july, last: november, value: 103.1, cells: []jevons.Cell{inCity("Toronto", dairy)}}, "Dairy in Toronto: +3.1% since July", "Produits laitiers à Toronto : +3,1 % depuis juillet"},
		"since the base":     {found{view: table.ViewSince, base: july, last: november, value: 0.4, low: -1, high: 2, cells: one}, "Grocery prices in 13 cities: no clear change since July, +0.4%", ""},
		"a fall since":       {found{view: table.ViewSince, base: july, last: november, value: -1.4, low: -2, high: -1, cells: one}, "Grocery prices in 13 cities: down 1.4% since July", ""},
		"the same month":     {found{base: july, last: july.Add(1), value: 103.1, cells: one}, "Grocery prices in 13 cities: +3.1% in July 2026", "Prix à l’épicerie dans 13 villes : +3,1 % en juillet 2026"},
		"another year":       {found{base: july, last: july.Add(30), value: 103.1, low: 101, high: 105, cells: one}, "Grocery prices in 13 cities: up 3.1% since July 2026", ""},
		"the first week":     {found{base: july, last: july, value: 100, cells: one}, "Grocery prices in 13 cities: first week, 100 by definition", "Épicerie dans 13 villes : première semaine, 100 par définition"},
		"ended":              {found{base: july, last: november, newest: november.Add(1), value: 103.1, low: 101, high: 105, cells: one}, "Grocery prices in 13 cities: up 3.1% between July and November 2026", "Épicerie : hausse de 3,1 % entre juillet et novembre 2026"},
		"a year":             {found{view: table.ViewYoY, last: november, value: 3.1, cells: one}, "Grocery prices in 13 cities: +3.1% in a year", "Prix à l’épicerie dans 13 villes : +3,1 % en un an"},
		"a year that ended":  {found{view: table.ViewYoY, last: november, newest: november.Add(1), value: -3.1, cells: one}, "Grocery prices in 13 cities: −3.1% in a year, November 2026", ""},
		"four weeks":         {found{view: table.ViewFourWeeks, last: november, value: -3.1, cells: one}, "Grocery prices in 13 cities: −3.1% in four weeks", ""},
		"the basket":         {found{view: table.ViewCost, last: november, value: 319.2, cells: []jevons.Cell{toronto}}, "Grocery prices in Toronto: basket at $319.20", "Prix à l’épicerie à Toronto : panier à 319,20 $"},
		"a chain":            {found{base: july, last: november, value: 101, cells: []jevons.Cell{{Level: jevons.Banner, City: "Toronto", Banner: "metro", Category: dairy}}}, "Dairy at Chain M in Toronto: +1.0% since July", ""},
		"two cities":         {found{base: july, last: november, value: 101, cells: []jevons.Cell{toronto, halifax}, pairs: []float64{-2, -1, 1}}, "Grocery prices in Toronto and Halifax: no clear difference since July", "Épicerie à Toronto et Halifax : pas d’écart concluant depuis juillet"},
		"two that differ":    {found{base: july, last: november, value: 101, cells: []jevons.Cell{toronto, halifax}, pairs: []float64{-2, -1, -0.5}}, "Groceries: Halifax up 1.0% relative to Toronto since July", "Épicerie : hausse de 1,0 % à Halifax face à Toronto depuis juillet"},
		"two, too long":      {found{base: july, last: november, newest: november.Add(1), value: 101, cells: []jevons.Cell{toronto, halifax}, pairs: []float64{-2, -1, -0.5}}, "Groceries: Halifax up 1.0% relative to Toronto", ""},
		"four cities":        {found{base: july, last: november, value: 101, cells: []jevons.Cell{toronto, halifax, regina, inCity("Moncton", basket.Overall)}, pairs: []float64{-2, -1, 1}}, "Grocery prices in 4 cities: no clear difference since July", "Épicerie dans 4 villes : pas d’écart concluant depuis juillet"},
		"three that differ":  {found{base: july, last: november, value: 101, cells: []jevons.Cell{toronto, halifax, regina}, pairs: []float64{-2, -1, -0.5}}, "Grocery prices in 3 cities: 3 of 3 pairs differ since July", "Épicerie dans 3 villes : 3 paires sur 3 diffèrent depuis juillet"},
		"not compared":       {found{base: july, last: november, value: 101, cells: []jevons.Cell{toronto, halifax, regina}}, "Grocery prices in 3 cities: +1.0% to +3.0% since July", "Prix à l’épicerie dans 3 villes : +1,0 % à +3,0 % depuis juillet"},
		"categories":         {found{base: july, last: november, value: 101, cells: []jevons.Cell{all, {Level: jevons.National, Category: dairy}}}, "Grocery prices by category in 13 cities: +1.0% to +2.0% since July", "Épicerie par catégorie : +1,0 % à +2,0 % depuis juillet"},
		"other bases":        {found{last: november, value: 101, cells: []jevons.Cell{all, toronto}}, "Grocery prices by place: not comparable, first weeks differ", "Prix à l’épicerie par lieu : non comparables, bases différentes"},
		"two baskets":        {found{view: table.ViewCost, last: november, value: 101, cells: []jevons.Cell{all, toronto}}, "Grocery prices by place: basket from $101.00 to $102.00", "Prix à l’épicerie par lieu : panier de 101,00 $ à 102,00 $"},
		"two of each":        {found{view: table.ViewCost, last: november, value: 101, cells: []jevons.Cell{inCity("Vancouver", basket.Overall), inCity("Toronto", dairy)}}, "Grocery prices by category: basket from $101.00 to $102.00", "Prix à l’épicerie par catégorie : panier de 101,00 $ à 102,00 $"},
	} {
		if got := c.in(words.English, thirteen); got != c.en {
			t.Errorf("%s: %q, want %q", name, got, c.en)
		}
		if got := strings.ReplaceAll(c.in(words.French, thirteen), "\u00a0", " "); c.fr != "" && got != c.fr {
			t.Errorf("%s: %q, want %q", name, got, c.fr)
		}
	}
}

// Whatever is selected, the finding is under 70 characters, and only an interval without zero makes it a direction. Of
// a single series it has the number.
func TestFindingIsShort(t *testing.T) {
	t.Parallel()
	r := newRand(38)
	long := func(s string) string { return strings.TrimSpace(strings.Repeat(s, 1+r.IntN(12))) }
	directions := 0
	for n := range 4000 {
		x := found{view: table.View(r.IntN(5)), base: july.Add(r.IntN(30)), value: 100 + r.NormFloat64()*20}
		x.last = x.base.Add(r.IntN(150))
		x.newest = x.last.Add(r.IntN(2))
		if x.view == table.ViewIndex && r.IntN(3) > 0 {
			x.low, x.high = x.value-r.Float64()*20, x.value+r.Float64()*20
		}
		compared := x.view == table.ViewIndex && r.IntN(3) == 0
		for range 1 + r.IntN(4) {
			c := jevons.Cell{Level: jevons.Level(1 + r.IntN(3)), Category: []basket.Category{basket.Overall, dairy}[r.IntN(2)]}
			if compared {
				c = inCity("", basket.Overall)
			}
			if c.Level != jevons.National {
				c.City = long(fmt.Sprint("Saint-Jean ", r.IntN(9), " "))
			}
			if c.Level == jevons.Banner {
				c.Banner = long("Épicerie ")
			}
			if !slices.Contains(x.cells, c) {
				x.cells = append(x.cells, c)
			}
		}
		if compared {
			x.pairs = []float64{-r.Float64(), 0.5, r.Float64() + 1}
			if r.IntN(2) == 0 {
				x.pairs[0] = 0.1
			}
		}
		clear := len(x.cells) == 1 && x.low != 0 && (x.low > 100 || x.high < 100) || len(x.cells) == 2 && x.pairs != nil && x.pairs[0] > 0
		for _, l := range words.All {
			title := x.in(l, words.Places{Place: long("Waterloo ")})
			if utf8.RuneCountInString(title) >= 70 || title == "" || strings.Contains(title, "  ") {
				t.Fatalf("%d, %s: %q has %d characters", n, l.Name, title, utf8.RuneCountInString(title))
			}
			number := Number(l, table.ViewCost, level(x.value))
			if x.view != table.ViewCost {
				number = strings.TrimLeft(l.Percent(strings.TrimPrefix(OneDecimal(x.change()), "-")), "+")
			}
			if len(x.cells) == 1 && (x.view != table.ViewIndex || x.last != x.base) && !strings.Contains(title, number) {
				t.Fatalf("%d: %q lacks %s: %+v", n, title, number, x)
			}
			for _, word := range []string{": up ", " up ", ": down ", "hausse", "baisse"} {
				if strings.Contains(title, word) {
					if directions++; !clear {
						t.Fatalf("%d: %q is not known: %+v", n, title, x)
					}
				}
			}
		}
	}
	if directions < 200 {
		t.Errorf("%d directions", directions)
	}
}
