package httpapi

import (
	"cmp"
	"slices"
	"sort"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

const (
	eventsPage, eventsMost = 1000, 10_000
	eventsDays             = 90 // unless asked for more
)

// eventsQuery is what a request for shrinkflation events asks for.
type eventsQuery struct {
	confidence shrink.Confidence // the lowest wanted
	banner     string            // key; empty: all
	from, to   panel.Date
	page
}

// eventsMeta is meta of /api/v1/shrinkflation.
type eventsMeta struct {
	Version  string        `json:"version"`
	Endpoint string        `json:"endpoint"`
	Filters  eventsFilters `json:"filters"`
	pageMeta
	TotalMatched  int    `json:"total_matched"`
	GeneratedAt   string `json:"generated_at"`
	ScanTruncated bool   `json:"scan_truncated,omitempty"`
}

type eventsFilters struct {
	Confidence string `json:"confidence"`
	Banner     string `json:"banner"`
	From       string `json:"from"`
	To         string `json:"to"`
}

func (s *Server) shrinkflation(c *call, b []byte) ([]byte, error) {
	q, err := c.readEvents()
	if err != nil {
		return b, err
	}
	found, truncated := c.served.findEvents(&q, s.ScanCap)
	m := eventsMeta{
		Version: apiVersion, Endpoint: c.path, TotalMatched: len(found), ScanTruncated: truncated, GeneratedAt: c.generatedAt(),
		Filters: eventsFilters{Confidence: q.confidence.String(), Banner: orAll(q.banner), From: q.from.String(), To: q.to.String()},
	}
	from, to := m.cut(q.page, len(found))
	return appendResponse(b, &m, "events", func(b []byte) []byte {
		for _, e := range found[from:to] {
			listing := c.served.listings[e.Listing]
			b = append(AppendEvent(b, e, listing, c.served.products[listing.ProductID], c.served.banners[listing.Banner]), ',')
		}
		return b
	})
}

func (c *call) readEvents() (q eventsQuery, err error) {
	level, err := c.params.oneOf("confidence", []string{"high", "medium", "low"})
	if err != nil {
		return q, err
	}
	if level != "" {
		q.confidence, _ = shrink.ParseConfidence(level) // checked on reading
	}
	if q.from, err = c.params.date("from", c.today()-eventsDays); err != nil {
		return q, err
	}
	if q.to, err = c.params.date("to", c.today()); err != nil {
		return q, err
	}
	if q.page, err = c.params.page(eventsPage, eventsMost); err != nil {
		return q, err
	}
	if err = c.needSnapshot(); err != nil {
		return q, err
	}
	if q.banner, err = c.params.oneOf("banner", c.served.indexBanners); err != nil {
		return q, err
	}
	return q, c.begin()
}

// newEvents returns the events of index banners, the banners that the licensed
// interface knows, by time, then id. What became of the listing since changes
// nothing: an event is history.
func newEvents(s *Served) []*panel.ShrinkEvent {
	var list []*panel.ShrinkEvent
	for i := range s.Events {
		if e := &s.Events[i]; s.banners[s.listings[e.Listing].Banner].InIndex {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *panel.ShrinkEvent) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// findEvents returns the events that a query wants, and whether there were more
// in its range of days than may be looked at. Grades are derived here.
func (s *Served) findEvents(q *eventsQuery, scanCap int) (found []*panel.ShrinkEvent, truncated bool) {
	all := s.events()
	start, end := moments(q.from, q.to)
	lo := sort.Search(len(all), func(i int) bool { return !all[i].DetectedAt.Before(start) })
	hi := sort.Search(len(all), func(i int) bool { return !all[i].DetectedAt.Before(end) })
	inRange := all[lo:max(lo, hi)]
	if truncated = len(inRange) > scanCap; truncated {
		inRange = inRange[:scanCap]
	}
	for _, e := range inRange {
		grade, _ := shrink.Grade(e)
		if q.confidence.Includes(grade) && (q.banner == "" || q.banner == s.listings[e.Listing].Banner) {
			found = append(found, e)
		}
	}
	return found, truncated
}
