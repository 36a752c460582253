package state

import (
	"fmt"
	"time"
)

// Month is a calendar month in UTC, counted from January of the year 0.
type Month int32

// MonthOf returns the month that a moment is in.
func MonthOf(t time.Time) Month {
	t = t.UTC()
	return Month(t.Year()*12 + int(t.Month()) - 1)
}

// ParseMonth reads a month written YYYY-MM.
func ParseMonth(s string) (Month, error) {
	t, err := time.Parse("2006-01", s)
	if err != nil {
		return 0, fmt.Errorf("month %q is not written YYYY-MM", s)
	}
	return MonthOf(t), nil
}

// Start returns the month's first moment. That of the next month, m + 1, is
// when a month's quota is there anew.
func (m Month) Start() time.Time {
	return time.Date(int(m)/12, time.Month(m%12)+1, 1, 0, 0, 0, 0, time.UTC)
}

// String returns the month as YYYY-MM.
func (m Month) String() string { return m.Start().Format("2006-01") }

// MarshalText returns the month as YYYY-MM.
func (m Month) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// The years that moments may be in: what the file's nanoseconds can hold, and a
// clock that is not set at all is kept out.
const firstYear, lastYear = 1970, 2199

func storable(t time.Time) bool {
	year := t.UTC().Year()
	return year >= firstYear && year <= lastYear
}
