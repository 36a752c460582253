package figure

import (
	"net/url"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Addresses of pages: of a figure, of one that other sites may frame, and of a week of a series
// that is taken apart. The addresses of other forms begin with Path.
const (
	Path      = "/figure"
	PathEmbed = "/embed/figure"
	PathWhy   = "/why"
)

// mostSeries is the largest number of series in a figure.
const mostSeries = 8

// Query holds the parameters of a figure's address.
type Query struct {
	Params   reply.Params
	Names    []string // of the series
	shown    prepared.ViewQuery
	from, to panel.Date // 0: not given
	lang     *lang.Language
	square   bool
	AsOf     string // the id of a release; empty: the figure is live
	Open     bool   // anybody may see it
}

// Read reads the query of a figure, which may hold the given parameters. It fails for
// whatever is wrong without regard to the data, before it matters who asks. served may be nil.
func Read(query string, params []string, public Public, served *prepared.Served) (*Query, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		_, err = reply.ReadParams(query, params)
		return nil, err
	}
	q := &Query{lang: lang.English, Open: true}
	for _, name := range values["s"] {
		if name != "" {
			q.Names = append(q.Names, name)
		}
	}
	delete(values, "s")
	if q.Params, err = reply.ReadParams(values.Encode(), params); err != nil {
		return nil, err
	}
	p := &q.Params
	q.shown = prepared.ReadView(p)
	q.from, q.to = p.Date("from", 0), p.Date("to", 0)
	if p.OneOf("lang", []string{"en", "fr"}) == "fr" {
		q.lang = lang.French
	}
	q.square = p.OneOf("size", []string{"wide", "square"}) == "square"
	q.AsOf = p.Value("as_of")
	if p.Err == nil && q.from != 0 && q.to != 0 && q.from > q.to {
		p.Err = reply.Invalid("to", nil, "to: %s is before from, %s", q.to, q.from)
	}
	if p.Err != nil {
		return nil, p.Err
	}
	if len(q.Names) == 0 {
		q.Names = []string{"national.overall"}
	}
	if len(q.Names) > mostSeries {
		return nil, reply.Invalid("s", nil, "s: a figure shows at most %d series; these are %d", mostSeries, len(q.Names))
	}
	for i, name := range q.Names {
		if slices.Contains(q.Names[:i], name) {
			return nil, reply.Invalid("s", nil, "s: %s is there twice; keep one", reply.Quote(name))
		}
		// Names of national series need no snapshot, and those of others are not public.
		cell, err := table.NewNames(nil, nil).Parse(name)
		q.Open = q.Open && err == nil && public.Shows(&cell, false)
		if err != nil && served != nil && q.AsOf == "" {
			if _, err := served.Names().Parse(state.Redact(name)); err != nil {
				return nil, unknownSeries(err)
			}
		}
	}
	return q, nil
}

// unknownSeries refuses a name of a series.
func unknownSeries(err error) error {
	return reply.Invalid("s", []string{"national.CATEGORY", "CITY.CATEGORY", "CITY.BANNER.CATEGORY"}, "s: %s", err)
}

// Address returns the query of the figure in its one form.
func (q *Query) Address() string {
	var b strings.Builder
	add := func(name, value string) {
		if value != "" {
			b.WriteString("&" + name + "=" + url.QueryEscape(value))
		}
	}
	for _, name := range q.Names {
		add("s", name)
	}
	if q.shown.View != table.ViewIndex {
		add("view", q.shown.View.String())
	}
	if q.shown.Since != 0 {
		add("since", q.shown.Since.String())
	}
	if q.from != 0 {
		add("from", q.from.String())
	}
	if q.to != 0 {
		add("to", q.to.String())
	}
	if q.lang != lang.English {
		add("lang", "fr")
	}
	add("as_of", q.AsOf)
	return strings.TrimPrefix(b.String(), "&")
}

// words are the texts of the figure's picture.
func (q *Query) words() *chart.Words {
	if q.lang == lang.French {
		return chart.French
	}
	return chart.English
}

// AddressOf returns the address of the figure of a series in a language.
func AddressOf(l *lang.Language, series, form string) string {
	address := Path + form + "?s=" + series
	if l != lang.English {
		address += "&lang=" + l.Tag[:2]
	}
	return address
}
