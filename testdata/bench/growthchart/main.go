// Command growthchart draws what testdata/bench/growth.sh measured: seconds and
// megabytes against the number of prices, both on logarithmic scales, where what
// grows in proportion runs beside the grey line.
package main

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"log"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Columns of the table.
const (
	storesAt, pricesAt = 1, 2
	fewestStores       = 146
)

// measure is a column with how it is drawn. The colours are those of Okabe and
// Ito; the shape of the points tells measures apart without them.
type measure struct {
	name   string
	column int
	color  color.Color
	shape  draw.GlyphDrawer
}

var (
	blue, red   = color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	green, pink = color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xcc, 0x79, 0xa7, 0xff}

	times = []measure{
		{"import", 5, blue, draw.CircleGlyph{}}, {"server ready", 10, pink, draw.PyramidGlyph{}},
		{"load", 7, red, draw.BoxGlyph{}}, {"compute", 8, green, draw.TriangleGlyph{}},
	}
	memory = []measure{
		{"server", 14, pink, draw.PyramidGlyph{}}, {"index", 9, red, draw.BoxGlyph{}},
		{"import", 6, blue, draw.CircleGlyph{}}, {"file", 4, green, draw.TriangleGlyph{}},
	}
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: growthchart FILE.svg <TABLE")
	}
	rows, err := read(os.Stdin)
	if err == nil {
		err = save(os.Args[1], rows)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// read reads the table, a line for each panel.
func read(r io.Reader) (rows [][]float64, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var row []float64
		for field := range strings.SplitSeq(lines.Text(), "\t") {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return nil, err
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

func save(path string, rows [][]float64) error {
	plot.DefaultFont.Variant = "Sans"
	left, err := newPlot("Seconds", times, rows)
	if err != nil {
		return err
	}
	right, err := newPlot("Megabytes at the peak", memory, rows)
	if err != nil {
		return err
	}
	const width, height = 24 * vg.Centimeter, 11 * vg.Centimeter
	canvas := vgsvg.New(width, height)
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	tiles := draw.Tiles{Rows: 1, Cols: 2, PadX: 12, PadTop: 10, PadBottom: 8, PadLeft: 8, PadRight: 12}
	for i, c := range plot.Align([][]*plot.Plot{{left, right}}, tiles, page)[0] {
		[]*plot.Plot{left, right}[i].Draw(c)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// newPlot draws measures against the number of prices: more weeks as a line, more
// stores as a dashed one.
func newPlot(title string, measures []measure, rows [][]float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size, p.Title.Padding = 13, 8
	p.X.Label.Text = "Prices (line: more weeks; dashed: more stores)"
	p.X.Label.TextStyle.Font.Size = 10
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(decades), plot.TickerFunc(decades)
	p.Legend.Left, p.Legend.Top = true, true
	p.Legend.TextStyle.Font.Size, p.Legend.Padding = 10, 2
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xe4}, color.Gray{0xe4}
	p.Add(grid)
	for i, m := range measures {
		weeks, stores := points(m, rows)
		if i == 0 {
			if err := addProportion(p, weeks); err != nil {
				return nil, err
			}
		}
		for _, of := range []struct {
			points plotter.XYs
			dashes []vg.Length
		}{{weeks, nil}, {stores, []vg.Length{5, 3}}} {
			line, dots, err := plotter.NewLinePoints(of.points)
			if err != nil {
				return nil, err
			}
			line.Color, line.Width, line.Dashes = m.color, 1.6, of.dashes
			dots.GlyphStyle = draw.GlyphStyle{Color: m.color, Radius: 3, Shape: m.shape}
			p.Add(line, dots)
			if of.dashes == nil {
				p.Legend.Add(m.name, line, dots)
			}
		}
	}
	p.X.Min = math.Pow(10, math.Floor(math.Log10(p.X.Min)))
	p.Y.Max *= 8 // room for the legend
	return p, nil
}

// points are those of a measure, by the number of prices. The smallest panel starts
// both.
func points(m measure, rows [][]float64) (weeks, stores plotter.XYs) {
	rows = slices.SortedFunc(slices.Values(rows), func(a, b []float64) int {
		return int(a[pricesAt] - b[pricesAt])
	})
	for i, row := range rows {
		at := plotter.XY{X: row[pricesAt], Y: row[m.column]}
		if row[storesAt] == fewestStores {
			weeks = append(weeks, at)
		}
		if row[storesAt] != fewestStores || i == 0 {
			stores = append(stores, at)
		}
	}
	return weeks, stores
}

// addProportion adds the line of what grows as the number of prices does, through
// the last of the points.
func addProportion(p *plot.Plot, points plotter.XYs) error {
	first, last := points[0], points[len(points)-1]
	line, err := plotter.NewLine(plotter.XYs{{X: first.X, Y: last.Y * first.X / last.X}, last})
	if err != nil {
		return err
	}
	line.Color, line.Width = color.Gray{0xb0}, 4
	p.Add(line)
	p.Legend.Add("in proportion", line)
	return nil
}

// decades labels the powers of ten.
func decades(low, high float64) (ticks []plot.Tick) {
	for v := 1e-4; v <= high; v *= 10 {
		if v < low {
			continue
		}
		label := strconv.FormatFloat(v, 'g', 4, 64)
		switch {
		case v > 0.9e6:
			label = fmt.Sprintf("%.0f million", v/1e6)
		case v > 900:
			label = fmt.Sprintf("%.0f,000", v/1e3)
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}
