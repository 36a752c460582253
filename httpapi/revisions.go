package httpapi

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/release"
	releaselog "github.com/larder-index/larder/jevons/release/log"
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
	return s.Snapshots.Releases.UpTo(c.Snapshot), nil
}

func (s *Server) listReleases(c *call, b []byte) ([]byte, error) {
	page := c.query.Page(releaseRows.page, releaseRows.most)
	all, err := s.needReleases(c)
	if err = cmp.Or(c.query.Err, err); err != nil {
		return b, err
	}
	due := c.NextDue(c.now)
	if err := s.begin(c, c.Words.Calendar().DateIn(due)); err != nil {
		return b, err
	}
	var body wire.Releases
	m := &body.Meta
	m.Meta, m.NextDue, m.Made = c.meta(nil), due, c.made()
	m.Source = c.Words.SourceLabel()
	from, to := reply.Cut(&m.Page, page, len(all))
	body.Releases = newestFirst(all, from, to)
	return reply.AppendJSON(b, body)
}

const pathLeaf = "/api/v1/releases/:id/leaf"

// leaf answers with the canonical bytes of a release, which never change.
func (s *Server) leaf(c *call, b []byte) ([]byte, error) {
	all, err := s.needReleases(c)
	if err != nil {
		return b, err
	}
	id := strings.Split(c.r.URL.Path, "/")[strings.Count(pathLeaf, "/")-1]
	i := slices.IndexFunc(all, func(r releaselog.Release) bool { return r.ID() == id })
	if i < 0 {
		return b, reply.Refuse("not_found", "there is no release "+reply.Quote(id)+
			"; the newest is "+all[len(all)-1].ID())
	}
	r, h := &all[i], c.w.Header()
	h.Set("X-Snapshot", r.Snapshot[:16])
	h.Set("X-Release", r.ID())
	if err := c.tagged(reply.WeakTag(r.Leaf[:])); err != nil {
		return b, err
	}
	text, err := r.Text()
	if err == nil {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		c.notice()
	}
	return append(b, text...), err
}

func newestFirst(all []releaselog.Release, from, to int) []wire.Release {
	rows := []wire.Release{}
	for i := from; i < to; i++ {
		rows = append(rows, prepared.ReleaseRow(&all[len(all)-1-i]))
	}
	return rows
}

// revisions lists the cells that releases changed: the oldest release first, and within each
// the order of release.Diff. New releases come last, so an offset keeps its meaning.
func (s *Server) revisions(c *call, b []byte) ([]byte, error) {
	all, err := s.needReleases(c)
	if s.Snapshots.Releases == nil {
		return b, err
	}
	q, err := c.readRows(revisionRows)
	if err != nil {
		return b, err
	}
	first, last, err := s.readReleases(c, &q, len(all))
	if err != nil {
		return b, err
	}
	if err := s.begin(c); err != nil {
		return b, err
	}
	from, to := c.query.Value("from"), c.query.Value("to")
	if to == "" {
		q.Last = math.MaxInt32
	}
	cells, every := cellsOf(&q), q.Level+q.Category+q.City+q.Banner+from+to == ""
	var rows []byte
	n, end := 0, q.Offset+q.Limit // n counts the changes that the query asks for, at most to the first after the page
	for k := first; k <= last && n <= end; k++ {
		r := &all[k-1]
		if size := prepared.SizeOf(r); every && (n+size <= q.Offset || n == end) {
			n += size // no row of it is on this page
			continue
		}
		changes, err := s.Snapshots.Releases.Changes(k)
		if err != nil {
			return b, err
		}
		columns := release.NewWire(r.Context.About)
		for i := range changes {
			x := &changes[i]
			if day := x.Week.Date(); !cells.Matches(&x.Cell) || day < q.First || day > q.Last {
				continue
			}
			if n++; n > end {
				break
			}
			if n > q.Offset {
				rows = append(columns.AppendJSON(rows, x, r.ID(), r.At), ',')
			}
		}
	}
	q.From, q.To = cmp.Or(from, reply.All), cmp.Or(to, reply.All)
	m := wire.PublicIndexMeta{Made: c.made(), Meta: c.meta(inEffect(&q, &q.Release, &q.Since, &q.Level, &q.Category,
		&q.City, &q.Banner))}
	m.Source, m.License, m.Note = c.Words.SourceLabel(), c.Words.Terms(), prepared.Note("v2", c.Words)
	reply.Cut(&m.Page, q.Page, n)
	b, err = reply.AppendHead(b, &m, "revisions")
	return append(append(b, bytes.TrimSuffix(rows, []byte{','})...), reply.End...), err
}

// readReleases reads the numbers of the first and the last of the releases that are wanted.
func (s *Server) readReleases(c *call, q *prepared.Query, released int) (first, last int, err error) {
	first, last = 1, released
	if q.Since = c.query.Value("since"); q.Since != "" {
		r, err := s.Snapshots.Releases.AsOf(c.now, c.Snapshot, "since", q.Since)
		if err != nil {
			return 0, 0, err
		}
		if r != nil {
			first = r.Number + 1
		}
	}
	if q.Release = c.query.Value("release"); q.Release != "" {
		r, err := s.Snapshots.Releases.AsOf(c.now, c.Snapshot, "release", q.Release)
		if err != nil {
			return 0, 0, err
		}
		last = 0
		if r != nil {
			q.Release, first, last = r.ID(), max(first, r.Number), r.Number
		}
	}
	return first, last, nil
}
