package figure

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Explain takes a week of a series apart: the one that has the day, or the newest one. key
// is the reader's; the zero key sees what anybody may see.
func Explain(s *Source, q *Query, day panel.Date, key state.Key) (*Why, error) {
	if q.AsOf != "" {
		if q.AsOf = s.Vintage.Ref.ID; q.AsOf == "" {
			return nil, reply.Invalid("as_of", nil, "as_of: nothing was released by then")
		}
	}
	cell, err := s.Vintage.Names().Parse(q.Names[0])
	if err != nil {
		return nil, reply.Invalid("s", nil, "s: %s", err)
	}
	x, err := s.Vintage.V2()
	if err != nil {
		return nil, err
	}
	published := &jevons.Table{Rows: x.Rows, Options: jevons.Options{Base: s.Vintage.Base}}
	e, err := s.explanation(q, published, cell, day)
	return &Why{Source: s, Query: q, key: key, published: published, explained: e}, err
}

// AppendPage appends the page.
func (m *Why) AppendPage(b []byte) ([]byte, error) {
	page, err := m.Pages.Render("why", pages.View{
		Lang: m.lang, Base: m.BaseURL, About: m.Vintage.Words, Data: m.view(), Elsewhere: m.why(m.Names[0], m.explained.Row.Week, m.lang.Other()),
	})
	return append(b, page...), err
}

// explanation takes apart the row of a cell in the week that has the day, or in the newest one.
// The prices in service have to give the published row.
func (s *Source) explanation(q *Query, published *jevons.Table, cell jevons.Cell, day panel.Date) (*jevons.Explanation, error) {
	last := s.Vintage.LastClosed(s.At)
	week := panel.WeekOf(day.Time(panel.Toronto))
	if day == 0 {
		for week = last; week > published.Options.Base && published.Find(week, cell) == nil; {
			week = week.Add(-1)
		}
	}
	if week > last {
		return nil, reply.Invalid("week", nil, "week: the week ending %s is not published; the last one is the week ending %s", week, last)
	}
	if err := s.Vintage.NeedPrices(); err != nil {
		return nil, err
	}
	table, err := s.Served.Quality()
	if err != nil {
		return nil, err
	}
	row := published.Find(week, cell)
	e, err := table.Explain(week, cell)
	switch {
	case row != nil && err == nil && row.Same(&e.Row):
		return e, nil
	case row == nil && errors.Is(err, jevons.ErrNotPublished):
		return nil, reply.Refuse("not_found", strings.TrimPrefix(err.Error(), "jevons: "))
	case q.Params.Value("as_of") != "":
		return nil, reply.Invalid("as_of", nil, "as_of: the prices in service do not give what that release published of the week ending %s, and a release log keeps no prices; leave out as_of", week)
	case err != nil:
		return nil, err
	}
	return nil, reply.Invalid("week", nil, "week: another revision of the method computed this row; it can be taken apart after the next release")
}

// flags returns the flags of commands that name the row.
func (m *Why) flags() string {
	row := &m.explained.Row
	text := "--date " + row.Week.String()
	for _, flag := range [...][2]string{{" --city ", row.Cell.City}, {" --banner ", row.Cell.Banner}} {
		if flag[1] != "" {
			text += flag[0] + shellWord(flag[1])
		}
	}
	if row.Cell.Category != basket.Overall {
		text += " --category " + row.Cell.Category.String()
	}
	return text
}

// verify returns commands that download what the row is made of and compute it anew.
func (m *Why) verify() string {
	row, base := &m.explained.Row, m.Vintage.Base
	before := row.Week
	if m.explained.WoW != nil {
		before = m.explained.WoW.From
	}
	prices := func(first, last panel.Week) string {
		q := url.Values{"from": {(first.Date() - 6).String()}, "to": {last.String()}}
		for name, value := range map[string]string{"city": row.Cell.City, "banner": row.Cell.Banner} {
			if value != "" {
				q.Set(name, value)
			}
		}
		return "/api/v1/prices?" + q.Encode()
	}
	return fmt.Sprintf(`ask products.json /api/v1/products &&
download index "/api/v1/index?from=%[1]s&to=%[1]s" &&
download base "%[2]s" &&
download week "%[3]s" &&
larder verify %[4]s --base %[5]s --products products.json --index index-0.json --prices base-*.json week-*.json
`, row.Week, prices(base, max(base, row.Base)), prices(before, row.Week), m.flags(), base)
}

var plainWord = regexp.MustCompile(`^[\w.-]+$`)

// shellWord quotes a text for a shell, if it needs that.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
