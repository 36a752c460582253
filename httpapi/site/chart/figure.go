// Package chart draws series of the index. One layout is rendered as SVG and as
// PNG, so that a figure is the same everywhere.
package chart

import (
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Figure is a line chart, or the steps of a change: what is drawn, and every text in the picture. An empty
// text takes no room.
type Figure struct {
	Lang      *words.Language
	Title     string // the finding
	Name      string // of what is drawn
	Unit      string // above the values' axis
	Publisher string
	Source    string   // whose prices they are
	Version   string   // release or snapshot
	Notice    string   // a warning under the title
	Notes     []string // below the axis: what the reader must know about the figures

	View  table.View
	Base  panel.Week // marked on the axis if it is drawn; 0: no week has a mark
	Lines []Line     // at most MaxLines
	Steps *Steps     // of a change, in place of lines; or nil
}

// Line is one series. Its name is written at its end.
type Line struct {
	Name   string
	Series string // its address, such as toronto.dairy
	Strong bool   // drawn heavier
	Points []Point
}

// Point is a value in a week. A line has a gap where Value is null and where a week
// has no point. Low and High are the ends of the interval, or null.
type Point struct {
	Week             panel.Week
	Value, Low, High panel.Fixed
	Revised          bool // since it was first published
}

// Size is the size of a picture and of its text in pixels. A picture with much text below it
// can become higher.
type Size struct{ Width, Height, Text float64 }

// Wide is the size of pictures for articles, and Layouts are those for pages, the widest first.
var (
	Wide    = Size{1200, 675, 17}
	Layouts = [...]Size{{1120, 560, 14}, {700, 440, 13}, {360, 400, 15.5}}
)

// MaxLines is the largest number of lines that a reader can tell apart.
const MaxLines = 10

// MostBands is the largest number of lines whose intervals are drawn.
const MostBands = 4

// Banded reports whether intervals are drawn.
func (f *Figure) Banded() bool {
	return len(f.Lines) <= MostBands && slices.ContainsFunc(f.Lines, func(l Line) bool {
		return slices.ContainsFunc(l.Points, func(p Point) bool { return p.Value.Valid && p.Low.Valid })
	})
}

// Errors of figures.
var (
	ErrEmpty     = errors.New("nothing to draw: no published row matches")
	ErrYoung     = errors.New("nothing to draw: no selected series is old enough to have a value in this view")
	ErrLongTitle = errors.New("chart: the title does not fit")
)

// TooManyError says how many series there are, more than MaxLines.
type TooManyError int

func (n TooManyError) Error() string {
	return fmt.Sprintf("chart: %d series, and a chart shows at most %d", int(n), MaxLines)
}

// SVG returns the figure as an SVG element with a title and a description. The errors
// are ErrEmpty and ErrLongTitle.
func (f *Figure) SVG(size Size) ([]byte, error) { return f.draw(size, f, (*picture).svg) }

// PNG returns the figure as a PNG image. It fails as SVG does.
func (f *Figure) PNG(size Size) ([]byte, error) { return f.draw(size, f, (*picture).png) }

func (f *Figure) draw(size Size, scaled *Figure, write func(*picture) ([]byte, error)) ([]byte, error) {
	p, err := f.picture(size, scaled)
	if err != nil {
		return nil, err
	}
	return write(p)
}

// Small returns one small SVG element for each line, none for one without a value. It has no text but the value,
// screen readers skip it, and the page's style sheet colours it. All have the same days and values. It fails as SVG
// does, but draws any number of lines.
func (f *Figure) Small(size Size) (pictures [][]byte, err error) {
	for i := range f.Lines {
		one := *f
		one.Lines, one.Base = f.Lines[i:i+1], 0
		picture, err := one.draw(size, f, (*picture).svg)
		if err != nil {
			return nil, err
		}
		if !f.Lines[i].last().Value.Valid {
			picture = nil
		}
		pictures = append(pictures, picture)
	}
	return pictures, nil
}

// Frame returns how a picture of the size is laid out. It fails as SVG does.
func (f *Figure) Frame(size Size) (Frame, error) {
	p, err := f.picture(size, f)
	if err != nil {
		return Frame{}, err
	}
	return p.Frame, nil
}

func (line *Line) last() (last Point) {
	for _, p := range line.Points {
		if p.Value.Valid {
			last = p
		}
	}
	return last
}
