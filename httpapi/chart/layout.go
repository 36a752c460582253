package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

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

// Heights of the plot as a share of the picture's height.
const (
	usualPlot = 0.6
	leastPlot = 0.4
)

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
		size.Text = max(14, math.Sqrt(size.Width*size.Height)/46)
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
	area, err := f.frame()
	if err != nil {
		return nil, err
	}
	l.describe()
	area.top = l.gap
	if form < Bare {
		if area.top, err = l.heading(area.top); err != nil {
			return nil, err
		}
	}
	unit := style{muted, l.text * 0.85, false}
	area.top = l.put(unit, f.Unit, area.top)
	values := f.valueTicks(area.span, min(7, max(2, int(l.height*usualPlot/(l.text*2.6)))))
	labels := l.labels(l.width-2*l.gap, l.height*usualPlot)
	area.left, area.right = l.gap+l.valueWidth(values), l.width-l.gap-l.labelWidth(labels)
	placed, strip, notes := l.place(area)
	var without []string
	for _, line := range f.Lines {
		if _, ok := line.last(); !ok {
			without = append(without, line.Name)
		}
	}
	if len(without) > 0 {
		notes = append(notes, fmt.Sprintf(f.words().None, strings.Join(without, ", ")))
	}
	if form < Bare {
		notes = slices.Concat(f.Notes, notes, []string{f.origin()})
	}
	footer := style{muted, l.text * 0.78, false}
	footerHeight := 0.0
	for _, text := range notes {
		footerHeight += footer.leading() * float64(len(footer.wrap(text, l.width-2*l.gap)))
	}
	area.top += strip + l.text*0.6
	days := f.dayTicks(area, l.axisStyle())
	below := l.dayHeight(days) + footerHeight + l.gap
	l.height = math.Ceil(max(l.height, area.top+leastPlot*size.Height+below))
	area.bottom = l.height - below
	y := l.height - l.gap - footerHeight
	for _, text := range notes {
		y = l.put(footer, text, y)
	}
	l.frame = area
	l.valueAxis(area, values)
	l.dayAxis(area, days)
	l.mark(area)
	l.bands(area)
	l.annotations(area, placed)
	for i := range f.Lines {
		l.series(area, i)
	}
	l.writeLabels(area, labels)
	return l.scene, nil
}

// frame has the values and days that the figure shows.
func (f *Figure) frame() (a frame, err error) {
	if a.span, err = f.span(); err == nil {
		a.first, a.last, err = f.Period()
	}
	return a, err
}

// small lays out each line in a picture of its own, with the values, days and places of
// all lines: two or three values of the axis, and the last value.
func (f *Figure) small(size Size) (scenes []*scene, err error) {
	area, err := f.frame()
	if err != nil {
		return nil, err
	}
	all, err := f.layout(size)
	if err != nil {
		return nil, err
	}
	values := f.valueTicks(area.span, 3)
	labels := all.valueLabels()
	area.left, area.right = all.valueWidth(values), all.width-all.labelWidth(labels)
	days := f.dayTicks(area, all.axisStyle())
	area.top, area.bottom = all.text*0.8, all.height-all.dayHeight(days)
	for i, line := range f.Lines {
		one := *f
		one.Title, one.Lines = line.Name, f.Lines[i:i+1]
		l, _ := one.layout(size) // as above
		l.describe()
		l.frame = area
		l.valueAxis(area, values)
		l.dayAxis(area, days)
		l.bands(area)
		l.series(area, 0)
		if at := slices.IndexFunc(labels, func(b label) bool { return b.line == i }); at >= 0 {
			own := labels[at]
			own.line = 0
			l.writeLabels(area, []label{own})
		}
		scenes = append(scenes, l.scene)
	}
	return scenes, nil
}

// describe writes the last value of each line, digit for digit as published.
func (l *layout) describe() {
	var parts []string
	for _, line := range l.fig.Lines {
		if p, ok := line.last(); ok {
			w := l.fig.words()
			parts = append(parts, fmt.Sprintf(w.Value, line.Name, w.exact(l.fig.View, p.Value), w.Date(p.Week.Date())))
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
	if most := 2 + int(600/l.width)*2; len(title.wrap(l.fig.Title, l.width-2*l.gap)) > most {
		return 0, ErrLongTitle
	}
	top = l.put(title, l.fig.Title, top)
	top = l.put(style{muted, l.text, false}, l.fig.Subtitle, top)
	top = l.put(style{warning, l.text * 0.85, true}, l.fig.Notice, top)
	return top + l.text*0.3, nil
}

// put writes a text over the picture's width from the top down, and returns where it
// ends.
func (l *layout) put(st style, text string, top float64) float64 {
	for _, line := range st.wrap(text, l.width-2*l.gap) {
		l.write(st, point{l.gap, top + st.size}, start, line)
		top += st.leading()
	}
	return top
}

// origin is the line of source, date and release.
func (f *Figure) origin() string {
	w := f.words()
	var parts []string
	if f.Source != "" {
		parts = append(parts, fmt.Sprintf(w.Source, f.Source))
	}
	date := f.Date
	if first, last, err := f.Period(); date == "" && err == nil {
		date = fmt.Sprintf(w.Weeks, w.Date(first), w.Date(last))
		if first == last {
			date = fmt.Sprintf(w.Week, w.Date(last))
		}
	}
	for _, text := range []string{date, f.Release} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}
