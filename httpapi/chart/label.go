package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// label is the name and the last value of a line, beside its end.
type label struct {
	line  int
	value string
	until string // of a line that ends early
	lines []string
	at    float64 // where its middle ought to be
	top   float64
}

// after adds until to the lines of a label.
func (b label) after(lines ...string) []string {
	if b.until != "" {
		lines = append(lines, b.until)
	}
	return lines
}

// labels breaks the labels into lines. They take 30% of the width. They take 45% when a
// word is wider, or when they are too high otherwise.
func (l *layout) labels(width, height float64) []label {
	all, st := l.valueLabels(), l.labelStyle(0, 1)
	for _, share := range []float64{0.3, 0.45} {
		room, total, widest := width*share-l.text, 0.0, 0.0
		for i, b := range all {
			text := l.fig.Lines[b.line].Name + " " + b.value
			all[i].lines = b.after(st.wrap(text, room)...)
			total += st.leading() * float64(len(all[i].lines))
			for _, word := range strings.Split(text, " ") {
				widest = max(widest, st.measure(word))
			}
		}
		if total <= height && widest <= room {
			break
		}
	}
	return all
}

// valueLabels returns labels that have no names.
func (l *layout) valueLabels() (all []label) {
	w := l.fig.words()
	_, last, _ := l.fig.Period()
	for i, line := range l.fig.Lines {
		p, ok := line.last()
		if !ok {
			continue
		}
		b := label{line: i, value: w.Number(l.fig.View, p.Value), at: p.Value.Float64()}
		if end := p.Week.Date(); end < last {
			day := w.in.ShortDay(end, end.Time(time.UTC).Year() != last.Time(time.UTC).Year())
			b.until = fmt.Sprintf(w.Until, day)
		}
		b.lines = b.after(b.value)
		all = append(all, b)
	}
	return all
}

// labelWidth is the width that labels take beside the plot.
func (l *layout) labelWidth(all []label) (widest float64) {
	const slack = 1.03 // for a reader's other fonts
	st := l.labelStyle(0, 1)
	for _, b := range all {
		for _, text := range b.lines {
			widest = max(widest, st.measure(text)*slack)
		}
	}
	return widest + l.text
}

func (l *layout) labelStyle(i int, scale float64) style {
	return style{l.fig.hue(i), l.text * 0.85 * scale, true}
}

// writeLabels writes the labels beside the plot. A thin line joins a label that had to
// move with its line's end.
func (l *layout) writeLabels(area frame, labels []label) {
	st := l.labelStyle(0, 1)
	height := func(b label) float64 { return st.leading() * float64(len(b.lines)) }
	top, bottom := area.top-l.text*0.5, area.bottom+l.text*0.5
	total := 0.0
	for i := range labels {
		labels[i].at = area.y(labels[i].at)
		total += height(labels[i])
	}
	if total > bottom-top { // one line for each name, and if need be in small print
		room := l.width - l.gap - area.right - l.text
		total = 0
		for i, b := range labels {
			end := " " + b.value
			labels[i].lines = b.after(st.clip(l.fig.Lines[b.line].Name, room-st.measure(end)) + end)
			total += height(labels[i])
		}
		st = l.labelStyle(0, min(1, (bottom-top)/total))
	}
	spread(labels, height, top, bottom)
	for _, b := range labels {
		st.color = l.fig.hue(b.line)
		middle := b.top + height(b)/2
		if moved := middle - b.at; max(moved, -moved) > st.size*0.6 {
			l.line(st.color, 0.8, point{area.right + l.text*0.35, b.at}, point{area.right + l.text*0.85, middle})
		}
		for i, text := range b.lines {
			l.write(st, point{area.right + l.text, b.top + st.leading()*float64(i) + st.size*0.97}, start, text)
		}
	}
}

// spread gives each label a place between top and bottom. No two overlap, and each is as
// near its line's end as the others let it be. Labels that meet move as one.
func spread(labels []label, height func(label) float64, top, bottom float64) {
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.at, b.at) })
	type block struct {
		first, n     int
		height, want float64 // want: the sum of where each label wants the block to begin
	}
	place := func(b block) float64 {
		return max(top, min(b.want/float64(b.n), bottom-b.height))
	}
	var blocks []block
	for i, b := range labels {
		h := height(b)
		blocks = append(blocks, block{i, 1, h, b.at - h/2})
		for k := len(blocks) - 1; k > 0 && place(blocks[k-1])+blocks[k-1].height > place(blocks[k]); k-- {
			a, b := blocks[k-1], blocks[k]
			blocks = append(blocks[:k-1], block{a.first, a.n + b.n, a.height + b.height, a.want + b.want - float64(b.n)*a.height})
		}
	}
	for _, b := range blocks {
		y := place(b)
		for i := b.first; i < b.first+b.n; i++ {
			labels[i].top = y
			y += height(labels[i])
		}
	}
}
