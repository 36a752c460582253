package panel

import (
	"cmp"
	"strings"
	"time"
)

// defaultReleaseTime is when a snapshot without the setting release_time is released: a
// weekday and a time in Toronto.
const defaultReleaseTime = "Mon 08:30"

// NextRelease returns the first planned release after an instant. Releases are planned once a
// week by Toronto's clock, so they are seven days apart but for an hour twice a year.
func (a *About) NextRelease(after time.Time) time.Time {
	weekday, clock, _ := strings.Cut(cmp.Or(a.ReleaseTime, defaultReleaseTime), " ")
	at, err := time.Parse("15:04", clock)
	if err != nil {
		panic("panel: release_time was not checked: " + err.Error())
	}
	for day := DateIn(after, Toronto); ; day++ {
		midnight := day.Time(Toronto)
		planned := time.Date(midnight.Year(), midnight.Month(), midnight.Day(), at.Hour(), at.Minute(), 0, 0, Toronto)
		if strings.EqualFold(midnight.Weekday().String()[:len("Mon")], weekday) && planned.After(after) {
			return planned.UTC()
		}
	}
}
