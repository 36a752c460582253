package httpapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

const apiVersion = "v1"

// Sentences of notes.
var (
	note = lang.Key("Do not compound pct_change_wow: over more than a week compare index_value. Levels of different series do not compare: headline city and banner series are rebased to 100 in their own entry week; compare places by basket_cost_cad, and categories with each other. Never splice v1 and v2. A missing row is usually a cell below the 60% publication floor.")

	census = lang.Key("The panel is not a census; prices are online list prices from public retailer sites.")

	noteQuality = lang.Key("se, the interval and se_wow measure how much a figure depends on the choice of products; they say nothing about the choice of stores, or about prices within a product.")
)

// notes say what readers must not do with the numbers of a series.
var notes = map[string]string{
	"v2": note,

	"coverage": "A cell that is not published has the first reason that holds; each of its products that is not matched has its own. meta.attrition counts series of the whole panel, whatever the filters; in the newest weeks some that went are only late.",

	jevons.RegularSeries: "Series regular is a companion of v2, never to be spliced into it: the index of prices without sales. A price counts as its regular price where that is known, else as it is when it is not on sale; a price on sale whose regular price is not known does not count. " + note,

	jevons.LinkedSeries: "Series linked is a companion of v2, never to be spliced into it: its base moves. A cell takes a new base in the first week, at least 52 weeks after the one before, in which it has a row and 75% of its products are priced; rows from the next week on name it in base_week, and item_count counts products matched with it. basket_cost_cad is that of v2. " + note,

	"v1": "Series v1 is the frozen pilot of March to June 2026: different basis; not recomputed; never splice it with v2. Do not compound pct_change_wow: over more than a week compare index_value. Levels of different series do not compare: compare places by basket_cost_cad where it is given.",
}

// methodologies name the estimator of each series.
var methodologies = map[string]string{
	"v2":                 "Direct fixed-base matched-model Jevons index against the base week: one estimator for headline and categories, with the top and bottom 10 percent of store-level relatives of each product trimmed.",
	jevons.RegularSeries: "Direct fixed-base matched-model Jevons index of regular prices against the base week: the estimator of v2, its base, entry weeks, floor and basket cost taken from regular prices.",
	jevons.LinkedSeries:  "Matched-model Jevons index whose base moves after 52 weeks or more: the estimator of v2 within each base, levels multiplied at the links.",
	"v1":                 "The frozen pilot of March to June 2026, served as it was published: different basis; not recomputed; never splice it with v2.",
}

// noteOf returns the note of a series. It begins by saying that the prices are invented, or
// says that the panel is no census. It explains included members. Except for v1, it ends with
// the snapshot's own note on coverage.
func noteOf(series string, about *panel.About, include ...string) string {
	return noteIn(lang.English, series, about, include...)
}

// noteIn is noteOf in a language. A coverage note stays in the publisher's words.
func noteIn(l *lang.Language, series string, about *panel.About, include ...string) string {
	text := l.T(notes[series])
	if slices.Contains(include, jevons.IncludeQuality) || slices.Contains(include, jevons.IncludeWoWInterval) {
		text += " " + l.T(noteQuality)
	}
	if about.Synthetic {
		text = l.T(about.Notice()) + " " + text
	} else {
		text += " " + l.T(census)
	}
	if series != "v1" {
		text += " " + about.CoverageNote
	}
	return strings.TrimSpace(text)
}

// defaultLicence is the licence of a snapshot without one.
var defaultLicence = lang.Key("The aggregate index may be charted, quoted and published with attribution and a link back; bulk redistribution or resale of the series needs a separate licence.")

// termsIn says in a language what readers may do with the index. What the publisher wrote
// stays as it is.
func termsIn(l *lang.Language, about *panel.About) string {
	terms := cmp.Or(about.Licence, l.T(defaultLicence))
	if about.Attribution != "" {
		terms += " " + l.T(lang.Key("Attribution: {attribution}"), about.Attribution)
	}
	return terms
}

// companionColumns are the members of a row of a companion series.
var companionColumns = append(jevons.Columns(), jevons.BaseColumn())

// companion answers as /api/v1/index does, with the rows of a companion series.
func (s *Server) companion(name string) func(*call, []byte) ([]byte, error) {
	return func(c *call, b []byte) ([]byte, error) {
		q, x, m, err := s.readFullIndex(c, name)
		if err != nil {
			return b, err
		}
		return appendRows(b, m, x.at(c.findIndex(&q, x, &m.Page)), companionColumns)
	}
}

// includable are the accepted names of include, in the order of the rows' members.
var includable = []string{jevons.IncludeQuality, jevons.IncludeWoWInterval, jevons.IncludeContributions}

// readInclude reads the parameter include: the names of further members of rows.
func readInclude(p *reply.Params) ([]string, error) {
	names := p.SomeOf("include", includable)
	switch {
	case p.Err != nil || len(names) == 0:
	case p.Value("series") == "v1":
		p.Err = reply.Invalid("include", nil, "include: rows of series v1 are stored and have no more to tell; leave out include or series")
	case p.Value("as_of") != "":
		p.Err = reply.Invalid("include", nil, "include: a release log has the published rows and no more; leave out include or as_of")
	}
	return names, p.Err
}

// include returns rows of v2 with the named members, and the columns of these. It takes them
// from the table with quality, which begins with the released rows. If another revision of the
// method computed the released rows, the error says so.
func (c *call) include(names []string, x *indexRows, found []span) (rows []jevons.Row, columns []jevons.Column, err error) {
	table, err := c.served.quality()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range found {
		if s.to > len(table.Rows) || !slices.EqualFunc(x.rows[s.from:s.to], table.Rows[s.from:s.to], sameRow) {
			return nil, nil, reply.Invalid("include", nil, "include: another revision of the method computed these rows; leave out include until the next release")
		}
		rows = append(rows, table.Rows[s.from:s.to]...)
	}
	if slices.Contains(names, jevons.IncludeQuality) {
		columns = append(columns, jevons.QualityColumn())
	}
	if slices.Contains(names, jevons.IncludeWoWInterval) {
		columns = append(columns, jevons.WoWIntervalColumn())
	}
	if slices.Contains(names, jevons.IncludeContributions) {
		columns = append(columns, jevons.ContributionsColumn())
		rows, err = table.WithContributions(c.served.Panel, rows)
	}
	return rows, columns, err
}

// sameRow reports whether rows have the same published members.
func sameRow(a, b jevons.Row) bool {
	if *a.Cell != *b.Cell {
		return false
	}
	b.Cell, b.Extra = a.Cell, a.Extra
	return a == b
}
