package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Hue returns the number of the class of the i-th line, as in "c-s9".
func (f *Figure) Hue(i int) int { return int(f.hue(i)) }

// hue is the colour of the i-th line. A strong line among others has the darkest.
func (f *Figure) hue(i int) hue {
	strong := slices.IndexFunc(f.Lines, func(l Line) bool { return l.Strong })
	switch {
	case strong < 0 || len(f.Lines) == 1 || i < strong:
		return hue(i)
	case i == strong:
		return MaxLines - 1
	}
	return hue(i - 1)
}

// series draws a line, cut where a value is missing. Its end has a dot, and so has a value
// between two gaps. A value that was revised has a ring.
func (p *picture) series(i int) {
	const manyPoints = 150 // which a thinner line keeps apart
	line, color, width := p.Lines[i], p.hue(i), p.text*0.11
	if len(line.Points) > manyPoints {
		width = p.text * 0.085
	}
	if line.Strong {
		width *= 1.6
	}
	for _, piece := range line.drawn() {
		points := make([]point, len(piece))
		for k, x := range piece {
			points[k] = p.at(x)
		}
		if len(points) > 1 {
			p.items = append(p.items, item{kind: lineKind, color: color, width: width, points: points,
				series: line.Series})
		} else {
			p.dot(color, width*1.2, points[0])
		}
	}
	for _, x := range line.Points {
		if x.Value.Valid && x.Revised {
			p.dot(color, p.text*0.26, p.at(x))
			p.dot(paper, p.text*0.16, p.at(x))
		}
	}
	if x := line.last(); x.Value.Valid && !x.Revised {
		p.dot(color, max(width*1.6, p.text*0.17), p.at(x))
	}
}

func (line Line) revised() bool {
	return slices.ContainsFunc(line.Points, func(x Point) bool { return x.Value.Valid && x.Revised })
}

// bands draws intervals. One that stands alone is as wide as a dot.
func (p *picture) bands() {
	if !p.Banded() {
		return
	}
	for i, line := range p.Lines {
		for _, piece := range line.pieces(func(x Point) bool { return x.Value.Valid && x.Low.Valid && x.High.Valid }) {
			outline := make([]point, 2*len(piece))
			for k, x := range piece {
				at := p.x(x.Week.Date())
				outline[k] = point{at, p.y(x.High.Float64())}
				outline[len(outline)-1-k] = point{at, p.y(x.Low.Float64())}
			}
			if len(piece) == 1 {
				half, high, low := p.text*0.17, outline[0], outline[1]
				outline = []point{{high.x - half, high.y}, {high.x + half, high.y}, {low.x + half, low.y},
					{low.x - half, low.y}}
			}
			p.items = append(p.items,
				item{kind: areaKind, color: p.hue(i), width: 0.14 / math.Sqrt(float64(len(p.Lines))), points: outline})
		}
	}
}

// drawn cuts a line where a value is missing.
func (line *Line) drawn() [][]Point { return line.pieces(func(x Point) bool { return x.Value.Valid }) }

// pieces cuts a line where a week is missing or its point is not as wanted.
func (line *Line) pieces(wanted func(Point) bool) (pieces [][]Point) {
	var before panel.Week
	for _, x := range line.Points {
		if !wanted(x) {
			continue
		}
		if before == 0 || before.Add(1) != x.Week {
			pieces = append(pieces, nil)
		}
		at := &pieces[len(pieces)-1]
		*at, before = append(*at, x), x.Week
	}
	return pieces
}

// gaps draws a cross above the axis for each week that has no value between two others, in a row for each line.
func (p *picture) gaps() {
	half, row := p.text*0.2, 0.0
	for i := range p.Lines {
		var before panel.Week
		pieces := p.Lines[i].drawn()
		for _, piece := range pieces {
			for w := before.Add(1); before != 0 && w < piece[0].Week; w = w.Add(1) {
				x, y := p.x(w.Date()), p.Bottom-half*(2+3*row)
				p.line(p.hue(i), 1.2, point{x - half, y - half}, point{x + half, y + half})
				p.line(p.hue(i), 1.2, point{x - half, y + half}, point{x + half, y - half})
			}
			before = piece[len(piece)-1].Week
		}
		if len(pieces) > 1 {
			row++
		}
	}
}

// base draws the week that values are compared with: a line over the plot's height, with its name above, where
// nothing else is.
func (p *picture) base() {
	if !p.based() {
		return
	}
	st, text := p.axisStyle(), p.Lang.T(words.Key("base week"))
	if p.View == table.ViewSince {
		text = p.Lang.ShortDay(p.Base.Date(), false)
	}
	x := p.x(p.Base.Date())
	p.line(axis, 1, point{x, p.Top}, point{x, p.Bottom})
	p.write(st, point{min(x, p.Width-p.gap-st.measure(text)), p.Top - st.size*0.45}, start, text)
}

