package main

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
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
)

// save draws the chart into a file whose ending names its format. A failed
// chart leaves no file.
func (c *chart) save(path string) error {
	p, styles, err := c.plot()
	if err != nil {
		return err
	}
	canvas, err := draw.NewFormattedCanvas(chartWidth, chartHeight, strings.ToLower(filepath.Ext(path))[1:])
	if err != nil {
		return err
	}
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	label := p.X.Tick.Label
	label.Font.Size = labelSize
	widest := vg.Length(0)
	_, last := c.period()
	for i := range c.lines {
		l := &c.lines[i]
		if end := l.weeks[len(l.weeks)-1]; end < last {
			l.name += " (to " + end.Date().Time(time.UTC).Format("2 Jan") + ")"
		}
		widest = max(widest, label.Width(l.name))
	}
	if wide := p.Title.TextStyle.Width(c.title); wide > chartWidth-40 {
		p.Title.TextStyle.Font.Size *= max((chartWidth-40)/wide, 0.5)
		if p.Title.TextStyle.Width(c.title) > chartWidth-20 {
			return usagef("--title: %d characters do not fit above the chart; use fewer", len([]rune(c.title)))
		}
	}
	area := draw.Crop(page, 10, -(widest + labelGap + 14), sourceHeight, -10)
	p.Draw(area)
	c.nameLines(page, p.DataCanvas(area), p, label, styles)
	source := label
	source.Font.Size = 8
	source.Color = color.Gray{0x60}
	source.XAlign, source.YAlign = text.XLeft, text.YBottom
	page.FillText(source, vg.Point{X: 12, Y: 8}, c.source)

	return writeWhole(path, canvas)
}

// writeWhole writes a file that is there whole or not at all.
func writeWhole(path string, content io.WriterTo) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".chart-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Unwrap(err))
	}
	defer os.Remove(tmp.Name()) // fails once it is renamed
	_, err = content.WriteTo(tmp)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// plot makes axes, grid and lines.
func (c *chart) plot() (*plot.Plot, []draw.LineStyle, error) {
	plot.DefaultFont.Variant = "Sans"
	p := plot.New()
	p.Title.Text = c.title
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

// weekTicks labels some eight of the weeks, the last one among them.
func (c *chart) weekTicks() []plot.Tick {
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

// roundTicks labels some five to ten round levels from low to high.
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

// nameLines writes each line's name beside its end, pushed apart where they
// would overlap.
func (c *chart) nameLines(page, data draw.Canvas, p *plot.Plot, style text.Style, styles []draw.LineStyle) {
	_, toY := p.Transforms(&data)
	order := make([]int, len(c.lines))
	at := make([]vg.Length, len(c.lines))
	for i, l := range c.lines {
		order[i] = i
		at[i] = toY(l.levels[len(l.levels)-1])
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if at[i] < at[j] {
			return -1
		}
		return 1
	})
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
	for i, l := range c.lines {
		style.Color = styles[i].Color
		page.FillText(style, vg.Point{X: data.Max.X + labelGap, Y: at[i]}, l.name)
	}
}
