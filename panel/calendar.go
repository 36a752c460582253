package panel

import "time"

// FirstYear and LastYear bound the moments that a panel can hold.
const (
	FirstYear = 1970
	LastYear  = 2199
)

const (
	weekNanos = 7 * secondsPerDay * int64(time.Second)
)

var (
	firstWeek = weekOfDate(DateOf(FirstYear, time.January, 1))
	numWeeks  = int(weekOfDate(DateOf(LastYear+1, time.January, 1))-firstWeek)/7 + 2

	firstSecond = DateOf(FirstYear, time.January, 1).Time(time.UTC).Unix()
	endSecond   = DateOf(LastYear+1, time.January, 1).Time(time.UTC).Unix()
)

// calendar finds the week of a moment without asking the time zone database
// each time: it remembers when each week starts. The zero value is ready.
type calendar struct {
	starts []int64 // Unix nanoseconds by week number; 0: not asked yet
}

// weekOf returns the week of t; false when t is not in the years that a panel
// can hold.
func (c *calendar) weekOf(t time.Time) (Week, bool) {
	if s := t.Unix(); s < firstSecond || s >= endSecond {
		return 0, false
	}
	if c.starts == nil {
		c.starts = make([]int64, numWeeks+1)
	}
	ns := t.UnixNano()
	// The first week starts within hours of the guess's origin, so the guess
	// is off by one at most.
	i := int(floorDiv(ns-c.start(0), weekNanos))
	switch {
	case i < 0 || i >= numWeeks:
		return WeekOf(t), true
	case ns < c.start(i):
		i--
	case ns >= c.start(i+1):
		i++
	}
	if i < 0 {
		return WeekOf(t), true
	}
	return firstWeek.Add(i), true
}

// start returns the first nanosecond of the i-th week.
func (c *calendar) start(i int) int64 {
	if c.starts[i] == 0 {
		c.starts[i] = firstWeek.Add(i).start()
	}
	return c.starts[i]
}
