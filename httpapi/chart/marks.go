package chart

import (
	"math"
	"slices"

	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// darkest is the last colour of the palette.
const darkest = hue(MaxLines - 1)

// hue is the colour of the i-th line. A strong line among others has the darkest.
func (f *Figure) hue(i int) hue {
	strong := slices.IndexFunc(f.Lines, func(l Line) bool { return l.Strong })
	switch {
	case strong < 0 || len(f.Lines) == 1 || i < strong:
		return hue(i)
	case i == strong:
		return darkest
	}
	return hue(i - 1)
}

// series draws a line, cut where a value is missing. Its end has a dot, and so has a value
// between two gaps.
func (l *layout) series(area frame, i int) {
	const manyPoints = 150 // which a thinner line keeps apart
	line, color, width := l.fig.Lines[i], l.fig.hue(i), l.text*0.11
	if len(line.Points) > manyPoints {
		width = l.text * 0.085
	}
	if line.Strong {
		width *= 1.6
	}
	for _, piece := range line.pieces(func(p Point) bool { return p.Value.Valid }) {
		points := make([]point, len(piece))
		for k, p := range piece {
			points[k] = point{area.x(p.Week.Date()), area.y(p.Value.Float64())}
		}
		if len(points) > 1 {
			l.add(item{kind: lineKind, color: color, width: width, points: points, series: line.Series})
		} else {
			l.add(item{kind: dotKind, color: color, width: width * 1.2, points: points})
		}
	}
	if p, ok := line.last(); ok {
		l.add(item{kind: dotKind, color: color, width: max(width*1.6, l.text*0.17), points: []point{{area.x(p.Week.Date()), area.y(p.Value.Float64())}}})
	}
}

// bands draws each line's interval as an area. Many bands are fainter.
func (l *layout) bands(area frame) {
	for i, line := range l.fig.Lines {
		for _, piece := range line.pieces(func(p Point) bool { return p.Value.Valid && p.Low.Valid && p.High.Valid }) {
			outline := make([]point, 2*len(piece))
			for k, p := range piece {
				x := area.x(p.Week.Date())
				outline[k], outline[len(outline)-1-k] = point{x, area.y(p.High.Float64())}, point{x, area.y(p.Low.Float64())}
			}
			if len(piece) > 1 {
				l.add(item{kind: areaKind, color: l.fig.hue(i), width: 0.14 / math.Sqrt(float64(len(l.fig.Lines))), points: outline})
			}
		}
	}
}

// pieces cuts a line where a week is missing or its point is not as wanted.
func (line *Line) pieces(wanted func(Point) bool) (pieces [][]Point) {
	var before panel.Week
	for _, p := range line.Points {
		if !wanted(p) {
			continue
		}
		if len(pieces) == 0 || before.Add(1) != p.Week {
			pieces = append(pieces, nil)
		}
		at := &pieces[len(pieces)-1]
		*at, before = append(*at, p), p.Week
	}
	return pieces
}

// mark draws the week that values are compared with: a line over the plot's height, with
// its name where it is farthest from the values.
func (l *layout) mark(area frame) {
	base := l.fig.Base.Date()
	if base == 0 || base < area.first || base > area.last {
		return
	}
	w, st := l.fig.words(), style{muted, l.text * 0.78, false}
	text := w.BaseWeek
	if l.fig.View == table.ViewSince {
		text = w.in.ShortDay(base, false)
	}
	x, width := area.x(base), st.measure(text)+st.size
	l.line(axis, 1, point{x, area.top}, point{x, area.bottom})
	side, at := start, x+st.size*0.4
	if x+width > area.right {
		side, at = end, x-st.size*0.4
	}
	above, below := area.bottom, area.top
	for _, line := range l.fig.Lines {
		for _, p := range line.Points {
			if d := area.x(p.Week.Date()) - x; p.Value.Valid && (side == start && d >= 0 && d <= width || side == end && d <= 0 && d >= -width) {
				y := area.y(p.Value.Float64())
				above, below = min(above, y), max(below, y)
			}
		}
	}
	y := area.top + st.size
	if area.bottom-below > above-area.top {
		y = area.bottom - st.size*0.4
	}
	l.write(st, point{at, y}, side, text)
}
