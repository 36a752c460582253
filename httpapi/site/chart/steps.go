package chart

import "github.com/larder-index/larder/panel"

// Steps are a change between two weeks, taken apart. A figure of them has a row for each instead of lines.
type Steps struct {
	From, To panel.Week
	Parts    []Step // in order; the last one is the whole change
	Clear    bool   // the interval of the whole leaves out zero
}

// Step is a part of a change. Its bar begins where the one before ended.
type Step struct {
	Name, Points string
	Value        panel.Fixed
}

// ends returns the values where the bar of a step begins and ends. The whole begins at zero.
func (s *Steps) ends(i int) (from, to float64) {
	for _, before := range s.Parts[:i] {
		from += before.Value.Float64()
	}
	if i == len(s.Parts)-1 {
		from = 0
	}
	return from, from + s.Parts[i].Value.Float64()
}

func (s *Steps) scale() Scale {
	all := Scale{First: s.From.Date(), Last: s.To.Date()}
	for i := range s.Parts {
		_, to := s.ends(i)
		all.Low, all.High = min(all.Low, to), max(all.High, to)
	}
	all.High = max(all.High, all.Low+0.5) // bars of less than a tenth of a point look small
	return all
}

// steps lays out a row for each step from the top down: its name, its bar and its points. A line goes down from the
// end of a bar to the beginning of the next one. Only a clear change has a colour.
func (p *picture) steps() {
	name, points := style{ink, p.text, false}, style{ink, p.text, true}
	names, numbers := 0.0, 0.0
	for _, part := range p.Steps.Parts {
		names = max(names, name.measure(part.Name))
		numbers = max(numbers, points.measure(part.Points))
	}
	names = min(names, (p.Width-2*p.gap)*0.42)
	p.Left, p.Right = p.gap+names+p.text, p.Width-p.gap-numbers-p.text
	across := func(v float64) float64 { return p.Left + (p.Right-p.Left)*(v-p.Low)/(p.High-p.Low) }
	const room = 0.35 // above and below a text, of its size
	top := p.Top + p.text*0.3
	p.Top = top
	row := func(i int) (label style, lines []string, height float64) {
		label = name
		label.bold = i == len(p.Steps.Parts)-1
		lines = label.wrap(p.Steps.Parts[i].Name, names)
		return label, lines, label.leading()*float64(max(1, len(lines))) + 2*room*p.text
	}
	for i, part := range p.Steps.Parts {
		sum := i == len(p.Steps.Parts)-1
		from, to := p.Steps.ends(i)
		label, lines, height := row(i)
		p.Rows = append(p.Rows, Row{top, height})
		for k, text := range lines {
			p.write(label, point{p.gap, top + p.text*(room+1) + label.leading()*float64(k)}, start, text)
		}
		p.line(grid, 1, point{p.gap, top + height}, point{p.Width - p.gap, top + height})
		color := axis
		if sum && p.Steps.Clear {
			color = 0
		}
		left, right := across(min(from, to)), across(max(from, to))
		high, low := top+height/2-p.text*0.5, top+height/2+p.text*0.5
		p.items = append(p.items, item{kind: areaKind, color: color, width: 1,
			points: []point{{left, high}, {right, high}, {right, low}, {left, low}}})
		if !sum {
			_, _, next := row(i + 1)
			p.line(axis, 1, point{across(to), high}, point{across(to), top + height + next/2 - p.text*0.5})
		}
		p.write(points, point{p.Width - p.gap, top + height/2 + p.text*0.35}, end, part.Points)
		top += height
	}
	p.line(axis, 1, point{across(0), p.Top}, point{across(0), top})
	p.Bottom = top
}
