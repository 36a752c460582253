package chart

import (
	"cmp"
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
	if !slices.Equal(whole.Cities, []string{whole.Place}) && whole.Place != "" {
		whole.Cities = nil
	}
	period, place := n.period(f, last.Week, newest), n.place(whole)
	long, short := n.T(words.Key("Grocery prices")), n.T(words.Key("Groceries"))
	if !n.category {
		long, short = n.T(words.Key("Grocery prices by category")), n.T(words.Key("Groceries by category"))
		if !n.city || !n.banner {
			place = "" // or it would be of all of them
		}
	} else if n.category && n.first.Category != basket.Overall {
		long = Category(n.Language, n.categories, n.first.Category)
		short = long
	}
	tails := n.said(f, last, period)
	if len(f.Lines) > 1 {
		tails = n.compared(f, last.Week, period, pairs)
	}
	for i, name := range []string{join(long, place), join(short, place), short, n.T(words.Key("Prices"))} {
		for _, tail := range tails[:min(len(tails), i+1)] {
			if title := n.T(words.Key("{name}: {value}"), name, tail); IsTitle(title) {
				return title
			}
		}
	}
	return n.T(words.Key("Prices"))
}

// join puts a space between two texts, unless the second one is empty.
func join(text, more string) string { return strings.TrimSuffix(text+" "+more, " ") }

// said returns what is said of a single series, from the longest form to the shortest one.
func (n *naming) said(f *Figure, x Point, period string) []string {
	by, low, high := n.written(f, x.Value), x.Low, x.High
	size := strings.TrimLeft(by, "+−") // zero has no sign
	if f.View == table.ViewIndex {
		low, high = jevons.AboveBase(low), jevons.AboveBase(high)
	}
	switch {
	case f.View == table.ViewCost:
		return []string{join(n.T(words.Key("basket at {cost}"), by), period)}
	case f.View == table.ViewIndex && x.Week == f.Base:
		return []string{n.T(words.Key("first week, 100 by definition"))}
	case jevons.Unclear(low, high):
		return []string{n.T(words.Key("no clear change {period}, {change}"), period, by),
			n.T(words.Key("{change} {period}, not clear"), by, period), n.T(words.Key("{change}, not clear"), by)}
	case !low.Valid || size == by:
		return []string{n.T(words.Key("{change} {period}"), by, period)}
	case by[0] == '+':
		return []string{n.T(words.Key("up {rate} {period}"), size, period)}
	}
	return []string{n.T(words.Key("down {rate} {period}"), size, period)}
}

// compared returns what is said of several series, from the longest form to the shortest one. Cities differ only by
// the interval of their difference. Other series have the range of their values.
func (n *naming) compared(f *Figure, week panel.Week, period string, pairs []jevons.Row) []string {
	var values []panel.Fixed
	for _, line := range f.Lines {
		if x := line.last(); x.Week == week {
			values = append(values, x.Value)
		}
	}
	unclear, differ, all := 0, 0, len(f.Lines)*(len(f.Lines)-1)/2
	var ahead jevons.Row // of a pair that differs
	for _, r := range pairs {
		if d := r.Extra.Difference; jevons.Unclear(d.Low, d.High) {
			unclear++ // and so is the pair the other way round
		} else if d.Low.Valid && d.Percent.Units > 0 {
			differ, ahead = differ+1, r
		}
	}
	count, text := n.T(words.Key("{n} of {all} pairs differ"), differ, all), ""
	switch {
	case f.View == table.ViewIndex && f.Base == 0:
		return []string{n.T(words.Key("not comparable, first weeks differ"))}
	case len(values) == 1:
		return []string{n.T(words.Key("a single value in the last week"))}
	case f.View == table.ViewIndex && week == f.Base:
		return []string{n.T(words.Key("first week, 100 by definition"))}
	case differ == 1 && all == 1:
		d := ahead.Extra.Difference
		text = n.T(words.Key("{city} up {rate} relative to {other}"), n.T(ahead.Cell.City),
			n.Percent(OneDecimal(d.Percent)), n.T(d.City))
	case differ > 0:
		text = count
	case unclear == 2*all:
		text = n.T(words.Key("no clear difference"))
	default:
		slices.SortFunc(values, func(a, b panel.Fixed) int { return cmp.Compare(a.Units, b.Units) })
		low, high := n.written(f, values[0]), n.written(f, values[len(values)-1])
		switch {
		case f.View == table.ViewCost:
			text = n.T(words.Key("basket from {low} to {high}"), low, high)
		case low == high:
			text = low
		default:
			text = n.T(words.Key("{low} to {high}"), low, high)
		}
	}
	return []string{join(text, period), join(text, period), text, count}
}

// written writes a value as the title has it: a level as the change since its base.
func (n *naming) written(f *Figure, v panel.Fixed) string {
	if f.View == table.ViewIndex {
		return Number(n.Language, table.ViewSince, jevons.AboveBase(v))
	}
	return Number(n.Language, f.View, v)
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
	case current && (f.View == table.ViewCost || first == 0):
		return ""
	case f.View == table.ViewCost || first == 0 || n.Month(first, 0) == month:
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
