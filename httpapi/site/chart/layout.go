package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// picture is a figure with a place for all that is in it, in pixels.
type picture struct {
	*Figure
	Frame
	small     bool    // among others of one scale: without texts but the values
	text, gap float64 // size of the text, and margin of the picture
	items     []item
}

// Frame is the size of a picture, and where its plot and the rows of its steps are.
type Frame struct {
	Width, Height            float64
	Left, Top, Right, Bottom float64
	Rows                     []Row
	Scale
}

// Row is where a step of a change is.
type Row struct{ Top, Height float64 }

// Scale is the range of what a plot has room for. Its axes are linear in days and in values.
type Scale struct {
	Low, High   float64
	First, Last panel.Date
}

// unchanged returns the value that says that nothing changed. A cost has none.
func (f *Figure) unchanged() (float64, bool) {
	if f.View == table.ViewIndex {
		return 100, true
	}
	return 0, f.View != table.ViewCost
}

// Scale returns the range of all values, intervals and days, with the value that says that nothing changed. It
// fails with ErrEmpty without any value.
func (f *Figure) Scale() (Scale, error) {
	if f.Steps != nil {
		return f.Steps.scale(), nil
	}
	s := Scale{Low: math.Inf(1), High: math.Inf(-1)}
	for _, l := range f.Lines {
		for _, p := range l.Points {
			if !p.Value.Valid {
				continue
			}
			day := p.Week.Date()
			s.First, s.Last = min(cmp.Or(s.First, day), day), max(s.Last, day)
			for i, v := range []panel.Fixed{p.Value, p.Low, p.High} {
				if v.Valid && (i == 0 || len(f.Lines) <= MostBands) {
					s.Low, s.High = min(s.Low, v.Float64()), max(s.High, v.Float64())
				}
			}
		}
	}
	if s.Last == 0 {
		return s, ErrEmpty
	}
	if same, ok := f.unchanged(); ok {
		s.Low, s.High = min(s.Low, same), max(s.High, same)
	}
	const least = 1 // so that the noise of a flat series is not blown up
	short := max(0, least-(s.High-s.Low)) / 2
	edge := (s.High - s.Low + 2*short) * 0.04
	s.Low, s.High = s.Low-short-edge, s.High+short+edge
	return s, nil
}

func (p *picture) x(d panel.Date) float64 {
	if p.First == p.Last {
		return (p.Left + p.Right) / 2
	}
	return p.Left + (p.Right-p.Left)*float64(d-p.First)/float64(p.Last-p.First)
}

func (p *picture) y(v float64) float64 {
	return p.Bottom - (p.Bottom-p.Top)*(v-p.Low)/(p.High-p.Low)
}

func (p *picture) at(x Point) point { return point{p.x(x.Week.Date()), p.y(x.Value.Float64())} }

// Heights of the plot as a share of the picture's height.
const (
	usualPlot = 0.6
	leastPlot = 0.5
)

