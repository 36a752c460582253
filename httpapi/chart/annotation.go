package chart

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/panel"
)

// placed is an annotation with a place for its text in the strip above the plot.
type placed struct {
	date     panel.Date
	text     string
	line     int // that it is about; -1: all
	row      int // from the plot up
	from, to float64
}

// annotationRows is the largest number of rows of annotations.
const annotationRows = 3

// place gives the annotations of the period a row in the strip above the plot, the last
// first: the text of an earlier one is above the stems of later ones. It returns the
// strip's height, and the texts that found no room there.
func (l *layout) place(area frame) (all []placed, height float64, unplaced []string) {
	st, w := l.annotationStyle(), l.fig.words()
	notes := slices.Clone(l.fig.Annotations)
	slices.SortStableFunc(notes, func(a, b panel.Annotation) int { return cmp.Compare(b.Date, a.Date) })
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
		text := a.Text
		if w.Lang == French.Lang {
			text = cmp.Or(a.TextFr, text)
		}
		if p, ok := l.row(placed{date: a.Date, text: text, line: line}, all, area); ok {
			all, rows = append(all, p), max(rows, p.row+1)
		} else {
			unplaced = append(unplaced, w.Date(a.Date)+w.colon+text)
		}
	}
	slices.Reverse(unplaced)
	return all, float64(rows) * st.leading(), unplaced
}

// row finds a place for a text where it meets no other: right of its stem, over it or
// left of it, in the lowest row.
func (l *layout) row(p placed, all []placed, area frame) (placed, bool) {
	st := l.annotationStyle()
	width, x := st.measure(p.text), area.x(p.date)
	for _, from := range []float64{x - st.size*0.2, x - width/2, x + st.size*0.2 - width} {
		p.from, p.to = from, from+width
		for p.row = range annotationRows {
			if p.from >= l.gap && p.to <= l.width-l.gap && !slices.ContainsFunc(all, func(q placed) bool { return p.meets(q, area, st.size*0.5) }) {
				return p, true
			}
		}
	}
	return p, false
}

// meets reports whether a text, or the stem from it to the plot, meets that of another.
func (p placed) meets(q placed, area frame, apart float64) bool {
	crosses := func(stem, text placed) bool {
		x := area.x(stem.date)
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
		x, y, color := area.x(a.date), area.top-l.text*0.4-float64(a.row)*st.leading(), axis
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
		l.write(st, point{a.from, y}, start, a.text)
	}
}

// near returns the height of the annotated line on the day, and none where it has a gap.
func (l *layout) near(area frame, a placed, none float64) float64 {
	for _, piece := range l.fig.Lines[a.line].pieces(func(p Point) bool { return p.Value.Valid }) {
		for k, p := range piece {
			days := float64(p.Week.Date() - a.date)
			switch {
			case days == 0:
				return area.y(p.Value.Float64())
			case days > 0 && days < 7 && k > 0:
				before := piece[k-1].Value.Float64()
				return area.y(p.Value.Float64() + (before-p.Value.Float64())*days/7)
			}
		}
	}
	return none
}
