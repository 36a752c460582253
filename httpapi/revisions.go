package httpapi

import (
	"bytes"
	"cmp"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

const (
	releasesPage, releasesMost   = 100, 1000
	revisionsPage, revisionsMost = 1000, 10_000
)

// needReleases fails on a server without a release log, and while nothing is in service. It
// returns the releases up to the one in service, oldest first.
func (s *Server) needReleases(c *call) ([]releaselog.Release, error) {
	if s.Snapshots.Releases == nil {
		return nil, errNoLog
	}
	if err := c.needSnapshot(); err != nil {
		return nil, err
	}
	return s.Snapshots.Releases.UpTo(c.served), nil
}

// listReleases lists the releases, newest first.
func (s *Server) listReleases(c *call, b []byte) ([]byte, error) {
	page := c.query.Page(releasesPage, releasesMost)
	all, err := s.needReleases(c)
	if err = cmp.Or(c.query.Err, err); err != nil {
		return b, err
	}
	due := c.vintage.Words.NextRelease(c.now)
	if err := s.begin(c, panel.DateIn(due, panel.Toronto)); err != nil {
		return b, err
	}
	body := wire.Releases{Meta: wire.ReleasesMeta{
		Meta:    wire.Meta{Version: apiVersion, Source: c.vintage.Words.SourceLabel(), Endpoint: c.path, Note: c.vintage.Words.Notice()},
		NextDue: due, Made: c.made(),
	}}
	from, to := reply.Cut(&body.Meta.Page, page, len(all))
	body.Releases = newestFirst(all, from, to)
	return reply.AppendJSON(b, body)
}

// newestFirst returns some of the releases, counted from the newest.
func newestFirst(all []releaselog.Release, from, to int) []wire.Release {
	rows := []wire.Release{}
	for i := from; i < to; i++ {
		rows = append(rows, prepared.ReleaseRow(&all[len(all)-1-i]))
	}
	return rows
}

// revisionsQuery holds the parameters of a request for revisions.
type revisionsQuery struct {
	wire.Filters
	first, last int // releases
	cells       jevons.Filter
	every       bool // no cell is left out
	reply.Page
}

// revisions lists the cells that releases changed: the oldest release first, and within each
// the order of release.Diff. New releases come last, so an offset keeps its meaning.
func (s *Server) revisions(c *call, b []byte) ([]byte, error) {
	all, err := s.needReleases(c)
	if s.Snapshots.Releases == nil {
		return b, err
	}
	q, err := s.readRevisions(c, all)
	if err != nil {
		return b, err
	}
	m := wire.RevisionsMeta{Made: c.made(), Meta: wire.Meta{
		Version: apiVersion, Source: c.vintage.Words.SourceLabel(), Endpoint: c.path, License: c.vintage.Words.Terms(),
		Note: prepared.Note("v2", c.vintage.Words), Filters: &q.Filters, Page: wire.Page{Limit: q.Limit, Offset: q.Offset},
	}}
	var rows []byte
	for skip, n := q.Offset, q.first; n <= q.last && !m.HasMore; n++ {
		r := &all[n-1]
		if size := prepared.SizeOf(r); q.every && (skip >= size || m.Count == q.Limit) {
			m.HasMore = skip < size // no row of it is on this page
			skip -= min(skip, size)
			continue
		}
		var changes []release.Change
		err := c.turn.Aside(func() (err error) { // others are answered while the log is read
			changes, err = s.Snapshots.Releases.Changes(c.r.Context(), n)
			return err
		})
		if err != nil {
			return b, err
		}
		for i := range changes {
			x := &changes[i]
			day := x.Week.Date()
			switch {
			case !q.every && (!q.cells.Matches(&x.Cell) || q.cells.From != 0 && day < q.cells.From || q.cells.To != 0 && day > q.cells.To):
				continue
			case skip > 0:
				skip--
				continue
			case m.Count == q.Limit:
				m.HasMore = true
			default:
				m.Count++
				rows = append(release.AppendJSON(rows, x, r.ID(), r.At), ',')
			}
			if m.HasMore {
				break
			}
		}
	}
	if m.HasMore {
		next := q.Offset + m.Count
		m.NextOffset = &next
	}
	if b, err = reply.AppendHead(b, &m, "revisions"); err != nil {
		return b, err
	}
	return append(append(b, bytes.TrimSuffix(rows, []byte{','})...), reply.End...), nil
}

// readRevisions reads the query. released are the releases; nil if nothing is in service.
func (s *Server) readRevisions(c *call, released []releaselog.Release) (q revisionsQuery, err error) {
	p := &c.query
	q.Level = p.OneOf("level", []string{"national", "city", "banner"})
	q.Category = p.OneOf("category", categorySlugs)
	q.cells.From, q.cells.To = p.Date("from", 0), p.Date("to", 0)
	q.From, q.To = p.Value("from"), p.Value("to")
	q.Page = p.Page(revisionsPage, revisionsMost)
	if err := cmp.Or(p.Err, c.needSnapshot()); err != nil {
		return q, err
	}
	q.City = p.OneOf("city", c.vintage.CityNames)
	q.Banner = p.OneOf("banner", c.vintage.IndexBanners)
	q.first, q.last = 1, len(released)
	if text := p.Value("since"); text != "" {
		r, err := s.Snapshots.Releases.AsOf(c.now, c.served, "since", text)
		if err != nil {
			return q, err
		}
		if q.Since = text; r != nil {
			q.first = r.Number + 1
		}
	}
	if text := p.Value("release"); text != "" {
		r, err := s.Snapshots.Releases.AsOf(c.now, c.served, "release", text)
		if err != nil {
			return q, err
		}
		q.Release, q.last = text, 0
		if r != nil {
			q.Release, q.first, q.last = r.ID(), max(q.first, r.Number), r.Number
		}
	}
	if p.Err != nil {
		return q, p.Err
	}
	from, to := q.cells.From, q.cells.To
	q.cells = cellFilter(q.Level, q.Category, q.City, q.Banner)
	q.cells.From, q.cells.To = from, to
	filters := &q.Filters
	q.every = filters.Level+filters.Category+filters.City+filters.Banner+filters.From+filters.To == ""
	for _, text := range []*string{&filters.Release, &filters.Since, &filters.Level, &filters.Category, &filters.City, &filters.Banner, &filters.From, &filters.To} {
		*text = cmp.Or(*text, reply.All)
	}
	return q, s.begin(c)
}
