package compare

import (
	"strconv"

	"github.com/larder-index/larder/panel"
)

// Money is an amount in whole cents, or null. The zero value is null.
type Money struct {
	Cents int64 // at least 0
	Valid bool  // false: null
}

// CentsOf returns the amount of so many cents.
func CentsOf(cents int64) Money { return Money{cents, true} }

// String writes dollars with two decimals, such as "12.50"; null is "".
func (m Money) String() string {
	if !m.Valid {
		return ""
	}
	return string(m.append(nil))
}

func (m Money) append(b []byte) []byte {
	if !m.Valid {
		return append(b, "null"...)
	}
	b = strconv.AppendInt(b, m.Cents/100, 10)
	return append(b, '.', byte('0'+m.Cents/10%10), byte('0'+m.Cents%10))
}

// MarshalJSON writes a number with two decimals, exactly, or null.
func (m Money) MarshalJSON() ([]byte, error) { return m.append(nil), nil }

// Date is a day in UTC, or null. The zero value is null.
type Date struct {
	Day   panel.Date
	Valid bool // false: null
}

// DateOf returns the given day.
func DateOf(d panel.Date) Date { return Date{d, true} }

// String writes YYYY-MM-DD; null is "".
func (d Date) String() string {
	if !d.Valid {
		return ""
	}
	return d.Day.String()
}

func (d Date) append(b []byte) []byte {
	if !d.Valid {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = appendDay(b, d.Day)
	return append(b, '"')
}

// MarshalJSON writes the day as a string, or null.
func (d Date) MarshalJSON() ([]byte, error) { return d.append(nil), nil }

// include widens the span from d to to by a day.
func (s *Span) include(day panel.Date) {
	if !s.Oldest.Valid || day < s.Oldest.Day {
		s.Oldest = DateOf(day)
	}
	if !s.Newest.Valid || day > s.Newest.Day {
		s.Newest = DateOf(day)
	}
}
