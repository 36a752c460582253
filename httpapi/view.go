package httpapi

import (
	"cmp"
	"errors"
	"slices"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// viewQuery is the unit that rows are wanted in.
type viewQuery struct {
	name  string // empty: none was asked for
	view  jevons.View
	since panel.Week // of jevons.ViewSince
	first panel.Week // of the series; 0 if it has no rows
}

// readView reads the parameters view and since.
func readView(p *reply.Params) (q viewQuery) {
	q.name = p.OneOf("view", jevons.ViewNames())
	since := p.Value("since")
	if q.name != "" {
		q.view, _ = jevons.ParseView(q.name) // checked above
	}
	switch {
	case p.Err != nil:
	case q.view != jevons.ViewSince && since != "":
		p.Err = reply.Invalid("since", nil, "since: it goes with view=since only; add that, or leave out since")
	case q.view == jevons.ViewSince && since == "":
		p.Err = reply.Invalid("since", []string{"YYYY-MM-DD"}, "since: view=since needs the week to compare with, named by its Sunday, such as since=2026-07-19")
	case q.view == jevons.ViewSince:
		var err error
		if q.since, err = panel.ParseWeek(since); err != nil {
			p.Err = reply.Invalid("since", []string{"YYYY-MM-DD"}, "since: %s is no Sunday written YYYY-MM-DD, such as 2026-07-19", reply.Quote(since))
		}
	case q.view == jevons.ViewYoY && p.Value("series") == "v1":
		p.Err = reply.Invalid("view", nil, "view: series v1 is of four months and has no change of a year; choose another view")
	}
	return q
}

// meta says in which unit the rows are; nil if none was asked for.
func (q *viewQuery) meta() *wire.View {
	if q.name == "" {
		return nil
	}
	v := &wire.View{Name: q.name, Member: q.view.Member(), Unit: q.view.Unit(q.since)}
	if q.first != 0 {
		v.First = wire.Text(q.first.Add(q.view.Weeks()).String())
	}
	if q.since != 0 {
		v.Since = wire.Text(q.since.String())
	}
	return v
}

// column returns the column of the view, for rows of the given cells of a series. last is
// the last published week.
func (q *viewQuery) column(x *indexRows, cells []jevons.Cell, last panel.Week, names *jevons.Names) (jevons.Column, error) {
	if q.since > last {
		return jevons.Column{}, reply.Invalid("since", nil, "since: the week ending %s is not published; the last one is the week ending %s", q.since, last)
	}
	column, err := (&jevons.Table{Rows: x.rows}).ViewColumn(q.view, q.since, cells)
	if missing, ok := errors.AsType[*jevons.NoLevelError](err); ok {
		return column, reply.Invalid("since", nil, "since: %s", missing.Named(cmp.Or(names.Name(missing.Cell), missing.Cell.String())))
	}
	return column, err
}

// withColumn returns columns and, if it is not among them, one more.
func withColumn(columns []jevons.Column, column jevons.Column) []jevons.Column {
	if slices.ContainsFunc(columns, func(c jevons.Column) bool { return c.Name == column.Name }) {
		return columns
	}
	return append(slices.Clone(columns), column)
}

// names are those of the series of the index.
func (v *vintage) names() *jevons.Names { return jevons.NewNames(v.cities, v.indexBanners) }