// based reports whether the base is drawn.
func (p *picture) based() bool {
	day := p.Base.Date()
	return day != 0 && day >= p.First && day <= p.Last
}

// label is the name and the last value of a line.
type label struct {
	lines     []string
	color     hue
	at        float64 // the value of its line's end
	left, top float64
}

func (p *picture) labelStyle() style { return style{size: p.text, bold: true} }

func (p *picture) labelHeight(b label) float64 {
	return p.labelStyle().leading() * float64(len(b.lines))
}

// labels names the lines of a figure, the highest end first: beside the plot, where they take 30% of the
// width, or in rows below it if that is too little. In a small picture they have no names. It returns the
// names of lines without a value, which have none.
func (p *picture) labels(f *Figure) (all []label, without []string, beside bool) {
	st, share := p.labelStyle(), 0.3
	if p.small {
		share = 0.45
	}
	var texts []string
	beside, height := true, 0.0
	for i, line := range f.Lines {
		x := line.last()
		if !x.Value.Valid {
			without = append(without, line.Name)
			continue
		}
		b := label{color: f.hue(i), at: x.Value.Float64()}
		text, end := line.Name, " "+Number(p.Lang, p.View, x.Value)
		if day := x.Week.Date(); day < p.Last {
			year := day.Time(time.UTC).Year() != p.Last.Time(time.UTC).Year()
			end += " " + p.Lang.T(words.Key("(to {day})"), p.Lang.ShortDay(day, year))
		}
		if p.small {
			text = ""
		}
		b.lines = st.wrap(text+end, (p.Width-2*p.gap)*share-p.text)
		beside = beside && strings.Join(b.lines, " ") == strings.TrimSpace(text+end)
		height += p.labelHeight(b)
		all, texts = append(all, b), append(texts, st.clip(text, p.Width-2*p.gap-p.text*1.5-st.measure(end))+end)
	}
	if beside = beside && height <= p.Height*usualPlot || p.small; !beside {
		for i := range all {
			all[i].lines = texts[i : i+1]
		}
	}
	slices.SortStableFunc(all, func(a, b label) int { return cmp.Compare(b.at, a.at) })
	return all, without, beside
}

// writeLabels writes the labels beside the plot. A thin line joins a label that had to move with its
// line's end.
func (p *picture) writeLabels(labels []label) {
	st := p.labelStyle()
	p.spread(labels, p.Top-p.text*0.35, p.Bottom+p.text*0.5)
	for _, b := range labels {
		st.color = b.color
		at, middle := p.y(b.at), b.top+p.labelHeight(b)/2
		if math.Abs(middle-at) > st.size*0.6 {
			p.line(st.color, 0.8, point{p.Right + p.text*0.35, at}, point{p.Right + p.text*0.85, middle})
		}
		for i, text := range b.lines {
			p.write(st, point{p.Right + p.text, b.top + st.leading()*float64(i) + st.size*0.97}, start, text)
		}
	}
}

// list places the labels in rows, and returns the height of all.
func (p *picture) list(labels []label) (height float64) {
	st, x := p.labelStyle(), p.gap
	for i := range labels {
		b := &labels[i]
		width := p.text*1.5 + st.measure(b.lines[0])
		if x+width > p.Width-p.gap && x > p.gap {
			x, height = p.gap, height+st.leading()
		}
		b.left, b.top = x, height
		x += width + p.text
	}
	return height + st.leading()*1.4
}

// writeList writes the labels below the plot, each after a piece of its line.
func (p *picture) writeList(labels []label, top float64) {
	st := p.labelStyle()
	for _, b := range labels {
		st.color = b.color
		y := top + b.top + st.size
		p.line(b.color, p.text*0.18, point{b.left, y - st.size*0.35}, point{b.left + p.text, y - st.size*0.35})
		p.write(st, point{b.left + p.text*1.5, y}, start, b.lines[0])
	}
}

// spread gives each label a place between top and bottom. No two overlap, and each is as
// near its line's end as the others let it be. Labels that meet move as one.
func (p *picture) spread(labels []label, top, bottom float64) {
	total, above, want := 0.0, 0.0, make([]float64, len(labels)) // want: where a label is to begin, less those above
	for i, b := range labels {
		want[i] = p.y(b.at) - p.labelHeight(b)/2 - total
		total += p.labelHeight(b)
	}
	for i := range labels {
		// The isotonic regression is the largest of the least means of what is around i.
		place := math.Inf(-1)
		for j := range i + 1 {
			least, sum := math.Inf(1), 0.0
			for k := j; k < len(want); k++ {
				sum += want[k]
				if k >= i {
					least = min(least, sum/float64(k-j+1))
				}
			}
			place = max(place, least)
		}
		labels[i].top = above + max(top, min(place, bottom-total))
		above += p.labelHeight(labels[i])
	}
}
