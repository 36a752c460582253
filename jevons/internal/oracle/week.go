package oracle

import (
	"time"
	_ "time/tzdata" // the zone must not depend on the machine
)

const dateLayout = "2006-01-02"

var toronto = must(time.LoadLocation("America/Toronto"))

// weekOf names the week of an instant. Section 1: "An observation belongs to
// the ISO week (Monday to Sunday) of its observed_at in America/Toronto. The
// week's name is the date of its Sunday."
func weekOf(t time.Time) string {
	local := t.In(toronto)
	daysToSunday := (7 - int(local.Weekday())) % 7 // Sunday is 0
	return local.AddDate(0, 0, daysToSunday).Format(dateLayout)
}

// closes is the instant from which a week is published. Section 1: "from
// Monday 00:00 in Toronto, never as a partial week".
func closes(week string) time.Time {
	sunday := mustDate(week)
	return time.Date(sunday.Year(), sunday.Month(), sunday.Day()+1, 0, 0, 0, 0, toronto)
}

// addDays moves a date by whole calendar days.
func addDays(date string, days int) string {
	return mustDate(date).AddDate(0, 0, days).Format(dateLayout)
}

// weeksBetween lists the weeks from first to last, both included.
func weeksBetween(first, last string) []string {
	var weeks []string
	for w := first; w <= last; w = addDays(w, 7) {
		weeks = append(weeks, w)
	}
	return weeks
}

func mustDate(date string) time.Time { return must(time.Parse(dateLayout, date)) }
