package panel

import (
	"testing"
	"time"
)

// A date is taken if and only if it is written as it would be printed, and a week
// if it is besides a Sunday.
func FuzzParseDate(f *testing.F) {
	for _, s := range []string{"2026-07-19", "2026-02-29", "2024-02-29", "0000-01-01", "9999-12-31", "2026-7-19", " 2026-07-19", "2026-07-19T00:00", "+026-07-19"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, wrong := time.Parse(time.DateOnly, s)
		d, err := ParseDate(s)
		if (err == nil) != (wrong == nil && want.Format(time.DateOnly) == s) {
			t.Fatalf("%q: %v", s, err)
		}
		if err == nil && (d.String() != s || !d.Time(time.UTC).Equal(want)) {
			t.Fatalf("%q becomes %v", s, d)
		}
		w, err := ParseWeek(s)
		if (err == nil) != (wrong == nil && d.String() == s && want.Weekday() == time.Sunday) || err == nil && w.Date() != d {
			t.Fatalf("week %q: %v, %v", s, w, err)
		}
	})
}
