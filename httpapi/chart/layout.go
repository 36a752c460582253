package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// frame is the place of the values in a picture: pixels of the plot's edges, and what
// is there.
type frame struct {
	left, top, right, bottom float64
	span                     span
	first, last              panel.Date
}

func (f frame) x(d panel.Date) float64 {
	if f.first == f.last {
		return (f.left + f.right) / 2
	}
	return f.left + (f.right-f.left)*float64(d-f.first)/float64(f.last-f.first)
}

func (f frame) y(v float64) float64 { return f.bottom - (f.bottom-f.top)*f.span.share(v) }

// layout is a scene that is being made.
type layout struct {
	*scene
	fig  *Figure
	text float64 // size of the text
	gap  float64 // margin of the picture
}

// leastPlot is the smallest height of the plot, as a share of the picture's height.
const leastPlot = 0.4

func (f *Figure) words() *Words {
	if f.Words == nil {
		return English
	}
	return f.Words
}

func (f *Figure) layout(size Size) (*layout, error) {
	if size.Width < 100 || size.Height < 50 || size.Width > 4000 || size.Height > 4000 || size.Text < 0 || size.Text > size.Height/8 {
		return nil, ErrSize
	}
	if size.Text == 0 {
		size.Text = max(12, math.Sqrt(size.Width*size.Height)/46)
	}
	s := &scene{width: size.Width, height: size.Height, title: f.Title, lang: f.words().Lang}
	return &layout{s, f, size.Text, math.Round(size.Text * 0.8)}, nil
}

// scene lays the figure out: the title from the top down, notes and source from the
// bottom up, and the plot between them.
func (f *Figure) scene(size Size, form Form) (*scene, error) {
	if len(f.Lines) > MaxLines {
		return nil, TooManyError(len(f.Lines))
	}
	l, err := f.layout(size)
	if err != nil {
		return nil, err
	}
	area := frame{left: l.gap, right: l.width - l.gap}
	if area.span, err = f.span(); err != nil {
		return nil, err
	}
	if area.first, area.last, err = f.period(); err != nil {
		return nil, err
	}
	l.describe()
	area.top = l.gap
	if form != Bare {
		if area.top, err = l.heading(area.top); err != nil {
			return nil, err
		}
	}
	unit := style{muted, l.text * 0.85, false}
	for _, line := range unit.wrap(f.Unit, l.width-2*l.gap) {
		l.write(unit, point{l.gap, area.top + unit.size}, start, line)
		area.top += unit.leading()
	}
	placed, stripHeight, unplaced := l.place(area)
	footer := style{muted, l.text * 0.72, false}
	below := l.footer(footer, unplaced, form)
	tickStyle := style{muted, l.text * 0.85, false}
	axisHeight := tickStyle.size*0.5 + 2*tickStyle.leading()
	area.top += stripHeight + l.text*0.6
	used := area.top + axisHeight + footer.leading()*float64(len(below)) + l.gap
	l.height = math.Ceil(max(l.height, used+leastPlot*size.Height))
	area.bottom = l.height - (used - area.top)
	for i, line := range below {
		l.write(footer, point{l.gap, l.height - l.gap - footer.leading()*float64(len(below)-1-i) - footer.size*0.2}, start, line)
	}
	labels := l.labels(&area)
	l.axes(&area, tickStyle, max(2, int((area.bottom-area.top)/(l.text*2.6))), true)
	l.frame = area
	l.mark(area)
	l.bands(area)
	l.annotations(area, placed)
	for i := range f.Lines {
		l.series(area, i, l.text*0.11)
	}
	l.writeLabels(area, labels)
	return l.scene, nil
}

// small lays out one line on a given span: two or three values of the axis, and the
// last value.
func (f *Figure) small(size Size, s span) (*scene, error) {
	l, err := f.layout(size)
	if err != nil {
		return nil, err
	}
	area := frame{left: 2, right: l.width - 2, top: l.text * 0.8, bottom: l.height - l.text*1.6, span: s}
	first, last, err := f.period()
	if err != nil {
		return nil, err
	}
	area.first, area.last = first, last
	l.title = f.Lines[0].Name
	l.describe()
	labels := l.labels(&area)
	l.axes(&area, style{muted, l.text * 0.85, false}, 3, false)
	l.frame = area
	l.bands(area)
	l.series(area, 0, l.text*0.13)
	l.writeLabels(area, labels)
	return l.scene, nil
}

