package panel

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestWeekOf(t *testing.T) {
	for _, c := range []struct{ at, week, why string }{
		{"2026-07-13T02:00:00Z", "2026-07-12", "Sunday evening in Toronto"},
		{"2026-07-13T03:59:59Z", "2026-07-12", "the week's last second, in summer time"},
		{"2026-07-13T04:00:00Z", "2026-07-19", "Monday 00:00 in Toronto, in summer time"},
		{"2026-07-20T03:59:59Z", "2026-07-19", "the base week's last second"},
		{"2026-11-01T05:30:00Z", "2026-11-01", "01:30 before the clocks go back"},
		{"2026-11-02T04:59:59Z", "2026-11-01", "the last second of the week of 169 hours"},
		{"2026-11-02T05:00:00Z", "2026-11-08", "Monday 00:00 in winter time"},
		{"2026-03-09T03:59:59Z", "2026-03-08", "the last second of the week of 167 hours"},
		{"2026-03-09T04:00:00Z", "2026-03-15", "Monday 00:00, already in summer time"},
		{"2027-01-03T12:00:00Z", "2027-01-03", "week 53 of 2026"},
		{"2026-12-28T05:00:00Z", "2027-01-03", "the first second of week 53"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Calendar{}).WeekOf(at).String(); got != c.week {
			t.Errorf("%s (%s) is in week %s, want %s", c.at, c.why, got, c.week)
		}
	}
}

func TestLastClosed(t *testing.T) {
	for _, c := range []struct{ now, week string }{
		{"2026-07-20T03:59:59Z", "2026-07-12"},
		{"2026-07-20T04:00:00Z", "2026-07-19"},
		{"2026-07-26T12:00:00Z", "2026-07-19"},
	} {
		now, _ := time.Parse(time.RFC3339, c.now)
		if got := (Calendar{}).LastClosed(now).String(); got != c.week {
			t.Errorf("at %s the last closed week is %s, want %s", c.now, got, c.week)
		}
	}
}

// TestCalendarAgrees asks one calendar for moments near the ends of weeks above all.
func TestCalendarAgrees(t *testing.T) {
	weekOf := Calendar{}.Weeks()
	first := Week(DateOf(FirstYear, time.January, 4))
	rapid.Check(t, func(t *rapid.T) {
		week := first.Add(rapid.IntRange(0, 12_000).Draw(t, "week"))
		half := int64(84 * time.Hour)
		offset := rapid.OneOf(rapid.Int64Range(-2, 2), rapid.Int64Range(-half, half)).Draw(t, "offset")
		at := time.Unix(0, max(0, Calendar{}.Start(week.Date()-6).UnixNano()+offset))
		if got, want := weekOf(at.UnixNano()), (Calendar{}).WeekOf(at); got != want {
			t.Fatalf("%s: week %s, want %s", at.UTC(), got, want)
		}
	})
}

func TestParseDateAndWeek(t *testing.T) {
	for _, bad := range []string{"", "2026-7-19", "2026-02-30", "19-07-2026", "2026-07-19T00:00:00Z", "2026-07-19 "} {
		if d, err := ParseDate(bad); err == nil {
			t.Errorf("%q is the day %s", bad, d)
		}
	}
	if _, err := ParseWeek("2026-07-13"); err == nil || err.Error() != "week 2026-07-13 is a Monday; a week is named by its Sunday (2026-07-19)" {
		t.Errorf("a Monday: %v", err)
	}
	for _, s := range []string{"1969-12-28", "1970-01-04", "2026-07-19", "2199-12-29"} {
		d, err := ParseDate(s)
		if err != nil || d.String() != s {
			t.Errorf("%s reads back as %s, %v", s, d, err)
		}
		if w, err := ParseWeek(s); err != nil || w.String() != s || !w.IsSunday() || w.Add(3).Add(-3) != w {
			t.Errorf("week %s reads back as %s, %v", s, w, err)
		}
	}
}

func TestDaysBeginWhereClocksChangeAtMidnight(t *testing.T) {
	for _, c := range []struct{ zone, day, start string }{
		{"Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"},    // 00:00 is 01:00
		{"America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"}, // 00:00 is 01:00
		{"America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"}, // 00:00 comes twice
		{"Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"},
		{"Asia/Tokyo", "2026-03-30", "2026-03-29T15:00:00Z"},
	} {
		calendar, err := NewCalendar(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		day, _ := ParseDate(c.day)
		start := calendar.Start(day)
		if got := start.UTC().Format(time.RFC3339); got != c.start {
			t.Errorf("%s begins in %s at %s, want %s", c.day, c.zone, got, c.start)
		}
		if calendar.DateIn(start) != day || calendar.DateIn(start.Add(-1)) != day-1 {
			t.Errorf("%s in %s: its first moment is not the first of the day", c.day, c.zone)
		}
	}
}