// picture lays the figure out on the scale of another one, which may be itself: the title from
// the top down, notes and source from the bottom up, and the plot between them.
func (f *Figure) picture(size Size, scaled *Figure) (*picture, error) {
	s, err := scaled.Scale()
	if err != nil {
		return nil, err
	}
	p := &picture{Figure: f, Frame: Frame{Width: size.Width, Height: size.Height, Scale: s}, small: f != scaled,
		text: size.Text}
	p.Top = p.text * 0.2
	if !p.small {
		p.gap = math.Round(p.text * 0.8)
		title := style{ink, p.text * 1.3, true}
		most := 2 + int(600/p.Width)*2
		if f.Steps == nil && len(title.wrap(f.Title, p.Width-2*p.gap)) > most {
			return nil, ErrLongTitle
		}
		p.Top = p.put(title, f.Title, p.gap)
		p.Top = p.put(style{warning, p.text, true}, f.Notice, p.Top) + p.text*0.3
		p.Top = p.put(p.axisStyle(), f.Unit, p.put(p.axisStyle(), f.Name, p.Top))
	}
	footer := style{muted, p.text, false}
	if f.Steps != nil {
		p.steps()
		below := p.Bottom + p.text*0.6
		for _, text := range append(slices.Clone(f.Notes), f.origin(s)) {
			below = p.put(footer, text, below)
		}
		p.Height = math.Ceil(below + p.gap)
		return p, nil
	}
	values := p.valueTicks(min(7, max(3, int(p.Height*usualPlot/(p.text*2.6)))))
	p.Left, p.Right = p.gap, p.Width-p.gap
	for _, t := range values {
		p.Left = max(p.Left, p.gap+p.axisStyle().measure(t.text)+p.axisStyle().size*0.5)
	}
	labels, without, beside := p.labels(f)
	all, _, _ := p.labels(scaled)
	listHeight, labelsHeight := 0.0, 0.0
	if !beside {
		listHeight, all, p.Right = p.list(labels), nil, p.Right-p.text // half of the last day's text
	}
	for i, b := range all {
		if i < len(labels) {
			labelsHeight += p.labelHeight(labels[i])
		}
		for _, text := range b.lines {
			p.Right = min(p.Right, p.Width-p.gap-p.text-p.labelStyle().measure(text))
		}
	}
	var notes []string
	if without != nil {
		notes = append(notes, f.Lang.T(words.Key("No value in these weeks: {series}."), strings.Join(without, ", ")))
	}
	if slices.ContainsFunc(f.Lines, func(l Line) bool { return len(l.drawn()) > 1 }) {
		notes = append(notes, "× "+f.Lang.T(words.Key("not published: too few matched products"))+".")
	}
	if slices.ContainsFunc(f.Lines, Line.revised) {
		notes = append(notes, "○ "+f.Lang.T(words.Key("revised since it was first published"))+".")
	}
	notes = slices.Concat(f.Notes, notes, []string{f.origin(s)})
	if p.small {
		notes = nil
	}
	footerHeight := 0.0
	for _, text := range notes {
		footerHeight += footer.leading() * float64(len(footer.wrap(text, p.Width-2*p.gap)))
	}
	p.Top += p.text * 0.6
	if p.based() {
		p.Top += p.text * 1.3
	}
	days, below := []tick(nil), p.text*0.4
	if !p.small {
		days = p.dayTicks()
		below = p.axisStyle().size*0.8 + p.axisStyle().leading() + listHeight + footerHeight + p.gap
	}
	if slices.ContainsFunc(days, func(t tick) bool { return t.second != "" }) {
		below += p.axisStyle().leading()
	}
	p.Height = math.Ceil(max(p.Height, p.Top+max(leastPlot*size.Height, labelsHeight-p.text)+below))
	p.Bottom = p.Height - below
	y := p.Height - p.gap - footerHeight
	for _, text := range notes {
		y = p.put(footer, text, y)
	}
	p.axes(values, days)
	p.base()
	p.bands()
	p.gaps()
	for i := range f.Lines {
		p.series(i)
	}
	if beside {
		p.writeLabels(labels)
	} else {
		p.writeList(labels, p.Height-p.gap-footerHeight-listHeight)
	}
	return p, nil
}

// origin says whose prices the figure shows, of which weeks, and what it was made from.
func (f *Figure) origin(s Scale) (text string) {
	if f.Publisher != "" && !strings.Contains(f.Source, f.Publisher) {
		text = f.Publisher + ". "
	}
	text += f.Lang.T(words.Key("Source: {source}."), f.Source) + " "
	if s.First == s.Last {
		text += f.Lang.T(words.Key("Week ending {week}"), f.Lang.Day(s.Last))
	} else {
		text += f.Lang.T(words.Key("Weeks ending {first} to {last}"), f.Lang.Day(s.First), f.Lang.Day(s.Last))
	}
	return text + ", " + f.Version + "."
}

// Description says the title, the unit, the steps with what they are of and the notes on them, and the last value of
// each line, digit for digit as published.
func (f *Figure) Description() string {
	text := f.Title + ". " + strings.TrimSuffix(f.Unit, ".") + "."
	if f.Steps != nil {
		text = f.Title + ". " + f.Name + ". " + f.Unit
		for _, part := range f.Steps.Parts {
			text += " " + f.Lang.T(words.Key("{name}: {value}"), part.Name, part.Points) + "."
		}
		text = strings.Join(append([]string{text}, f.Notes...), " ")
	}
	for _, line := range f.Lines {
		if x := line.last(); x.Value.Valid {
			value := number(f.Lang, f.View, x.Value, 4)
			text += " " + f.Lang.T(words.Key("{series}: {value} in the week ending {week}."), line.Name, value,
				f.Lang.Day(x.Week.Date()))
		}
	}
	return text
}

// put writes a text over the picture's width from the top down, and returns where it
// ends.
func (p *picture) put(st style, text string, top float64) float64 {
	for _, line := range st.wrap(text, p.Width-2*p.gap) {
		p.write(st, point{p.gap, top + st.size}, start, line)
		top += st.leading()
	}
	return top
}

