package httpapi

import (
	"cmp"
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

const (
	pricesPage, pricesMost = 5000, 10_000
	pricesDays             = 30 // unless asked for more
)

func (s *Server) prices(c *call, b []byte) ([]byte, error) {
	q, err := s.readPrices(c)
	if err != nil {
		return b, err
	}
	shown := c.served.Prices()
	rows, n := shown.Choose(&q)
	m := wire.PricesMeta{
		Meta: wire.Meta{Version: apiVersion, Endpoint: c.path, Note: c.served.Panel.About().Notice(), Filters: &wire.Filters{
			ProductID: reply.All, City: cmp.Or(q.City, reply.All), Banner: cmp.Or(q.Banner, reply.All), From: q.From.String(), To: q.To.String(),
		}},
		GateVersion: panel.GateVersion, Made: c.made(),
	}
	if q.Product != 0 {
		m.Filters.ProductID = strconv.Itoa(q.Product)
	}
	reply.Cut(&m.Page, q.Page, n)
	for _, i := range rows {
		switch shown.Verdict(int(i)) {
		case panel.FailsIdentity:
			m.FilteredIdentity++
		case panel.Quarantined:
			m.FilteredQuarantine++
		}
	}
	m.Count -= m.FilteredIdentity + m.FilteredQuarantine
	if b, err = reply.AppendHead(b, &m, "observations"); err != nil {
		return b, err
	}
	return append(shown.Append(b, rows), reply.End...), nil
}

func (s *Server) readPrices(c *call) (q prepared.PriceQuery, err error) {
	p := &c.query
	q.From, q.To = p.Date("from", c.today()-pricesDays), p.Date("to", c.today())
	q.Page = p.Page(pricesPage, pricesMost)
	if err := cmp.Or(p.Err, c.needSnapshot()); err != nil {
		return q, err
	}
	if err := c.served.NeedPrices(); err != nil {
		return q, err
	}
	q.Product = readProduct(p, c.served.Panel.Products())
	q.City = p.OneOf("city", c.served.CityNames)
	q.Banner = p.OneOf("banner", c.served.PriceBanners)
	if p.Err != nil {
		return q, p.Err
	}
	return q, s.begin(c, q.From, q.To)
}

// readProduct reads product_id: the id of one of the fifty products, in digits; 0 if
// none is given. A product that was swapped out has an id, but no rows.
func readProduct(p *reply.Params, products []basket.Product) int {
	const name = "product_id"
	v := p.Value(name)
	if v == "" {
		return 0
	}
	want, err := strconv.Atoi(v)
	nearest, accepted := 0, []string(nil)
	for i := range products {
		id := products[i].ID
		if id > lastProduct {
			continue
		}
		accepted = append(accepted, strconv.Itoa(id))
		if accepted[len(accepted)-1] == v {
			return id
		}
		if nearest == 0 || apart(id, want) < apart(nearest, want) {
			nearest = id
		}
	}
	switch {
	case len(accepted) == 0:
		p.Err = reply.Invalid(name, nil, "%s: no product has an id from 1 to %d", name, lastProduct)
	case err != nil || strconv.Itoa(want) != v:
		p.Err = reply.Invalid(name, accepted, "%s: %s is no id of a product, such as %d", name, reply.Quote(v), nearest)
	default:
		p.Err = reply.Invalid(name, accepted, "%s: no product has the id %s; did you mean %d?", name, reply.Quote(v), nearest)
	}
	return 0
}

const lastProduct = 50

func apart(a, b int) uint64 { return uint64(max(a, b)) - uint64(min(a, b)) }

func (s *Server) products(c *call, b []byte) ([]byte, error) {
	if err := s.begin(c); err != nil {
		return b, err
	}
	list, about := c.served.Catalog(), c.served.Panel.About()
	return reply.AppendJSON(b, wire.Products{
		Meta: wire.ProductsMeta{
			Source: about.SourceLabel(), Version: apiVersion, Endpoint: c.path, Note: about.Notice(), Count: len(list), Made: c.made(),
		},
		Products: list,
	})
}

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
			Meta: wire.Meta{Version: apiVersion, Endpoint: c.path, Note: c.served.Panel.About().Notice(), Filters: &wire.Filters{
				Confidence: q.Confidence.String(), Banner: cmp.Or(q.Banner, reply.All), From: q.From.String(), To: q.To.String(),
			}},
			TotalMatched: len(found), ScanTruncated: truncated, GeneratedAt: c.generatedAt(), Release: c.vintage.Ref,
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
