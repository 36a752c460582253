package httpapi

import (
	"slices"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/jevons"
)

const apiVersion = "v1"

// companionColumns are the members of a row of a companion series.
var companionColumns = append(jevons.Columns(), jevons.BaseColumn())

// companion answers as /api/v1/index does, with the rows of a companion series.
func (s *Server) companion(name string) func(*call, []byte) ([]byte, error) {
	return func(c *call, b []byte) ([]byte, error) {
		q, x, m, err := s.readFullIndex(c, name)
		if err != nil {
			return b, err
		}
		return prepared.AppendRows(b, m, x.At(x.Find(c.filter(&q), q.Page, &m.Page)), companionColumns)
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
func (c *call) include(names []string, x *prepared.Series, found []prepared.Span) (rows []jevons.Row, columns []jevons.Column, err error) {
	table, err := c.served.Quality()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range found {
		if s.To > len(table.Rows) || !slices.EqualFunc(x.Rows[s.From:s.To], table.Rows[s.From:s.To], prepared.SameRow) {
			return nil, nil, reply.Invalid("include", nil, "include: another revision of the method computed these rows; leave out include until the next release")
		}
		rows = append(rows, table.Rows[s.From:s.To]...)
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
