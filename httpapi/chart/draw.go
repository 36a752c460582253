package chart

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/larder-index/larder/panel"
)

// Sizes of the page.
const (
	chartWidth, chartHeight = 24 * vg.Centimeter, 13.5 * vg.Centimeter
	labelSize               = vg.Length(10)
	labelGap                = vg.Length(6)
	sourceHeight            = vg.Length(22)
	sourceLine              = vg.Length(10) // each further line of the source
)

// Draw draws the chart in a format: svg, png or pdf. It fails with ErrLongTitle
// when the title does not fit in half its size.
func (c *Chart) Draw(format string) (io.WriterTo, error) {
	p, styles, err := c.plot()
	if err != nil {
		return nil, err
	}
	canvas, err := draw.NewFormattedCanvas(chartWidth, chartHeight, format)
	if err != nil {
		return nil, err
	}
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	label := p.X.Tick.Label
	label.Font.Size = labelSize
	widest := vg.Length(0)
	_, last := c.Period()
	names := make([]string, len(c.lines))
	for i, l := range c.lines {
		names[i] = l.name
		if end := l.weeks[len(l.weeks)-1]; end < last {
			names[i] += " (to " + end.Date().Time(time.UTC).Format("2 Jan") + ")"
		}
		widest = max(widest, label.Width(names[i]))
	}
	if wide := p.Title.TextStyle.Width(c.Title); wide > chartWidth-40 {
		p.Title.TextStyle.Font.Size *= max((chartWidth-40)/wide, 0.5)
		if p.Title.TextStyle.Width(c.Title) > chartWidth-20 {
			return nil, ErrLongTitle
		}
	}
	source := label
	source.Font.Size = 8
	source.Color = color.Gray{0x60}
	source.XAlign, source.YAlign = text.XLeft, text.YBottom
	below := wrap(source, c.Source, chartWidth-24)
	if c.Notice != "" {
		below = append([]string{c.Notice}, below...)
	}
	below = append(slices.Clone(c.Notes), below...)
	area := draw.Crop(page, 10, -(widest + labelGap + 14), sourceHeight+sourceLine*vg.Length(len(below)-1), -10)
	p.Draw(area)
	c.nameLines(page, p.DataCanvas(area), p, label, styles, names)
	for i, line := range below {
		page.FillText(source, vg.Point{X: 12, Y: 8 + sourceLine*vg.Length(len(below)-1-i)}, line)
	}
	return canvas, nil
}

// wrap breaks a text into lines that are no wider than the given width, at spaces
// or, in a longer word, anywhere.
func wrap(style text.Style, s string, width vg.Length) (lines []string) {
	for style.Width(s) > width {
		end, space := 0, 0
		for i, r := range s {
			if i > 0 && style.Width(s[:i]) > width {
				break
			}
			if end = i; r == ' ' {
				space = i
			}
		}
		end = max(cmp.Or(space, end), 1)
		lines, s = append(lines, s[:end]), strings.TrimLeft(s[end:], " ")
	}
	return append(lines, s)
}

// plot makes axes, grid and lines.
func (c *Chart) plot() (*plot.Plot, []draw.LineStyle, error) {
	plot.DefaultFont.Variant = "Sans"
	p := plot.New()
	p.Title.Text = c.Title
	p.Title.TextStyle.Font.Size = 14
	p.Title.Padding = 8
	p.Y.Label.Text = c.yLabel
	p.Y.Label.TextStyle.Font.Size = labelSize
	p.X.Tick.Marker = plot.ConstantTicks(c.weekTicks())
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 9, 9
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	grid.Horizontal.Color = color.Gray{0xdd}
	p.Add(grid)
	styles := make([]draw.LineStyle, len(c.lines))
	for i, l := range c.lines {
		styles[i] = draw.LineStyle{Color: colors[i%len(colors)], Width: 1.6}
		if l.headline {
			styles[i].Width = 2.8
		}
		if i >= len(colors) {
			styles[i].Dashes = []vg.Length{5, 3}
		}
		for _, piece := range l.bands() {
			drawn, err := plotter.NewPolygon(piece)
			if err != nil {
				return nil, nil, err
			}
			drawn.Color, drawn.LineStyle.Width = faint(colors[i%len(colors)]), 0
			p.Add(drawn)
		}
		for _, piece := range l.pieces() {
			drawn, err := plotter.NewLine(piece)
			if err != nil {
				return nil, nil, err
			}
			drawn.LineStyle = styles[i]
			p.Add(drawn)
			if len(piece) == 1 { // a line of one week would not be seen
				dot, err := plotter.NewScatter(piece)
				if err != nil {
					return nil, nil, err
				}
				dot.GlyphStyle = draw.GlyphStyle{Color: styles[i].Color, Radius: 2, Shape: draw.CircleGlyph{}}
				p.Add(dot)
			}
		}
	}
	if p.Y.Max-p.Y.Min < 1 { // do not blow up the noise of a flat series
		mid := (p.Y.Max + p.Y.Min) / 2
		p.Y.Min, p.Y.Max = mid-0.5, mid+0.5
	}
	p.Y.Tick.Marker = plot.ConstantTicks(roundTicks(p.Y.Min, p.Y.Max))
	return p, styles, nil
}

