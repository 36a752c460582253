package chart

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// IsTitle reports whether a finding is short enough: under 70 characters.
func IsTitle(text string) bool { return utf8.RuneCountInString(text) < 70 }

// finding says what the figure shows, by the rules of docs/reading.md: a direction needs an interval without
// zero. newest is the last published week of all series. pairs are the rows of several cities, each with its
// Difference to another one. The first of the forms that is short enough is taken: place and category, which the
// name has too, go first. The number stays.
func (n *naming) finding(f *Figure, newest panel.Week, pairs []jevons.Row) string {
	last := Point{}
	for _, line := range f.Lines {
		if x := line.last(); x.Week > last.Week {
			last = x
		}
	}
	whole := n.places
	whole.Stores = 0
	if whole.Place != "" {
		whole.Cities = nil
	}
	period, place, common := n.period(f, last.Week, newest), n.place(whole), ""
	long, short := n.T(words.Key("Grocery prices")), n.T(words.Key("Groceries"))
	if !n.category && n.city && n.banner {
		long, short = n.T(words.Key("Grocery prices by category")), n.T(words.Key("Groceries by category"))
	} else if n.category && n.first.Category != basket.Overall {
		long = Category(n.Language, n.categories, n.first.Category)
		short = long
	}
	var tails []string
	switch said, cities := n.between(pairs, len(f.Lines)); {
	case len(f.Lines) == 1:
		tails = n.said(f, last, period)
	case f.View == table.ViewCost:
		tails = []string{n.T(words.Key("basket cost")) + period}
	case cities:
		tails, common, place = []string{said, ""}, period, ""
	default:
		tails, common = []string{said, ""}, period
	}
	for i, parts := range [][]string{{long, place, common}, {short, place, common}, {short, common},
		{n.T(words.Key("Prices")), common}} {
		name := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
		for _, tail := range tails[:min(len(tails), i+1)] {
			title := name
			if tail != "" {
				title = n.T(words.Key("{name}: {value}"), name, tail)
			}
			if IsTitle(title) {
				return title
			}
		}
	}
	return n.T(words.Key("Prices"))
}

// said returns what is said of a single series, from the longest form to the shortest one.
func (n *naming) said(f *Figure, x Point, period string) []string {
	change, low, high := x.Value, x.Low, x.High
	switch {
	case f.View == table.ViewCost:
		return []string{n.T(words.Key("basket at {cost}"), Number(n.Language, f.View, x.Value)) + period}
	case f.View == table.ViewIndex && x.Week == f.Base:
		return []string{n.T(words.Key("first week, 100 by definition"))}
	case f.View == table.ViewIndex:
		change, low, high = jevons.AboveBase(change), jevons.AboveBase(low), jevons.AboveBase(high)
	}
	rate := OneDecimal(change)
	by, size := n.Change(rate), n.Percent(strings.TrimPrefix(rate, "-"))
	switch {
	case jevons.Unclear(low, high):
		return []string{n.T(words.Key("no clear change {period}, {change}"), period, by),
			n.T(words.Key("{change} {period}, not clear"), by, period), n.T(words.Key("{change}, not clear"), by)}
	case !low.Valid || strings.Trim(rate, "-0.") == "":
		return []string{n.T(words.Key("{change} {period}"), by, period)}
	case change.Units > 0:
		return []string{n.T(words.Key("up {rate} {period}"), size, period)}
	}
	return []string{n.T(words.Key("down {rate} {period}"), size, period)}
}

// between says what the differences of all pairs of the cities say, and whether that names them. It is empty if
// they say nothing.
func (n *naming) between(pairs []jevons.Row, lines int) (text string, named bool) {
	unclear := 0
	for _, r := range pairs {
		if d := r.Extra.Difference; jevons.Unclear(d.Low, d.High) {
			unclear++
		} else if rate := OneDecimal(d.Percent); lines == 2 && d.Low.Valid && d.Percent.Units > 0 && rate != "0.0" {
			return n.T(words.Key("{city} up {rate} relative to {other}"), n.T(r.Cell.City), n.Percent(rate),
				n.T(d.City)), true
		}
	}
	if lines > 1 && unclear == lines*(lines-1) {
		text = n.T(words.Key("no clear difference"))
	}
	return text, false
}

// period says over which time the view's changes are: until now if the figure's last week is the newest.
func (n *naming) period(f *Figure, last, newest panel.Week) (text string) {
	first, day, current := f.Base.Date(), last.Date(), last == newest
	month := n.Month(day, 0)
	switch {
	case f.View == table.ViewYoY:
		text = n.T(words.Key("in a year"))
	case f.View == table.ViewFourWeeks:
		text = n.T(words.Key("in four weeks"))
	case f.View == table.ViewCost, first == 0:
	case n.Month(first, 0) == month:
		return n.T(words.Key("in {month}"), month)
	case current:
		return n.T(words.Key("since {month}"), n.Month(first, day))
	default:
		return n.T(words.Key("between {month} and {other}"), n.Month(first, day), month)
	}
	if !current {
		text += ", " + month
	}
	return text
}
