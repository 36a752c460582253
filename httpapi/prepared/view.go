package prepared

import (
	"cmp"
	"errors"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// ViewQuery is the unit that rows are wanted in.
type ViewQuery struct {
	Name  string // empty: none was asked for
	View  table.View
	Since panel.Week // of table.ViewSince
	First panel.Week // of the series; 0 if it has no rows
}

// ReadView reads the parameters view and since.
func ReadView(p *reply.Params) (q ViewQuery) {
	q.Name = p.OneOf("view", table.ViewNames())
	since := p.Value("since")
	if q.Name != "" {
		q.View, _ = table.ParseView(q.Name) // checked above
	}
	switch {
	case p.Err != nil:
	case q.View != table.ViewSince && since != "":
		p.Err = reply.Invalid("since", nil, "since: it goes with view=since only; add that, or leave out since")
	case q.View == table.ViewSince && since == "":
		p.Err = reply.Invalid("since", []string{"YYYY-MM-DD"},
			"since: view=since needs the week to compare with, named by its Sunday, such as since=2026-07-19")
	case q.View == table.ViewSince:
		var err error
		if q.Since, err = panel.ParseWeek(since); err != nil {
			p.Err = reply.Invalid("since", []string{"YYYY-MM-DD"},
				"since: %s is no Sunday written YYYY-MM-DD, such as 2026-07-19", reply.Quote(since))
		}
	case q.View == table.ViewYoY && p.Value("series") == "v1":
		p.Err = reply.Invalid("view", nil,
			"view: series v1 is of four months and has no change over 52 weeks; choose another view")
	}
	return q
}

// Meta says in which unit the rows are; nil if none was asked for.
func (q *ViewQuery) Meta(about *panel.About) *wire.View {
	if q.Name == "" {
		return nil
	}
	v := &wire.View{Name: q.Name, Member: q.View.Member(about), Unit: q.View.Unit(about, q.Since)}
	if q.First != 0 {
		v.First = wire.Text(q.First.Add(q.View.Weeks()).String())
	}
	if q.Since != 0 {
		v.Since = wire.Text(q.Since.String())
	}
	return v
}

// Column returns the column of the view, for rows of the given cells of a series. last is
// the last published week.
func (q *ViewQuery) Column(x *Series, cells []jevons.Cell, last panel.Week, names *table.Names) (table.Column, error) {
	if q.Since > last {
		return table.Column{}, reply.Invalid("since", nil,
			"since: the week ending %s is not published; the last one is the week ending %s", q.Since, last)
	}
	column, err := table.ViewColumn(x.About, &jevons.Table{Rows: x.Rows}, q.View, q.Since, cells)
	if missing, ok := errors.AsType[*table.NoLevelError](err); ok {
		return column, reply.Invalid("since", nil, "since: %s",
			missing.Named(cmp.Or(names.Name(missing.Cell), missing.Cell.String())))
	}
	return column, err
}
