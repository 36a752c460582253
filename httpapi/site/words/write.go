package words

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/larder-index/larder/panel"
)

// None is written where there is no number.
const None = "–"

// Number writes a decimal number, given as it is published in JSON. It keeps every
// digit.
func (l *Language) Number(x any) string {
	text, negative := strings.CutPrefix(fmt.Sprint(x), "-")
	whole, fraction, broken := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + l.group + whole[i:]
	}
	if broken {
		whole += l.point + fraction
	}
	if negative {
		return "−" + whole
	}
	return whole
}

// Percent writes a percentage without a sign for a rise.
func (l *Language) Percent(x any) string { return l.Number(x) + l.percent }

// Change writes a change in percent with its sign; a change of zero has none.
func (l *Language) Change(x any) string {
	text := l.Percent(x)
	switch {
	case !strings.ContainsAny(text, "123456789"):
		return strings.TrimPrefix(text, "−")
	case strings.HasPrefix(text, "−"):
		return text
	}
	return "+" + text
}

// Cents returns how many decimals an amount has in the currency: at most two, as costs are rounded to.
func (l *Language) Cents() int32 {
	decimals, _ := currency.Standard.Rounding(currency.MustParseISO(l.Currency))
	return int32(min(decimals, 2))
}

// Money writes an amount with the symbol of the currency, or with its code if it has none. No amount is None.
func (l *Language) Money(x any) string {
	text, negative := strings.CutPrefix(l.Number(x), "−")
	if text == "" {
		return None
	}
	unit := currency.MustParseISO(l.Currency)
	sign := message.NewPrinter(language.Make(l.Tag)).Sprint(currency.NarrowSymbol(unit))
	if last, _ := utf8.DecodeLastRuneInString(sign); l.Code == English.Code && unicode.IsLetter(last) {
		sign += "\u00a0"
	}
	text = fmt.Sprintf(l.money, sign, text)
	if negative {
		return "−" + text
	}
	return text
}

// Day writes a day, such as "November 21, 2026".
func (l *Language) Day(d panel.Date) string { return l.day(d.Time(time.UTC), "January") }

// ShortDay writes a day with the month's short name, with or without the year.
func (l *Language) ShortDay(d panel.Date, year bool) string {
	t := d.Time(time.UTC)
	if year {
		return l.day(t, "Jan")
	}
	return l.T("{month} {day}", l.T(t.Format("Jan")), l.ordinal(t))
}

// Month writes the month of a day, with the year unless it is that of another day.
func (l *Language) Month(d, near panel.Date) string {
	t := d.Time(time.UTC)
	if near != 0 && near.Time(time.UTC).Year() == t.Year() {
		return l.T(t.Format("January"))
	}
	return l.T(t.Format("January")) + t.Format(" 2006")
}

func (l *Language) day(t time.Time, month string) string {
	return l.T("{month} {day}, {year}", l.T(t.Format(month)), l.ordinal(t), t.Format("2006"))
}

// ordinal is the number of a day of the month, as a date has it.
func (l *Language) ordinal(t time.Time) string {
	if t.Day() == 1 {
		return l.T("1st")
	}
	return t.Format("2")
}

// Places says where the prices of a week are from.
type Places struct {
	Cities           []string // with a price; none: not known
	Stores, Products int      // with a price; 0: not known
	Place, Parts     string   // the settings place and places; or empty
}

// PlacesOf finds the places of a week's prices.
func PlacesOf(p *panel.Panel, week panel.Week) Places {
	x := Places{Place: p.About().Place, Parts: p.About().Places}
	x.Cities, x.Stores, x.Products = p.Priced(week)
	return x
}

func (l *Language) cities(p Places) string {
	switch n := len(p.Cities); {
	case n == 1:
		return l.T(p.Cities[0])
	case n > 1 && p.Parts != "" && l.Prefix != "":
		return l.T("{n} places", n)
	case n > 1 && p.Parts != "":
		return l.Number(n) + " " + p.Parts
	case n > 1:
		return l.T("{n} cities", n)
	}
	return l.T("All cities")
}

// Whole names what the headline of all cities is of, such as "Toronto" or "4 cities".
func (l *Language) Whole(p Places) string { return cmp.Or(p.Place, l.cities(p)) }

// In says where the prices are from, such as "in Toronto, 7 shops" or "in 4 cities, 146 shops".
func (l *Language) In(p Places) (text string) {
	switch cities := l.cities(p); {
	case p.Place != "" && len(p.Cities) > 0 && p.Place != cities:
		text = l.T("in {place}: {cities}", p.Place, cities)
	case len(p.Cities) == 1:
		text = l.T("in {city}", l.Whole(p))
	case p.Place != "":
		text = l.T("in {place}", p.Place)
	case len(p.Cities) == 0:
		text = l.T("in all cities")
	default:
		text = l.T("in {cities}", cities)
	}
	if p.Stores > 0 {
		text += ", " + l.T("{n} shops", p.Stores)
	}
	return text
}

// Moment writes an instant by a calendar's clock.
func (l *Language) Moment(t time.Time, c panel.Calendar) string {
	t = t.In(c.Zone())
	return l.T("{weekday}, {date}, {time} {city} time", l.T(t.Weekday().String()), l.day(t, "January"),
		strings.TrimSuffix(fmt.Sprintf(l.clock, t.Hour(), t.Minute()), "\u00a000"), l.T(c.City()))
}

// At returns the address of a page in the language. path is its address without a prefix.
func (l *Language) At(path string) string {
	if l.Prefix == "" {
		return path
	}
	return l.Prefix + strings.TrimSuffix(path, "/")
}

// Locate returns the language of an address, and the address of the same page without a prefix. The languages
// are those of a publication, the first one first; none: All.
func Locate(address string, languages ...*Language) (l *Language, path string) {
	if len(languages) == 0 {
		languages = All
	}
	rest, ok := strings.CutPrefix(address, languages[1].Prefix)
	if ok && (rest == "" || rest[0] == '/') {
		return languages[1], "/" + strings.TrimPrefix(rest, "/")
	}
	return languages[0], address
}

// pageLink finds links to pages in markup. Every page whose address is the same in
// all languages but for the prefix is here, and the feed.
var pageLink = regexp.MustCompile(
	`(href=")(?:(/(?:account|docs(?:/[a-z-]+)*|methodology|releases(?:\.atom)?|shopper))|/)(["#?])`)

// Links makes links to pages in markup lead to the pages of the language.
func (l *Language) Links(markup string) string {
	if l.Prefix == "" {
		return markup
	}
	return pageLink.ReplaceAllString(markup, "${1}"+l.Prefix+"${2}${3}")
}

// Other returns the language that a page offers to switch to.
func (l *Language) Other() *Language { return l.other }
