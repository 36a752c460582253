package state

import (
	"testing"
	"time"
)

// FuzzParseMonth compares with time.Parse. A month is written as it would be printed.
func FuzzParseMonth(f *testing.F) {
	for _, s := range []string{"2026-11", "2026-13", "0000-01", "9999-12", "2026-1", "2026-11-01", "", "2026"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMonth(s)
		want, wrong := time.Parse("2006-01-02", s+"-01")
		if (err == nil) != (wrong == nil) || err == nil && (m.String() != s || !m.Start().Equal(want)) {
			t.Fatalf("%q becomes %v, %v", s, m, err)
		}
	})
}

// FuzzParseExpiry compares with time.Parse. An expiry is the end of a day or an instant.
func FuzzParseExpiry(f *testing.F) {
	for _, s := range []string{"2026-12-31", "2026-12-31T18:00:00Z", "2026-12-31T18:00:00.5-05:00", "2026-12-31T24:00:00Z", "never", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseExpiry(s)
		if err != nil {
			return
		}
		if day, e := time.Parse(time.DateOnly, s); e == nil {
			if got.Sub(day) != 24*time.Hour {
				t.Fatalf("%q ends at %v", s, got)
			}
			return
		}
		if at, e := time.Parse(time.RFC3339Nano, s); e != nil || !at.Equal(got) || got.Location() != time.UTC {
			t.Fatalf("%q becomes %v, %v", s, got, e)
		}
	})
}
