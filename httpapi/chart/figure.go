// Package chart draws series of the index. One layout is rendered as SVG and as
// PNG, so that a figure is the same everywhere.
package chart

import (
	"errors"
	"fmt"

	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Figure is a line chart: what is drawn, and every text in the picture. An empty
// text takes no room.
type Figure struct {
	Title    string
	Subtitle string
	Unit     string // above the values' axis
	Source   string // whose prices they are
	Date     string // what the data are as of; empty: the weeks that are drawn
	Release  string
	Notice   string   // a warning under the title
	Notes    []string // below the axis: what the reader must know about the figures

	View        table.View
	Base        panel.Week         // marked on the axis if it is drawn; 0: no week has a mark
	Lines       []Line             // at most MaxLines
	Annotations []panel.Annotation // one of a series that is not drawn is left out
	Words       *Words             // nil: English
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
}

// Size is the size of a picture in pixels. Text is the size of its text; 0 fits it to
// the picture. A picture with much text below it can become higher.
type Size struct{ Width, Height, Text float64 }

// The sizes of pictures for articles and for social media.
var (
	Wide   = Size{Width: 1200, Height: 675}
	Square = Size{Width: 1080, Height: 1080}
)

// Form says what an SVG picture carries.
type Form int

// The forms.
const (
	File   Form = iota // its own colours and ground
	Inline             // classes, which the page's style sheet colours
	Bare               // as Inline, without title, notice, notes and source: the page has them
	Silent             // as Bare, and screen readers skip it: the page says the same in words
)

// MaxLines is the largest number of lines that a reader can tell apart.
const MaxLines = 10

// MostBands is the largest number of lines whose intervals are drawn.
const MostBands = 4

// Errors of figures.
var (
	ErrEmpty     = errors.New("nothing to draw: no published row matches")
	ErrYoung     = errors.New("nothing to draw: no selected series is old enough to have a value in this view")
	ErrLongTitle = errors.New("chart: the title does not fit")
	ErrSize      = errors.New("chart: a picture is 100 to 4000 pixels wide and 50 to 4000 high")
)

// TooManyError says how many series there are, more than MaxLines.
type TooManyError int

func (n TooManyError) Error() string {
	return fmt.Sprintf("chart: %d series, and a chart shows at most %d", int(n), MaxLines)
}

// SVG returns the figure as an SVG element with a title and a description. The errors
// are ErrEmpty, ErrLongTitle, ErrSize and a TooManyError.
func (f *Figure) SVG(size Size, form Form) ([]byte, error) {
	s, err := f.scene(size, form)
	if err != nil {
		return nil, err
	}
	return s.svg(form), nil
}

// PNG returns the figure as a PNG image. It fails as SVG does.
func (f *Figure) PNG(size Size) ([]byte, error) {
	s, err := f.scene(size, File)
	if err != nil {
		return nil, err
	}
	return s.png()
}

// Small returns one small silent SVG element for each line, with all its days and values on one
// scale. It fails as SVG does, but draws any number of lines.
func (f *Figure) Small(size Size) ([][]byte, error) {
	scenes, err := f.small(size)
	if err != nil {
		return nil, err
	}
	pictures := make([][]byte, len(scenes))
	for i, s := range scenes {
		pictures[i] = s.svg(Silent)
	}
	return pictures, nil
}