func (p *picture) write(st style, at point, anchor float64, text string) {
	p.items = append(p.items, item{kind: textKind, color: st.color, width: st.size, bold: st.bold, points: []point{at},
		anchor: anchor, text: text})
}

func (p *picture) line(color hue, width float64, points ...point) {
	p.items = append(p.items, item{kind: lineKind, color: color, width: width, points: points})
}

func (p *picture) dot(color hue, radius float64, at point) {
	p.items = append(p.items, item{kind: dotKind, color: color, width: radius, points: []point{at}})
}

func (p *picture) axisStyle() style { return style{muted, p.text, false} }

// tick is a place on an axis, in pixels or as a value, with its text. A second text
// has a row of its own below.
type tick struct {
	at           float64
	text, second string
}

// valueTicks are round values, at most so many.
func (p *picture) valueTicks(most int) (ticks []tick) {
	power, step := math.Pow(10, math.Floor(math.Log10((p.High-p.Low)/float64(most)))), 0.0
	for k := 0; k == 0 || math.Floor(p.High/step)-math.Ceil(p.Low/step) >= float64(most); k++ {
		step = power * math.Pow10(k/3) * [...]float64{1, 2, 5}[k%3]
	}
	decimals := max(0, -int(math.Floor(math.Log10(step*1.001))))
	for i := math.Ceil(p.Low / step); i*step <= p.High; i++ {
		text := written(p.Lang, p.View, decimal.NewFromFloat(i*step).StringFixed(int32(decimals)))
		ticks = append(ticks, tick{at: i * step, text: strings.TrimPrefix(text, "+")})
	}
	return ticks
}

// dayTicks labels weeks, months, quarters or years: the finest for which the plot has
// room. A year is written below the first tick and where it begins.
func (p *picture) dayTicks() (ticks []tick) {
	const most = 14
	st := p.axisStyle()
	for _, every := range []int{-1, -2, -4, 1, 3, 6, 12, 24, 60, 120, 240} {
		ticks = p.ticksEvery(every)
		fit := len(ticks) > 0 && len(ticks) <= most
		for i := 1; fit && i < len(ticks); i++ {
			fit = (st.measure(ticks[i].text)+st.measure(ticks[i-1].text))/2+st.size*0.7 <= ticks[i].at-ticks[i-1].at
		}
		if fit {
			break
		}
	}
	return ticks
}

// ticksEvery labels the beginnings of periods of so many months or, below 0, of weeks back
// from the last.
func (p *picture) ticksEvery(months int) (ticks []tick) {
	const weeksLong = 70 // days; months have few ticks in less
	if months < 0 && p.Last-p.First > weeksLong {
		return nil
	}
	year := 0
	for d := p.First; d <= p.Last; d++ {
		t := d.Time(time.UTC)
		k := tick{at: p.x(d), text: fmt.Sprint(t.Year())}
		switch {
		case months < 0 && int(p.Last-d)%(7*months) == 0:
			k.text = p.Lang.ShortDay(d, false)
		case months < 0 || t.Day() != 1 || (t.Year()*12+int(t.Month())-1)%months != 0:
			continue
		case months < 12:
			k.text = p.Lang.T(t.Format("Jan"))
		}
		if months < 12 && t.Year() != year {
			year, k.second = t.Year(), fmt.Sprint(t.Year())
		}
		ticks = append(ticks, k)
	}
	return ticks
}

// axes draws the grid of values, and the days. The value that says that nothing changed has a darker line.
func (p *picture) axes(values, days []tick) {
	st := p.axisStyle()
	for _, t := range values {
		y := p.y(t.at)
		p.line(grid, 1, point{p.Left, y}, point{p.Right, y})
		p.write(st, point{p.Left - st.size*0.5, y + st.size*0.35}, end, t.text)
	}
	if same, ok := p.unchanged(); ok {
		p.line(axis, 1, point{p.Left, p.y(same)}, point{p.Right, p.y(same)})
	}
	p.line(axis, 1, point{p.Left, p.Bottom}, point{p.Right, p.Bottom})
	for _, t := range days {
		p.line(axis, 1, point{t.at, p.Bottom}, point{t.at, p.Bottom + st.size*0.35})
		for i, text := range []string{t.text, t.second} {
			if text != "" {
				p.write(st, point{t.at, p.Bottom + st.size*1.4 + st.leading()*float64(i)}, middle, text)
			}
		}
	}
}
