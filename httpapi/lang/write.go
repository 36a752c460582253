package lang

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

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

// Money writes an amount of dollars.
func (l *Language) Money(x any) string {
	text, negative := strings.CutPrefix(l.Number(x), "−")
	text = fmt.Sprintf(l.dollars, text)
	if negative {
		return "−" + text
	}
	return text
}

// Day writes a day, such as "November 21, 2026".
func (l *Language) Day(d panel.Date) string {
	t := d.Time(time.UTC)
	return l.day(t, t.Month().String())
}

// ShortDay writes a day with the month's short name, with or without the year.
func (l *Language) ShortDay(d panel.Date, year bool) string {
	t := d.Time(time.UTC)
	if year {
		return l.day(t, t.Format("Jan"))
	}
	return l.T("{month} {day}", l.Month(t.Month(), true), l.ordinal(t))
}

func (l *Language) day(t time.Time, month string) string {
	return l.T("{month} {day}, {year}", l.T(month), l.ordinal(t), strconv.Itoa(t.Year()))
}

// ordinal is the number of a day of the month, as a date has it.
func (l *Language) ordinal(t time.Time) string {
	if t.Day() == 1 {
		return l.T("1st")
	}
	return strconv.Itoa(t.Day())
}

// Month writes a month without its year; short as on an axis.
func (l *Language) Month(m time.Month, short bool) string {
	if short {
		return l.T(m.String()[:3])
	}
	return l.T(m.String())
}

// Moment writes an instant by Toronto's clock.
func (l *Language) Moment(t time.Time) string {
	t = t.In(panel.Toronto)
	return l.T("{weekday}, {date}, {time} Toronto time", l.T(t.Weekday().String()), l.day(t, t.Month().String()), fmt.Sprintf(l.clock, t.Hour(), t.Minute()))
}
