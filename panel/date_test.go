package panel

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

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

// TestFirstWholeWeek has weeks with these numbers of rows.
func TestFirstWholeWeek(t *testing.T) {
	for _, x := range []struct {
		rows []int
		want int // place
	}{{[]int{5, 10}, 0}, {[]int{4, 10}, 1}, {[]int{5, 8, 8, 8, 99}, 0}, {[]int{4, 8, 8, 9, 99}, 1}} {
		rows := map[Week]int{}
		for i, n := range x.rows {
			rows[DefaultBaseWeek.Add(i)] = n
		}
		if got := FirstWholeWeek(rows); got != DefaultBaseWeek.Add(x.want) {
			t.Errorf("%v: %s", x.rows, got)
		}
	}
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
