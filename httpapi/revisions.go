package httpapi

import (
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
	var body wire.Releases
	words := c.vintage.Words
	body.Meta.Meta = wire.Meta{Version: apiVersion, Source: words.SourceLabel(), Endpoint: c.path, Note: words.Notice()}
	body.Meta.NextDue, body.Meta.Made = due, c.made()
	from, to := reply.Cut(&body.Meta.Page, page, len(all))
	body.Releases = newestFirst(all, from, to)
	return reply.AppendJSON(b, body)
}

func newestFirst(all []releaselog.Release, from, to int) []wire.Release {
	rows := []wire.Release{}
	for i := from; i < to; i++ {
		rows = append(rows, prepared.ReleaseRow(&all[len(all)-1-i]))
	}
	return rows
}

type revisionsQuery struct {
	wire.Filters
	first, last int // releases
	cells       *jevons.Filter
	every       bool // no cell is left out
	reply.Page
}

func (q *revisionsQuery) wants(x *release.Change) bool {
	day := x.Week.Date()
	return q.every || q.cells.Matches(&x.Cell) && (q.cells.From == 0 || q.cells.From <= day) && (q.cells.To == 0 || day <= q.cells.To)
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
	var rows []byte
	n, end := 0, q.Offset+q.Limit // n counts the changes that the query asks for, at most to the first after the page
	for k := q.first; k <= q.last && n <= end; k++ {
		r := &all[k-1]
		if size := prepared.SizeOf(r); q.every && (n+size <= q.Offset || n == end) {
			n += size // no row of it is on this page
			continue
		}
		var changes []release.Change
		err := c.hold.Aside(c.r.Context(), func() (err error) { // others are answered while the log is read
			changes, err = s.Snapshots.Releases.Changes(c.r.Context(), k)
			return err
		})
		if err != nil {
			return b, err
		}
		for i := range changes {
			if x := &changes[i]; q.wants(x) {
				if n++; n > end {
					break
				}
				if n > q.Offset {
					rows = append(release.AppendJSON(rows, x, r.ID(), r.At), ',')
				}
			}
		}
	}
	m := wire.PublicIndexMeta{Made: c.made(), Meta: wire.Meta{
		Version: apiVersion, Source: c.vintage.Words.SourceLabel(), Endpoint: c.path, License: c.vintage.Words.Terms(),
		Note: prepared.Note("v2", c.vintage.Words), Filters: &q.Filters,
	}}
	reply.Cut(&m.Page, q.Page, n)
	return appendRows(b, &m, "revisions", rows)
}

// readRevisions reads the query. released are the releases; nil if nothing is in service.
func (s *Server) readRevisions(c *call, released []releaselog.Release) (q revisionsQuery, err error) {
	p := &c.query
	read, err := c.readFilters(revisionsPage, revisionsMost)
	if err != nil {
		return q, err
	}
	q.Page, q.first, q.last = read.Page, 1, len(released)
	q.Level, q.Category, q.City, q.Banner, q.From, q.To = read.Level, read.Category, read.City, read.Banner, p.Value("from"), p.Value("to")
	q.cells = cellFilter(q.Level, q.Category, q.City, q.Banner, read.from, p.Date("to", 0))
	q.every = q.Level+q.Category+q.City+q.Banner+q.From+q.To == ""
	if q.Since = p.Value("since"); q.Since != "" {
		r, err := s.Snapshots.Releases.AsOf(c.now, c.served, "since", q.Since)
		if err != nil {
			return q, err
		}
		if r != nil {
			q.first = r.Number + 1
		}
	}
	if q.Release = p.Value("release"); q.Release != "" {
		r, err := s.Snapshots.Releases.AsOf(c.now, c.served, "release", q.Release)
		if err != nil {
			return q, err
		}
		q.last = 0
		if r != nil {
			q.Release, q.first, q.last = r.ID(), max(q.first, r.Number), r.Number
		}
	}
	for _, text := range []*string{&q.Release, &q.Since, &q.Level, &q.Category, &q.City, &q.Banner, &q.From, &q.To} {
		*text = cmp.Or(*text, reply.All)
	}
	return q, s.begin(c)
}
