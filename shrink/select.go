package shrink

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/panel"
)

// Graded is an event with its grade.
type Graded struct {
	*panel.ShrinkEvent
	Day        panel.Date // of its detection
	Confidence Confidence
	Flag       string // ok, or why the event is graded low
}

// Select grades the events and returns those of the grade least or a surer one that were
// detected between two days of a calendar, both included. They are in order of time, then id.
func Select(c panel.Calendar, events []panel.ShrinkEvent, least Confidence, from, to panel.Date) []Graded {
	var chosen []Graded
	for i := range events {
		g := Graded{ShrinkEvent: &events[i], Day: c.DateIn(events[i].DetectedAt)}
		g.Confidence, g.Flag = Grade(g.ShrinkEvent)
		if g.Confidence <= least && from <= g.Day && g.Day <= to {
			chosen = append(chosen, g)
		}
	}
	slices.SortFunc(chosen, func(a, b Graded) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	return chosen
}
