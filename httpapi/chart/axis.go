package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// span is the range of the values that are drawn.
type span struct{ low, high float64 }

// span returns the range of all values and intervals. It fails with ErrEmpty without
// any.
func (f *Figure) span() (span, error) {
	s := span{math.Inf(1), math.Inf(-1)}
	for _, l := range f.Lines {
		for _, p := range l.Points {
			for _, v := range []panel.Fixed{p.Value, p.Low, p.High} {
				if p.Value.Valid && v.Valid {
					s.low, s.high = min(s.low, v.Float64()), max(s.high, v.Float64())
				}
			}
		}
	}
	if s.low > s.high {
		return s, ErrEmpty
	}
	least := 0.5 // so that the noise of a flat series is not blown up
	if f.View == table.ViewIndex || f.View == table.ViewCost {
		least = 1
	}
	if short := least - (s.high - s.low); short > 0 {
		s.low, s.high = s.low-short/2, s.high+short/2
	}
	edge := (s.high - s.low) * 0.04
	return span{s.low - edge, s.high + edge}, nil
}

// tick is a place on an axis, as a share of its length, with its text. A second text
// has a row of its own below.
type tick struct {
	at           float64
	value        float64
	text, second string
}

// valueTicks are round values, at most so many.
func (f *Figure) valueTicks(s span, most int) (ticks []tick) {
	var step float64
	for power, found := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/float64(most)))), false; !found; power *= 10 {
		for _, factor := range []float64{1, 2, 5} {
			step = power * factor
			if found = math.Floor(s.high/step)-math.Ceil(s.low/step) < float64(most); found {
				break
			}
		}
	}
	decimals := max(0, -int(math.Floor(math.Log10(step*1.001))))
	for i := math.Ceil(s.low / step); i*step <= s.high; i++ {
		ticks = append(ticks, tick{at: s.share(i * step), value: i * step, text: f.words().tick(f.View, i*step, decimals)})
	}
	return ticks
}

// share is the place of a value between low and high, 0 to 1.
func (s span) share(v float64) float64 { return (v - s.low) / (s.high - s.low) }

// Period returns the first and the last day with a value. It fails with ErrEmpty
// without any.
func (f *Figure) Period() (first, last panel.Date, err error) {
	for _, l := range f.Lines {
		for _, p := range l.Points {
			if day := p.Week.Date(); p.Value.Valid {
				first, last = min(cmp.Or(first, day), day), max(last, day)
			}
		}
	}
	if last == 0 {
		return 0, 0, ErrEmpty
	}
	return first, last, nil
}

// dayTicks labels weeks, months, quarters or years: the finest for which the plot has
// room. A year is written below the first tick and where it begins.
func (f *Figure) dayTicks(area frame, st style) (ticks []tick) {
	for _, every := range []int{-1, -2, -4, 1, 3, 6, 12, 24, 60, 120, 240} {
		if ticks = f.ticksEvery(every, area.first, area.last); fit(ticks, st, area.right-area.left) && len(ticks) > 0 {
			break
		}
	}
	return ticks
}

// ticksEvery labels the beginnings of periods of so many months or, below 0, of weeks back
// from the last.
func (f *Figure) ticksEvery(months int, first, last panel.Date) (ticks []tick) {
	const weeksLong = 70 // days; months have few ticks in less
	if months < 0 && last-first > weeksLong {
		return nil
	}
	year := 0
	for d := first; d <= last; d++ {
		t := d.Time(time.UTC)
		k := tick{at: float64(d-first) / max(1, float64(last-first)), text: fmt.Sprint(t.Year())}
		switch {
		case months < 0 && (last-d)%panel.Date(7*months) != 0, months > 0 && (t.Day() != 1 || (t.Year()*12+int(t.Month())-1)%months != 0):
			continue
		case months < 0:
			k.text = f.words().in.ShortDay(d, false)
		case months < 12:
			k.text = f.words().in.Month(t.Month(), true)
		}
		if months < 12 && t.Year() != year {
			k.second, year = fmt.Sprint(t.Year()), t.Year()
		}
		if first == last {
			k.at = 0.5
		}
		ticks = append(ticks, k)
	}
	return ticks
}

// mostTicks is the largest number of ticks of an axis of days.
const mostTicks = 14

// fit reports whether the texts have room side by side.
func fit(ticks []tick, st style, width float64) bool {
	if len(ticks) > mostTicks {
		return false
	}
	for i := 1; i < len(ticks); i++ {
		room := (ticks[i].at - ticks[i-1].at) * width
		if (st.measure(ticks[i].text)+st.measure(ticks[i-1].text))/2+st.size*0.7 > room {
			return false
		}
	}
	return true
}

func (l *layout) axisStyle() style { return style{muted, l.text * 0.85, false} }

// valueWidth is the width of the texts of a values' axis.
func (l *layout) valueWidth(ticks []tick) (widest float64) {
	st := l.axisStyle()
	for _, t := range ticks {
		widest = max(widest, st.measure(t.text)+st.size*0.5)
	}
	return widest
}

// valueAxis draws the grid. The line where all series begin is darker.
func (l *layout) valueAxis(area frame, ticks []tick) {
	st := l.axisStyle()
	if from, ok := l.fig.reference(); ok && from > area.span.low && from < area.span.high {
		defer l.line(axis, 1, point{area.left, area.y(from)}, point{area.right, area.y(from)})
	}
	for _, t := range ticks {
		y := area.y(t.value)
		l.line(grid, 1, point{area.left, y}, point{area.right, y})
		l.write(st, point{area.left - st.size*0.5, y + st.size*0.35}, end, t.text)
	}
}

// dayHeight is the height of an axis of days.
func (l *layout) dayHeight(ticks []tick) float64 {
	st := l.axisStyle()
	if slices.ContainsFunc(ticks, func(t tick) bool { return t.second != "" }) {
		return st.size*0.8 + st.leading()*2
	}
	return st.size*0.8 + st.leading()
}

func (l *layout) dayAxis(area frame, ticks []tick) {
	st := l.axisStyle()
	l.line(axis, 1, point{area.left, area.bottom}, point{area.right, area.bottom})
	for _, t := range ticks {
		x := area.left + (area.right-area.left)*t.at
		l.line(axis, 1, point{x, area.bottom}, point{x, area.bottom + st.size*0.35})
		y := area.bottom + st.size*1.4
		l.write(st, point{x, y}, middle, t.text)
		if t.second != "" {
			l.write(st, point{x, y + st.leading()}, middle, t.second)
		}
	}
}

// reference is the value that all series of the view have where they begin, if one is.
func (f *Figure) reference() (float64, bool) {
	switch f.View {
	case table.ViewIndex:
		return 100, true
	case table.ViewCost:
		return 0, false
	}
	return 0, true
}
