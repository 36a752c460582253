package figure

import (
	"html/template"
	"net/url"
	"slices"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
)

// The sizes of the pictures that the dashboard shows before its script has drawn.
var (
	dashboardSize  = chart.Size{Width: 750, Height: 400, Text: 12.5}
	dashboardPhone = chart.Size{Width: 330, Height: 264, Text: 11}
)

// FirstPictures draws the chart that the query of the dashboard's address describes, for a wide
// and a narrow window, and returns its title. It draws nothing for an address that is refused:
// the script says why. It draws nothing for levels of several places: the script gives each
// place a panel.
func FirstPictures(s *Source, given url.Values, l *lang.Language, public Public) (title string, wide, narrow template.HTML) {
	kept := url.Values{}
	for _, name := range []string{"s", "view", "since", "from", "to"} {
		if name != "since" || given.Get("view") == table.ViewSince.String() {
			kept[name] = given[name]
		}
	}
	if l != lang.English {
		kept.Set("lang", "fr")
	}
	q, err := Read(kept.Encode(), []string{"view", "since", "from", "to", "lang"}, public, s.Served)
	if err != nil {
		return "", "", ""
	}
	f, err := New(s, q)
	if err != nil || q.shown.View == table.ViewIndex && slices.ContainsFunc(f.cells, func(cell jevons.Cell) bool {
		return cell.City != f.cells[0].City || cell.Banner != f.cells[0].Banner
	}) {
		return "", "", ""
	}
	for size, to := range map[chart.Size]*template.HTML{dashboardSize: &wide, dashboardPhone: &narrow} {
		picture, err := f.drawn.SVG(size, chart.Bare)
		if err != nil {
			return "", "", ""
		}
		*to = template.HTML(picture) //nolint:gosec // package chart escapes texts
	}
	return f.drawn.Title, wide, narrow
}
