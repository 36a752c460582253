package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// pathWhy is the page that takes a week of a series apart.
const pathWhy = "/why"

func (s *Server) whyRoute() *route {
	params := []string{"s", "week", "lang"}
	if s.Snapshots.Releases != nil {
		params = append(params, "as_of")
	}
	return &route{"GET", pathWhy, access{by: withBrowser}, params, s.why}
}

// why answers with the page of a week of a series. Anybody may see a public series with its
// categories. Products need a key or a session, and what is known of their prices needs the
// tier that single prices need. For those the page counts as a request of the public index.
func (s *Server) why(c *call) error {
	c.person, c.served = wantsPage(c.r), s.Snapshots.At(c.now)
	q, err := s.readFigure(c)
	if err == nil && len(q.names) > 1 {
		err = reply.Invalid("s", nil, "s: one series is taken apart at a time; these are %d", len(q.names))
	}
	day := c.query.Date("week", 0)
	err = cmp.Or(err, c.query.Err)
	admit := func(c *call) error {
		_, signedIn := s.token(c.r)
		known := signedIn || len(c.r.Header.Values("Authorization")) > 0
		if err == nil && (known || !q.open) {
			keyed := *c.route
			keyed.who = access{withEither, state.Research, false}
			c.route = &keyed
			refused := s.admit(c)
			if refused == nil || !q.open {
				return refused
			}
			c.key = state.Key{} // who is refused sees what anybody may see
		}
		return cmp.Or(s.admitStranger(c), err)
	}
	return s.metered(admit, func(c *call, b []byte) ([]byte, error) { return s.whyPage(c, q, day, b) })(c)
}

// whyPage appends the page. It is of the week that has the day, or of the newest one.
func (s *Server) whyPage(c *call, q *figureQuery, day panel.Date, b []byte) ([]byte, error) {
	if err := cmp.Or(s.asOf(c), c.needSnapshot()); err != nil {
		return b, err
	}
	if q.asOf != "" {
		if q.asOf = c.vintage.Ref.ID; q.asOf == "" {
			return b, reply.Invalid("as_of", nil, "as_of: nothing was released by then")
		}
	}
	cell, err := c.vintage.Names().Parse(q.names[0])
	if err != nil {
		return b, reply.Invalid("s", nil, "s: %s", err)
	}
	x, err := c.vintage.V2()
	if err != nil {
		return b, err
	}
	published := &jevons.Table{Rows: x.Rows, Options: jevons.Options{Base: c.vintage.Base}}
	e, err := c.explain(published, cell, day)
	if err != nil {
		return b, err
	}
	m := &whyMaker{call: c, figureQuery: q, published: published, explained: e}
	v := m.view()
	s.setPageHeaders(c.w.Header())
	c.w.Header().Set("Content-Type", reply.HTMLType)
	c.w.Header().Set("Cache-Control", "no-store")
	c.w.Header().Set("Vary", "Accept, Accept-Encoding, Authorization, Cookie")
	c.w.Header().Set("X-Robots-Tag", "noindex") // there are as many of these pages as rows
	page, err := s.pages.Render("why", pages.View{
		Lang: q.lang, Base: s.BaseURL, About: c.vintage.Words, Data: v, Elsewhere: q.why(q.names[0], e.Row.Week, q.lang.Other()),
	})
	return append(b, page...), err
}

// explain takes apart the row of a cell in the week that has the day, or in the newest one.
// The prices in service have to give the published row.
func (c *call) explain(published *jevons.Table, cell jevons.Cell, day panel.Date) (*jevons.Explanation, error) {
	last := c.lastClosed()
	week := panel.WeekOf(day.Time(panel.Toronto))
	if day == 0 {
		for week = last; week > published.Options.Base && published.Find(week, cell) == nil; {
			week = week.Add(-1)
		}
	}
	if week > last {
		return nil, reply.Invalid("week", nil, "week: the week ending %s is not published; the last one is the week ending %s", week, last)
	}
	table, err := c.served.Quality()
	if err != nil {
		return nil, err
	}
	row := published.Find(week, cell)
	e, err := table.Explain(c.served.Panel, week, cell)
	switch {
	case row != nil && err == nil && prepared.SameRow(*row, e.Row):
		return e, nil
	case row == nil && errors.Is(err, jevons.ErrNotPublished):
		return nil, reply.Refuse("not_found", strings.TrimPrefix(err.Error(), "jevons: "))
	case c.query.Value("as_of") != "":
		return nil, reply.Invalid("as_of", nil, "as_of: the prices in service do not give what that release published of the week ending %s, and a release log keeps no prices; leave out as_of", week)
	case err != nil:
		return nil, err
	}
	return nil, reply.Invalid("week", nil, "week: another revision of the method computed this row; it can be taken apart after the next release")
}

// flags returns the flags of commands that name the row.
func (m *whyMaker) flags() string {
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
func (m *whyMaker) verify() string {
	row, base := &m.explained.Row, m.vintage.Base
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
