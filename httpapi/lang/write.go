package lang

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// writing is how a language writes numbers and days.
type writing struct {
	point, group string // between whole and fraction, and between thousands
	percent      string // after a percentage
	dollars      string // an amount, with %s for its digits
	day          string // with %[1]s for the day of the month, %[2]s for the month and %[3]d for the year
	first        string // the first day of a month
	clock        string // an instant, with %[1]s for the weekday, %[2]s for the day, and hour and minute
	months       [12]string
	short        [12]string // months, as on an axis
	weekdays     [7]string  // from Sunday
}

var english = writing{
	point: ".", group: ",", percent: "%", dollars: "$%s", day: "%[2]s %[1]s, %[3]d", first: "1",
	clock:    "%[1]s, %[2]s, %02[3]d:%02[4]d Toronto time",
	months:   [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	short:    [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
	weekdays: [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
}

var french = writing{
	point: ",", group: "\u00a0", percent: "\u00a0%", dollars: "%s\u00a0$", day: "%[1]s %[2]s %[3]d", first: "1er",
	clock:    "%[1]s %[2]s à %[3]d\u00a0h\u00a0%02[4]d, heure de Toronto",
	months:   [12]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
	short:    [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juill.", "août", "sept.", "oct.", "nov.", "déc."},
	weekdays: [7]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"},
}

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
	return l.dayOf(t)
}

// ShortDay writes a day with the month's short name, with or without the year.
func (l *Language) ShortDay(d panel.Date, year bool) string {
	t := d.Time(time.UTC)
	text := fmt.Sprintf(l.day, l.ordinal(t), l.short[t.Month()-1], t.Year())
	if !year {
		text = strings.TrimRight(strings.TrimSuffix(text, strconv.Itoa(t.Year())), ", ")
	}
	return text
}

func (l *Language) dayOf(t time.Time) string {
	return fmt.Sprintf(l.day, l.ordinal(t), l.months[t.Month()-1], t.Year())
}

// ordinal is the number of a day of the month, as a date has it.
func (l *Language) ordinal(t time.Time) string {
	if t.Day() == 1 {
		return l.first
	}
	return strconv.Itoa(t.Day())
}

// Month writes a month without its year; short as on an axis.
func (l *Language) Month(m time.Month, short bool) string {
	if short {
		return l.short[m-1]
	}
	return l.months[m-1]
}

// Moment writes an instant by Toronto's clock.
func (l *Language) Moment(t time.Time) string {
	t = t.In(panel.Toronto)
	return fmt.Sprintf(l.clock, l.weekdays[t.Weekday()], l.dayOf(t), t.Hour(), t.Minute())
}
