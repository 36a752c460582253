package figure

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Public says which figures of the index anybody may see. All others need a key or a session.
type Public uint8

// The values of Public.
const (
	PublicInvented Public = iota // PublicNational if the prices are invented, else PublicNone
	PublicNational               // the national headline and categories, and each city's newest basket cost
	PublicNone
)

// ParsePublic reads national or none.
func ParsePublic(s string) (Public, error) {
	if i := slices.Index([]string{"national", "none"}, s); i >= 0 {
		return PublicNational + Public(i), nil
	}
	return 0, fmt.Errorf("%q is not known; use national or none", s)
}

// Of returns PublicNational or PublicNone, which hold for the prices of a snapshot.
func (p Public) Of(about *panel.About) Public {
	switch {
	case p != PublicInvented:
		return p
	case about.Synthetic:
		return PublicNational
	}
	return PublicNone
}

// Shows reports whether anybody may see figures of a cell. With newestCost only the basket
// cost of the newest week is to be seen.
func (p Public) Shows(cell *jevons.Cell, newestCost bool) bool {
	city := cell.Level == jevons.City && cell.Category == basket.Overall
	return p == PublicNational && (cell.Level == jevons.National || newestCost && city)
}

// Addresses of pages: of a figure, of one that other sites may frame, and of a week of a series
// that is taken apart. The addresses of other forms begin with Path.
const (
	Path      = "/figure"
	PathEmbed = "/embed/figure"
	PathWhy   = "/why"
)

const mostSeries = 8

// Query holds the parameters of a figure's address.
type Query struct {
	Params   reply.Params
	Names    []string // of the series
	Shown    prepared.ViewQuery
	From, To panel.Date // 0: not given
	week     panel.Date // in the one that is taken apart; 0: not given
	lang     *words.Language
	Width    string // of the picture, if it is one for pages
	AsOf     string // the id of a release; empty: the figure is live
	Open     bool   // anybody may see it

	PagePath string     // address of the page that shows the figure
	Rest     url.Values // what that address has besides
	Sent     bool       // by a form, whose address is not the figure's one form
}

// Read reads the query of a figure, which may hold the given parameters. It fails for
// whatever is wrong without regard to the data, before it matters who asks. served may be nil.
func Read(query string, params []string, public Public, served *prepared.Snapshot) (*Query, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		_, err = reply.ReadParams(query, params)
		return nil, err
	}
	languages := words.Of(served.About())
	q := &Query{lang: languages[0], Open: true, PagePath: Path, Rest: url.Values{},
		Names: slices.DeleteFunc(values["s"], func(name string) bool { return name == "" })}
	for _, list := range values {
		q.Sent = q.Sent || slices.Contains(list, "")
	}
	delete(values, "s")
	if q.Params, err = reply.ReadParams(values.Encode(), params); err != nil {
		return nil, err
	}
	p := &q.Params
	q.Shown = prepared.ReadView(p)
	q.From, q.To, q.week = p.Date("from", 0), p.Date("to", 0), p.Date("week", 0)
	if p.OneOf("lang", panel.Languages) == languages[1].Code {
		q.lang = languages[1]
	}
	q.AsOf, q.Width = p.Value("as_of"), p.OneOf("width", pictureWidths)
	if p.Err == nil && q.From != 0 && q.To != 0 && q.From > q.To {
		p.Err = reply.Invalid("to", nil, "to: %s is before from, %s", q.To, q.From)
	}
	if p.Err != nil {
		return nil, p.Err
	}
	if len(q.Names) == 0 {
		q.Names = []string{"national.overall"}
	}
	if category := p.Value("category"); category != "" {
		q.Sent = true
		added := cmp.Or(p.Value("place"), jevons.National.String()) + "." + category
		if !slices.Contains(q.Names, added) {
			q.Names = append(q.Names, added)
		}
	}
	if len(q.Names) > mostSeries {
		return nil, reply.Invalid("s", nil, "s: a figure shows at most %d series; these are %d",
			mostSeries, len(q.Names))
	}
	for i, name := range q.Names {
		if slices.Contains(q.Names[:i], name) {
			return nil, reply.Invalid("s", nil, "s: %s is there twice; keep one", reply.Quote(name))
		}
		// Names of national series need no snapshot, and those of others are not public.
		cell, err := table.NewNames(nil, nil, served.Categories()).Parse(name)
		q.Open = q.Open && err == nil && public.Of(served.About()).Shows(&cell, false)
		if err != nil && served != nil && q.AsOf == "" {
			if _, err := served.Names().Parse(state.Redact(name)); err != nil {
				return nil, unknownSeries(err)
			}
		}
	}
	return q, nil
}

func unknownSeries(err error) error {
	return reply.Invalid("s", []string{"national.CATEGORY", "CITY.CATEGORY", "CITY.BANNER.CATEGORY"}, "s: %s", err)
}

// Address returns the query of the figure in its one form.
func (q *Query) Address() string {
	address := ""
	for _, name := range q.Names {
		address += "&s=" + url.QueryEscape(name)
	}
	for _, x := range []struct {
		name, value string
		given       bool
	}{
		{"week", q.week.String(), q.week != 0},
		{"view", q.Shown.View.String(), q.Shown.View != table.ViewIndex},
		{"since", q.Shown.Since.String(), q.Shown.Since != 0},
		{"from", q.From.String(), q.From != 0}, {"to", q.To.String(), q.To != 0},
		{"lang", q.lang.Code, q.lang.Prefix != ""}, {"as_of", q.AsOf, q.AsOf != ""},
	} {
		if x.given {
			address += "&" + x.name + "=" + url.QueryEscape(x.value)
		}
	}
	return address[1:]
}

// AddressOf returns the address of the figure of a series in a language and a view without a chosen week.
func AddressOf(l *words.Language, series, form string, view table.View) string {
	shown := prepared.ViewQuery{View: view}
	return Path + form + "?" + (&Query{Names: []string{series}, Shown: shown, lang: l}).Address()
}
