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

// mostTitle is how many characters a finding may have.
const mostTitle = 69

// finding says what the figure shows, by the rules of docs/reading.md: a direction needs an interval without
// zero. newest is the last published week of all series. pairs are the rows of several cities, each with its
// Difference to another one. The first of the forms that is short enough is taken: place and category, which the
// name has too, go first.
func (n *naming) finding(f *Figure, newest panel.Week, pairs []jevons.Row) string {
	last := Point{}
	for _, line := range f.Lines {
		if x := line.last(); x.Week > last.Week {
			last = x
		}
	}
	period := n.period(f, last.Week, newest)
	long, short := Category(n.Language, n.categories, n.first.Category), n.T(words.Key("Groceries"))
	switch {
	case !n.category && n.city && n.banner:
		long, short = n.T(words.Key("Grocery prices by category")), n.T(words.Key("Groceries by category"))
	case !n.category || n.first.Category == basket.Overall:
		long = n.T(words.Key("Grocery prices"))
	default:
		short = long
	}
	place, common, plain := n.place(), "", n.T(words.Key("Prices"))
	var tails []string
	switch {
	case len(f.Lines) == 1:
		tails = n.said(f, last, period)
	case f.View == table.ViewCost:
		tails = []string{n.T(words.Key("basket cost")) + period}
	default:
		between, named := n.between(pairs, len(f.Lines))
		if common, tails = period, []string{between, ""}; named {
			place = ""
		}
	}
	for i, parts := range [][]string{{long, place, common}, {short, place, common}, {short, common}, {plain, common}} {
		name := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
		for _, tail := range tails[:min(len(tails), i+1)] {
			title := name
			if tail != "" {
				title = n.T(words.Key("{name}: {value}"), name, tail)
			}
			if utf8.RuneCountInString(title) <= mostTitle {
				return title
			}
		}
	}
	return plain
}

// said returns what is said of a single series, from the longest form to the shortest one.
func (n *naming) said(f *Figure, x Point, period string) []string {
	change := x.Value
	switch {
	case f.View == table.ViewCost:
		return []string{n.T(words.Key("basket at {cost}"), Number(n.Language, f.View, x.Value)) + period}
	case f.View == table.ViewIndex && x.Week == f.Base:
		return []string{n.T(words.Key("first week, 100 by definition"))}
	case f.View == table.ViewIndex:
		change = jevons.AboveBase(x.Value)
	}
	rate := OneDecimal(change)
	by, none := n.Change(rate), strings.Trim(rate, "-0.") == ""
	rate = n.Percent(strings.TrimPrefix(rate, "-"))
	switch low, high := jevons.AboveBase(x.Low), jevons.AboveBase(x.High); {
	case jevons.Unclear(low, high):
		return []string{n.T(words.Key("no clear change {period}, {change}"), period, by),
			n.T(words.Key("no clear change {period}"), period), n.T(words.Key("no clear change"))}
	case low.Valid && !none && change.Units > 0:
		return []string{n.T(words.Key("up {rate} {period}"), rate, period)}
	case low.Valid && !none:
		return []string{n.T(words.Key("down {rate} {period}"), rate, period)}
	}
	return []string{n.T(words.Key("{change} {period}"), by, period)}
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
func (n *naming) period(f *Figure, last, newest panel.Week) string {
	first, day, current := f.Base.Date(), last.Date(), last == newest
	switch month := n.Month(day, 0); {
	case f.View == table.ViewCost && current, f.Base == 0 && (f.View == table.ViewIndex || f.View == table.ViewSince):
		return ""
	case f.View == table.ViewCost:
		return ", " + month
	case f.View == table.ViewYoY && current:
		return n.T(words.Key("in a year"))
	case f.View == table.ViewYoY:
		return n.T(words.Key("in the year to {month}"), month)
	case f.View == table.ViewFourWeeks && current:
		return n.T(words.Key("in four weeks"))
	case f.View == table.ViewFourWeeks:
		return n.T(words.Key("in the four weeks to {month}"), month)
	case current && n.Month(first, 0) == month:
		return n.T(words.Key("since {week}"), n.ShortDay(first, false))
	case current:
		return n.T(words.Key("since {month}"), n.Month(first, day))
	case n.Month(first, 0) == month:
		return n.T(words.Key("(to {day})"), n.ShortDay(day, true))
	default:
		return n.T(words.Key("between {month} and {other}"), n.Month(first, day), month)
	}
}

// place says in a title where the prices are from.
func (n *naming) place() string {
	switch banner := n.display(n.first.Banner); {
	case n.city && n.banner && n.first.City == "":
		whole := n.places
		if whole.Stores = 0; whole.Place != "" {
			whole.Cities = nil
		}
		return n.In(whole)
	case n.city && n.banner && banner != "":
		return n.T(words.Key("at {banner} in {city}"), banner, n.T(n.first.City))
	case n.city && n.banner:
		return n.T(words.Key("in {city}"), n.T(n.first.City))
	case n.city:
		return n.T(words.Key("by chain in {city}"), n.T(n.first.City))
	case n.banner && banner != "":
		return n.T(words.Key("at {banner}, by city"), banner)
	case n.level && n.first.Level == jevons.City && len(n.cities) == 2:
		return n.T(words.Key("in {city}"), n.T(words.Key("{name} and {other}"), n.T(n.cities[0]), n.T(n.cities[1])))
	case n.level && n.first.Level == jevons.City:
		return n.In(words.Places{Cities: n.cities, Parts: n.places.Parts})
	}
	return n.T(words.Key("by place"))
}