// pieces cuts the line where a week is missing.
func (l line) pieces() []plotter.XYs {
	var all []plotter.XYs
	for i, w := range l.weeks {
		if i == 0 || l.weeks[i-1].Add(1) != w {
			all = append(all, nil)
		}
		last := &all[len(all)-1]
		*last = append(*last, plotter.XY{X: float64(w), Y: l.levels[i]})
	}
	return all
}

// bands returns the outlines of the line's intervals: there along the upper ends and
// back along the lower ones. They are cut where an interval is missing.
func (l line) bands() (all []plotter.XYs) {
	var high, low plotter.XYs
	end := func() {
		if slices.Reverse(low); len(high) > 1 {
			all = append(all, slices.Concat(high, low))
		}
		high, low = nil, nil
	}
	for i, x := range l.band {
		if math.IsNaN(x.low) || i > 0 && l.weeks[i-1].Add(1) != l.weeks[i] {
			end()
		}
		if !math.IsNaN(x.low) {
			high = append(high, plotter.XY{X: float64(l.weeks[i]), Y: x.high})
			low = append(low, plotter.XY{X: float64(l.weeks[i]), Y: x.low})
		}
	}
	end()
	return all
}

// faint is the colour of a line's band.
func faint(c color.RGBA) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, 0x26} }

// weekTicks labels about eight weeks, always with the last.
func (c *Chart) weekTicks() []plot.Tick {
	var weeks []panel.Week
	for _, l := range c.lines {
		weeks = append(weeks, l.weeks...)
	}
	slices.Sort(weeks)
	weeks = slices.Compact(weeks)
	first, last := weeks[0], weeks[len(weeks)-1]
	step := max(1, int(math.Ceil(float64(last-first)/7/8)))
	var ticks []plot.Tick
	for w := last; w >= first; w = w.Add(-step) {
		ticks = append(ticks, plot.Tick{Value: float64(w), Label: w.Date().Time(time.UTC).Format("2 Jan 2006")})
	}
	return ticks
}

// roundTicks labels about five to ten round levels from low to high.
func roundTicks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	switch n := (high - low) / step; {
	case n < 2:
		step /= 5
	case n < 4:
		step /= 2
	}
	decimals := max(0, -int(math.Floor(math.Log10(step*1.001))))
	var ticks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: fmt.Sprintf("%.*f", decimals, i*step)})
	}
	return ticks
}

// nameLines writes each line's name beside its end. It pushes names apart that
// would overlap.
func (c *Chart) nameLines(page, data draw.Canvas, p *plot.Plot, style text.Style, styles []draw.LineStyle, names []string) {
	_, toY := p.Transforms(&data)
	order := make([]int, len(c.lines))
	at := make([]vg.Length, len(c.lines))
	for i, l := range c.lines {
		order[i] = i
		at[i] = toY(l.levels[len(l.levels)-1])
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(at[i], at[j]) })
	const apart = labelSize * 1.2
	for k := 1; k < len(order); k++ {
		at[order[k]] = max(at[order[k]], at[order[k-1]]+apart)
	}
	for k := len(order) - 1; k >= 0; k-- { // and back down from the top edge
		limit := data.Max.Y
		if k < len(order)-1 {
			limit = at[order[k+1]] - apart
		}
		at[order[k]] = min(at[order[k]], limit)
	}
	style.XAlign, style.YAlign = text.XLeft, text.YCenter
	for i, name := range names {
		style.Color = styles[i].Color
		page.FillText(style, vg.Point{X: data.Max.X + labelGap, Y: at[i]}, name)
	}
}