// describe writes the last value of each line, digit for digit as published.
func (l *layout) describe() {
	var parts []string
	for _, line := range l.fig.Lines {
		if p, ok := line.last(); ok {
			parts = append(parts, fmt.Sprintf(l.fig.words().Value, line.Name, p.Value, l.fig.words().Date(p.Week.Date())))
		}
	}
	l.desc = strings.Join(slices.Concat([]string{l.fig.Unit + "."}, parts), " ")
}

// last returns the last point with a value.
func (line *Line) last() (p Point, ok bool) {
	for _, p := range slices.Backward(line.Points) {
		if p.Value.Valid {
			return p, true
		}
	}
	return p, false
}

// heading writes title, subtitle and notice, and returns where they end.
func (l *layout) heading(top float64) (float64, error) {
	title := style{ink, l.text * 1.3, true}
	lines := title.wrap(l.fig.Title, l.width-2*l.gap)
	if most := 2 + int(600/l.width)*2; len(lines) > most {
		return 0, ErrLongTitle
	}
	put := func(st style, lines []string) {
		for _, line := range lines {
			l.write(st, point{l.gap, top + st.size}, start, line)
			top += st.leading()
		}
	}
	put(title, lines)
	subtitle := style{muted, l.text, false}
	put(subtitle, subtitle.wrap(l.fig.Subtitle, l.width-2*l.gap))
	notice := style{warning, l.text * 0.85, true}
	put(notice, notice.wrap(l.fig.Notice, l.width-2*l.gap))
	return top + l.text*0.3, nil
}

// footer returns the lines below the axis: notes, annotations without a place, and
// the source.
func (l *layout) footer(st style, unplaced []string, form Form) (lines []string) {
	f, texts := l.fig, unplaced
	if form != Bare {
		texts = slices.Concat(f.Notes, unplaced, []string{f.origin()})
	}
	for _, text := range texts {
		lines = append(lines, st.wrap(text, l.width-2*l.gap)...)
	}
	return lines
}

// origin is the line of source, date and release.
func (f *Figure) origin() string {
	w := f.words()
	var parts []string
	if f.Source != "" {
		parts = append(parts, fmt.Sprintf(w.Source, f.Source))
	}
	date := f.Date
	if first, last, err := f.period(); date == "" && err == nil {
		date = fmt.Sprintf(w.Weeks, w.Date(first), w.Date(last))
	}
	for _, text := range []string{date, f.Release} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// axes draws the grid and the ticks. It moves the left edge to make room for the
// values.
func (l *layout) axes(area *frame, st style, most int, inside bool) {
	values := l.fig.valueTicks(area.span, most)
	widest := 0.0
	for _, t := range values {
		widest = max(widest, st.measure(t.text))
	}
	area.left += widest + st.size*0.5
	zero, _ := l.fig.reference()
	for _, t := range values {
		y := area.bottom - (area.bottom-area.top)*t.at
		color := grid
		if t.value == zero {
			color = axis
		}
		l.line(color, 1, point{area.left, y}, point{area.right, y})
		l.write(st, point{area.left - st.size*0.5, y + st.size*0.35}, end, t.text)
	}
	l.line(axis, 1, point{area.left, area.bottom}, point{area.right, area.bottom})
	for _, t := range l.fig.dayTicks(area.first, area.last, st, area.right-area.left) {
		x := area.left + (area.right-area.left)*t.at
		l.line(axis, 1, point{x, area.bottom}, point{x, area.bottom + st.size*0.35})
		l.write(st, point{x, area.bottom + st.size*1.4}, middle, t.text)
		if t.second != "" {
			l.write(st, point{x, area.bottom + st.size*1.4 + st.leading()}, middle, t.second)
		}
	}
}

// reference is the value that all series of the view have where they begin, if one is.
func (f *Figure) reference() (float64, bool) {
	switch f.View {
	case jevons.ViewIndex:
		return 100, true
	case jevons.ViewCost:
		return math.NaN(), false
	}
	return 0, true
}
