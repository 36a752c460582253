package httpapi

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
)

// index returns the writer of /api/public/index, whose list that is, of /api/v1/index or, with a
// name, of a companion series.
func (s *Server) index(companion string, l listing) writer {
	public := l == publicIndexRows
	return func(c *call, b []byte) ([]byte, error) {
		q, x, err := s.readIndex(c, companion, l)
		if err == nil && companion != "" {
			err = c.NeedPrices()
		}
		if err != nil {
			return b, err
		}
		m := wire.IndexMeta{PublicIndexMeta: c.indexMeta(&q)}
		if companion == "" {
			m.Publication = publicationOf(c.Words)
		}
		meta := any(&m.PublicIndexMeta)
		if !public {
			meta, m.Version = &m, apiVersion
			m.Methodology, m.Coverage = prepared.Methodologies[q.Series], c.coverage(&q, x)
		}
		found, columns := x.Find(q.cells, q.Page, &m.Page), table.Columns(c.Words)
		switch {
		case public:
			columns = table.PublicColumns(c.Words)
		case companion != "":
			columns = append(columns, table.BaseColumn())
		}
		if q.shown.Name != "" {
			last := c.lastClosed()
			if q.Series == "v1" {
				last = panel.Week(q.Last)
			}
			column, err := q.shown.Column(x, x.Cells(q.cells), last, c.Names())
			if err != nil {
				return b, err
			}
			if !slices.ContainsFunc(columns, func(c table.Column) bool { return c.Name == column.Name }) {
				columns = append(columns, column)
			}
		}
		var included []jevons.Row
		if len(q.include) > 0 || q.against != "" {
			if included, columns, err = c.include(&q, x, found, columns); err != nil {
				return b, err
			}
		}
		b, err = reply.AppendHead(b, meta, "observations")
		return append(x.Append(b, found, columns, included), reply.End...), err
	}
}

// includable are the columns that include names, in the order of the rows' members.
var includable = []struct {
	name   string
	column table.Column
}{
	{table.IncludeQuality, table.QualityColumn()}, {table.IncludeWoWInterval, table.WoWIntervalColumn()},
	{table.IncludeContributions, table.ContributionsColumn()},
}

func readInclude(p *reply.Params) []string {
	var known []string
	for _, x := range includable {
		known = append(known, x.name)
	}
	names := p.SomeOf("include", known)
	for _, name := range []string{"include", table.Against} {
		switch {
		case p.Value(name) == "": // also after an error
		case p.Value("series") == "v1":
			p.Err = reply.Invalid(name, nil, "%s: rows of series v1 are stored and have no more to tell; leave out "+
				"%[1]s or series", name)
		case p.Value("as_of") != "":
			p.Err = reply.Invalid(name, nil, "%s: a release log has the published rows and no more; leave out %[1]s "+
				"or as_of", name)
		}
	}
	return names
}

// include returns rows of v2 with the members that a query names, whose columns it adds. It takes them from
// the table with quality, which begins with the released rows. If another revision of the method
// computed the released rows, the error says so.
func (c *call) include(query *indexQuery, x *prepared.Series, found []int,
	columns []table.Column) (rows []jevons.Row, _ []table.Column, err error) {
	if err := c.NeedPrices(); err != nil {
		return nil, nil, err
	}
	names, parameter := query.include, "include"
	if len(names) == 0 {
		parameter = table.Against
	}
	quality, err := c.Quality()
	if err != nil {
		return nil, nil, err
	}
	for _, i := range found {
		if i >= len(quality.Rows) || !x.Rows[i].Same(&quality.Rows[i]) {
			return nil, nil, reply.Invalid(parameter, nil,
				"%s: another revision of the method computed these rows; leave out %[1]s until the next release",
				parameter)
		}
		rows = append(rows, quality.Rows[i])
	}
	for _, x := range includable {
		if slices.Contains(names, x.name) {
			columns = append(columns, x.column)
		}
	}
	if slices.Contains(names, table.IncludeContributions) {
		rows, err = quality.WithContributions(rows)
	}
	if query.against != "" && err == nil {
		columns = append(columns, table.AgainstColumn())
		rows, err = quality.WithDifferences(rows, query.against)
	}
	return rows, columns, err
}

func (s *Server) cells(c *call, b []byte) ([]byte, error) {
	p := &c.query
	p.OneOf("series", []string{"v2"})
	missing := p.OneOf("missing", []string{"1"})
	rows, err := c.readRows(indexRows)
	if err != nil {
		return b, err
	}
	rows.First = max(rows.First, c.Base.Date())
	q, closed := indexQuery{Query: rows}, c.lastClosed()
	// How many series went in a week depends on later weeks.
	if err := s.begin(c, q.First, q.Last, closed.Date()); err != nil {
		return b, err
	}
	if err := c.NeedPrices(); err != nil {
		return b, err
	}
	grid, err := c.Grid()
	if err != nil {
		return b, err
	}
	attrition, err := c.Attrition(closed)
	if err != nil {
		return b, err
	}
	cells, n := reply.Take(q.Page, func(yield func(table.CoverageCell) bool) {
		for x := range grid.Cells(*cellsOf(&q.Query), min(closed, panel.Week(q.Last))) {
			if (missing == "" || x.Reason != "") && !yield(table.CoverageCell{CoverageCell: x}) {
				return
			}
		}
	})
	q.Series, q.Missing = "v2", cmp.Or(missing, reply.All)
	body := struct {
		Meta  wire.CellsMeta       `json:"meta"`
		Cells []table.CoverageCell `json:"cells"`
	}{wire.CellsMeta{PublicIndexMeta: c.indexMeta(&q), Attrition: *attrition}, cells}
	m := &body.Meta
	m.Version, m.Note, m.Filters = apiVersion, prepared.Note("coverage", c.Words), m.PublicIndexMeta.Filters
	m.Attrition.Weeks = slices.DeleteFunc(slices.Clone(attrition.Weeks), func(x check.WeekOfUse) bool {
		return x.Week.Date() < q.First || x.Week.Date() > q.Last
	})
	reply.Cut(&m.Page, q.Page, n)
	return reply.AppendJSON(b, body)
}
