package panel

import (
	"fmt"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that every zone is known on any machine
)

// Calendar is the clock of a place: weeks, dates and "today" are read on it. The zero
// Calendar is Toronto's. Two calendars of one zone are equal.
type Calendar struct{ zone *time.Location } // nil: Toronto's

// NewCalendar returns the calendar of a time zone of the IANA database, such as Europe/Berlin.
func NewCalendar(zone string) (Calendar, error) {
	loc, err := time.LoadLocation(zone)
	if err != nil || zone == "" || zone == "Local" || !strings.Contains(zone, "/") && zone != "UTC" {
		return Calendar{}, fmt.Errorf("needs a time zone of the IANA database, such as Europe/Berlin, not %.40q", zone)
	}
	if zone == defaultZone {
		return Calendar{}, nil
	}
	kept, _ := zones.LoadOrStore(zone, loc)
	return Calendar{kept.(*time.Location)}, nil
}

var zones sync.Map // *time.Location by name: calendars of one zone are equal

const defaultZone = "America/Toronto"

var toronto = func() *time.Location {
	loc, err := time.LoadLocation(defaultZone)
	if err != nil {
		panic("panel: the embedded time zone database lacks " + defaultZone)
	}
	return loc
}()

// Zone returns the calendar's time zone.
func (c Calendar) Zone() *time.Location {
	if c.zone == nil {
		return toronto
	}
	return c.zone
}

// City names the clock for people, by the zone's last element, such as New York.
func (c Calendar) City() string {
	name := c.Zone().String()
	return strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], "_", " ")
}

// DateIn returns the day of a moment.
func (c Calendar) DateIn(t time.Time) Date { return DateIn(t, c.Zone()) }

// Start returns the first moment of a day: 00:00, or the end of the gap where clocks go forward at midnight.
func (c Calendar) Start(d Date) time.Time {
	const step = 30 * time.Minute // no zone moves its clock by another fraction of an hour at midnight
	t := d.Time(c.Zone())
	for c.DateIn(t) < d {
		t = t.Add(step)
	}
	for c.DateIn(t.Add(-step)) == d { // clocks go back after midnight: 00:00 comes twice
		t = t.Add(-step)
	}
	return t
}

// WeekOf returns the week of a moment.
func (c Calendar) WeekOf(t time.Time) Week { return c.DateIn(t).Week() }

// LastClosed returns the newest week that has ended by now. A week closes on Monday at 00:00.
func (c Calendar) LastClosed(now time.Time) Week { return c.WeekOf(now).Add(-1) }

// Weeks returns a function that finds the weeks of moments in Unix nanoseconds. It asks
// the time zone database only for a moment of another week than the one before.
func (c Calendar) Weeks() func(nano int64) Week {
	var week Week
	var from, until int64
	return func(nano int64) Week {
		if nano < from || nano >= until {
			week = c.WeekOf(time.Unix(0, nano))
			from, until = c.Start(week.Date()-6).UnixNano(), c.Start(week.Date()+1).UnixNano()
		}
		return week
	}
}
