package httpapi

import (
	"cmp"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/shrink"
)

const (
	eventsPage, eventsMost = 1000, 10_000
	eventsDays             = 90 // unless asked for more
)

func (s *Server) shrinkflation(c *call, b []byte) ([]byte, error) {
	q, err := s.readEvents(c)
	if err != nil {
		return b, err
	}
	found, truncated := c.served.FindEvents(&q, s.ScanCap)
	body := wire.Shrinkflation{
		Meta: wire.ShrinkflationMeta{
			Version: apiVersion, Endpoint: c.path, Note: c.served.Panel.About().Notice(), TotalMatched: len(found), ScanTruncated: truncated, GeneratedAt: c.generatedAt(), Release: c.vintage.Ref,
			Filters: wire.EventFilters{Confidence: q.Confidence.String(), Banner: cmp.Or(q.Banner, reply.All), From: q.From.String(), To: q.To.String()},
		},
		Events: []wire.Event{},
	}
	from, to := reply.Cut(&body.Meta.Page, q.Page, len(found))
	for _, e := range found[from:to] {
		listing := c.served.Listings[e.Listing]
		body.Events = append(body.Events, prepared.NewEvent(e, listing, c.served.Products[listing.ProductID], c.served.Banners[listing.Banner]))
	}
	return reply.AppendJSON(b, body)
}

func (s *Server) readEvents(c *call) (q prepared.EventQuery, err error) {
	p := &c.query
	q.Confidence, _ = shrink.ParseConfidence(p.OneOf("confidence", []string{"high", "medium", "low"})) // the zero value is all
	q.From, q.To = p.Date("from", c.today()-eventsDays), p.Date("to", c.today())
	q.Page = p.Page(eventsPage, eventsMost)
	if err := cmp.Or(p.Err, c.needSnapshot()); err != nil {
		return q, err
	}
	q.Banner = p.OneOf("banner", c.served.IndexBanners)
	if p.Err != nil {
		return q, p.Err
	}
	return q, s.begin(c, q.From, q.To)
}
