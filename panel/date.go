package panel

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Date is a calendar day, counted from 1970-01-01. It has no time zone: DateIn
// takes the calendar on which a moment's day is read.
type Date int32

// DateIn returns the day of t on the calendar of loc.
func DateIn(t time.Time, loc *time.Location) Date {
	y, m, d := t.In(loc).Date()
	return DateOf(y, m, d)
}

// DateOf returns the given day. Months and days out of range carry over as in
// time.Date.
func DateOf(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// ParseDate reads YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || len(s) != len(time.DateOnly) {
		return 0, fmt.Errorf("date %q is not a day written YYYY-MM-DD", s)
	}
	return DateIn(t, time.UTC), nil
}

// Time returns the day's first moment on the calendar of loc.
func (d Date) Time(loc *time.Location) time.Time {
	return time.Date(1970, time.January, 1+int(d), 0, 0, 0, 0, loc)
}

// String writes YYYY-MM-DD.
func (d Date) String() string { return d.Time(time.UTC).Format(time.DateOnly) }

// Week is an ISO week, Monday to Sunday, named by its Sunday.
type Week Date

// DefaultBaseWeek is the base week of a panel without prices that names none: Monday
// 2026-07-13 to Sunday 2026-07-19.
var DefaultBaseWeek = Week(DateOf(2026, time.July, 19))

// FirstWholeWeek returns the base week of a panel that names none, given the rows of its weeks:
// the first week with at least half as many rows as the fullest of the first four. Collection
// mostly begins in the middle of a week. Without rows it is DefaultBaseWeek.
func FirstWholeWeek(rows map[Week]int) Week {
	weeks := slices.Sorted(maps.Keys(rows))
	fullest := 0
	for _, w := range weeks[:min(4, len(weeks))] {
		fullest = max(fullest, rows[w])
	}
	for _, w := range weeks {
		if 2*rows[w] >= fullest {
			return w
		}
	}
	return DefaultBaseWeek
}

// Week returns the week of a day, named by the first Sunday on or after it.
func (d Date) Week() Week {
	const sunday = 3 // 1970-01-04
	return Week(d + ((sunday-d)%7+7)%7)
}

// ParseWeek reads the date of a week's Sunday. Other days are errors.
func ParseWeek(s string) (Week, error) {
	d, err := ParseDate(s)
	if err != nil {
		return 0, err
	}
	if wd := d.Time(time.UTC).Weekday(); wd != time.Sunday {
		return 0, fmt.Errorf("week %s is a %s; a week is named by its Sunday (%s)", s, wd, d.Week())
	}
	return Week(d), nil
}

// Date returns the week's Sunday.
func (w Week) Date() Date { return Date(w) }

// Add returns the week n weeks later.
func (w Week) Add(n int) Week { return w + Week(7*n) }

// IsSunday reports whether w is a week's name.
func (w Week) IsSunday() bool { return Date(w).Week() == w }

// String writes the date of the week's Sunday.
func (w Week) String() string { return Date(w).String() }

// MarshalText returns what String writes.
func (w Week) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what ParseWeek reads.
func (w *Week) UnmarshalText(text []byte) (err error) {
	*w, err = ParseWeek(string(text))
	return err
}

// FirstYear and LastYear bound the moments that a panel can hold.
const (
	FirstYear = 1970
	LastYear  = 2199
)

var (
	firstSecond = DateOf(FirstYear, time.January, 1).Time(time.UTC).Unix()
	endSecond   = DateOf(LastYear+1, time.January, 1).Time(time.UTC).Unix()
)
