package chart

import (
	"slices"
)

// placed is an annotation with a place for its text in the strip above the plot.
type placed struct {
	Annotation
	line     int // that it is about; -1: all
	row      int // from the plot up
	from, to float64
}

// annotationRows is the largest number of rows of annotations.
const annotationRows = 3

// place gives the annotations of the period a row in the strip above the plot. It
// returns the strip's height, and the texts that found no room there.
func (l *layout) place(area frame) (all []placed, height float64, unplaced []string) {
	st := l.annotationStyle()
	// The values and labels beside the plot are measured again, for its place across.
	try := *l
	try.scene = &scene{width: l.width, height: l.height}
	area.top, area.bottom = 0, 100
	try.labels(&area)
	try.axes(&area, style{muted, l.text * 0.85, false}, 6, true)
	notes := slices.Clone(l.fig.Annotations)
	slices.SortStableFunc(notes, func(a, b Annotation) int { return int(a.Date) - int(b.Date) })
	rows := 0
	for _, a := range notes {
		line := slices.IndexFunc(l.fig.Lines, func(x Line) bool { return x.Series == a.Series })
		if a.Series == "" {
			line = -1
		} else if line < 0 {
			continue
		}
		if a.Date < area.first || a.Date > area.last {
			continue
		}
		width := st.measure(a.Text)
		p := placed{Annotation: a, line: line}
		p.from = max(l.gap, min(area.x(a.Date)-width/2, l.width-l.gap-width))
		p.to = p.from + width
		for p.row = 0; p.row < annotationRows && slices.ContainsFunc(all, func(q placed) bool { return p.meets(q, area, st.size*0.6) }); p.row++ {
		}
		if p.row == annotationRows || width > l.width-2*l.gap {
			unplaced = append(unplaced, l.fig.words().Date(a.Date)+l.fig.words().colon+a.Text)
			continue
		}
		all, rows = append(all, p), max(rows, p.row+1)
	}
	return all, float64(rows) * st.leading(), unplaced
}

// meets reports whether a text, or the stem from it to the plot, meets that of another.
func (p placed) meets(q placed, area frame, apart float64) bool {
	crosses := func(stem, text placed) bool {
		x := area.x(stem.Date)
		return stem.row > text.row && x > text.from-apart && x < text.to+apart
	}
	return p.row == q.row && p.from < q.to+apart && q.from < p.to+apart || crosses(p, q) || crosses(q, p)
}

func (l *layout) annotationStyle() style { return style{ink, l.text * 0.75, false} }

// annotations draws the texts, and a line from each to the value that it is about or
// over the plot's height.
func (l *layout) annotations(area frame, all []placed) {
	st := l.annotationStyle()
	for _, a := range all {
		x, y, color := area.x(a.Date), area.top-l.text*0.4-float64(a.row)*st.leading(), axis
		foot := area.bottom
		if a.line >= 0 {
			color = l.fig.hue(a.line)
			foot = l.near(area, a, foot)
		}
		l.line(color, 1, point{x, y + st.size*0.2}, point{x, foot})
		if foot < area.bottom {
			l.add(item{kind: dotKind, color: color, width: l.text * 0.22, points: []point{{x, foot}}})
		}
		st.color = ink
		l.write(st, point{a.from, y}, start, a.Text)
	}
}

// near is the height of the annotated line at the day: of its first value from then on.
func (l *layout) near(area frame, a placed, none float64) float64 {
	for _, p := range l.fig.Lines[a.line].Points {
		if p.Value.Valid && p.Week.Date() >= a.Date && p.Week.Date() < a.Date+7 {
			return area.y(p.Value.Float64())
		}
	}
	return none
}
