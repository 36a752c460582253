package httpapi

import (
	"cmp"
	"encoding/json"
	"iter"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
)

// cells answers with cells of the index, published or not.
func (s *Server) cells(c *call, b []byte) ([]byte, error) {
	p := &c.query
	p.OneOf("series", []string{"v2"})
	missing := p.OneOf("missing", []string{"1"})
	q, err := c.readFilters(indexPage, indexMost)
	if err != nil {
		return b, err
	}
	q.Series = "v2"
	if p.Value("from") == "" {
		q.from = c.today() - indexDays
	}
	q.from = max(q.from, c.vintage.Base.Date())
	// How many series went in a week depends on later weeks.
	if err := s.begin(c, q.from, q.to, c.lastClosed().Date()); err != nil {
		return b, err
	}
	grid, err := c.served.Grid()
	if err != nil {
		return b, err
	}
	f := c.filter(&q)
	var cells iter.Seq[jevons.CoverageCell] = func(func(jevons.CoverageCell) bool) {}
	if f.From <= f.To {
		cells = grid.Cells(*f, c.lastClosed())
	}
	var page []jevons.CoverageCell
	n := 0
	for x := range cells {
		if missing != "" && x.Reason == "" {
			continue
		}
		if n++; n > q.Offset+q.Limit {
			break // there is another page
		}
		if n > q.Offset {
			page = append(page, x)
		}
	}
	m := wire.CellsMeta{Version: apiVersion, PublicIndexMeta: c.indexMeta(&q), Attrition: c.attrition(&q)}
	m.Note = prepared.Note("coverage", c.vintage.Words)
	m.Filters = wire.CellsFilters{IndexFilters: m.PublicIndexMeta.Filters, Missing: cmp.Or(missing, reply.All)}
	reply.Cut(&m.Page, q.Page, n)
	if b, err = reply.AppendHead(b, &m, "cells"); err != nil {
		return b, err
	}
	for i := range page {
		if i > 0 {
			b = append(b, ',')
		}
		cell, err := json.Marshal(page[i])
		if err != nil {
			return b, err
		}
		b = append(b, cell...)
	}
	return append(b, reply.End...), nil
}

// attrition says how the sample ages in the weeks of the query.
func (c *call) attrition(q *indexQuery) wire.Attrition {
	all := c.served.Attrition(c.lastClosed())
	a := wire.Attrition{Base: all.Base, Weeks: []wire.WeekOfUse{}}
	for _, x := range all.Weeks {
		if d := x.Week.Date(); q.from <= d && d <= q.to {
			a.Weeks = append(a.Weeks, wire.WeekOfUse{Week: x.Week.String(), Matched: x.Matched, Came: x.Came, Went: x.Went, InUse: x.InUse, Median: x.Median})
		}
	}
	return a
}
