package figure

import (
	"fmt"
	"html/template"

	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/table"
)

// pictureWidths are the values of width in addresses, those of chart.Layouts.
var pictureWidths = []string{"1120", "700", "360"}

// windows are the media that have room for the layouts. A type of 12 pixels or more stays so in a window of 280
// pixels, and one of 8 points on paper.
var windows = [len(chart.Layouts)]string{"screen and (min-width: 75rem)", "print, (min-width: 43rem)", ""}

// Picture is the picture of a figure in a page, which part picture.html shows. A browser takes the
// widest layout that its window has room for. On paper it is the one between, which is loaded before.
type Picture struct {
	chart.Scale
	Layouts []layout // the widest first
	Alt     string
	Steps   []template.URL // behind the rows of a change; or empty
}

type layout struct {
	Media   string // that have room for it; empty: any
	Address template.URL
	chart.Frame
}

// Plot has the edges of the plot, in pixels of the layout.
func (l layout) Plot() string {
	return fmt.Sprintf("%.1f %.1f %.1f %.1f", l.Left, l.Top, l.Right, l.Bottom)
}

// Of returns the figure of a series in a view.
func Of(s *Source, l *words.Language, series string, view table.View) (*Figure, error) {
	q := &Query{Names: []string{series}, lang: l}
	q.Shown.View = view
	return New(s, q)
}

// Picture returns the figure's picture in its page.
func (f *Figure) Picture() (_ *Picture, err error) {
	if f.picture == nil { // a page asks twice
		f.picture, err = pictureAt(f.Drawn, f.Form(".svg"))
	}
	return f.picture, err
}

// pictureAt returns the picture of a figure that has its file at an address.
func pictureAt(f *chart.Figure, file template.URL) (p *Picture, err error) {
	p = &Picture{Alt: f.Description()}
	if p.Scale, err = f.Scale(); err != nil {
		return nil, err
	}
	for i, size := range chart.Layouts {
		frame, err := f.Frame(size)
		if err != nil {
			return nil, err
		}
		p.Layouts = append(p.Layouts, layout{windows[i], file + template.URL("&width="+pictureWidths[i]), frame})
	}
	return p, nil
}

// embedStyle is the style of a frame in another page that has room for a picture and a link, whatever its width: the
// widest picture gives the shape, and the others the least height.
func (p *Picture) embedStyle() string {
	const link = 32
	least := 0.0
	for _, l := range p.Layouts[1:] {
		least = max(least, l.Height)
	}
	return fmt.Sprintf("border: 0; width: 100%%; aspect-ratio: %g / %g; min-height: %gpx",
		p.Layouts[0].Width, p.Layouts[0].Height+link, least+link)
}
