package httpapi

import (
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

func (s *Server) prices(c *call, b []byte) ([]byte, error) {
	q, err := c.readRows(priceRows)
	if err != nil {
		return b, err
	}
	if err := c.NeedPrices(); err != nil {
		return b, err
	}
	q.ProductID = readProduct(&c.query, c.Panel.Products())
	if c.query.Err != nil {
		return b, c.query.Err
	}
	if err := s.begin(c, q.First, q.Last); err != nil {
		return b, err
	}
	shown := c.Prices()
	rows, n := shown.Choose(&q)
	m := wire.PricesMeta{
		Meta: c.meta(inEffect(&q, &q.ProductID, &q.City, &q.Banner)), GateVersion: panel.GateVersion, Made: c.made(),
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

// readProduct reads product_id: an id of a product, up to the last active one's. A product that was swapped out has an
// id, but no rows.
func readProduct(p *reply.Params, products []basket.Product) string {
	last, ids := int64(compare.MaxSwapped), []string(nil)
	for i := range products {
		if products[i].Active {
			last = max(last, products[i].ID)
		}
	}
	for i := range products {
		if products[i].ID <= last {
			ids = append(ids, strconv.FormatInt(products[i].ID, 10))
		}
	}
	return p.OneOf("product_id", ids)
}

func (s *Server) products(c *call, b []byte) ([]byte, error) {
	if err := s.begin(c); err != nil {
		return b, err
	}
	list := c.Products
	c.notice()
	return reply.AppendJSON(b, wire.Products{
		Meta: wire.ProductsMeta{
			Source: c.Words.SourceLabel(), Version: apiVersion, Endpoint: c.path, Count: len(list),
			GeneratedAt: c.generatedAt(),
		},
		Products: list,
	})
}

func (s *Server) shrinkflation(c *call, b []byte) ([]byte, error) {
	least, _ := shrink.ParseConfidence(c.query.OneOf("confidence", []string{"high", "medium", "low"}))
	q, err := c.readRows(eventRows)
	if err != nil {
		return b, err
	}
	if err := s.begin(c, q.First, q.Last); err != nil {
		return b, err
	}
	q.Confidence = least.String()
	found, truncated := c.FindEvents(&q, s.ScanCap)
	body := wire.Shrinkflation{
		Meta: wire.ShrinkflationMeta{
			Meta: c.meta(inEffect(&q, &q.Banner)), TotalMatched: len(found), Made: c.made(), ScanTruncated: truncated,
		},
		Events: []wire.Event{},
	}
	from, to := reply.Cut(&body.Meta.Page, q.Page, len(found))
	for i := range found[from:to] {
		e := &found[from+i]
		body.Events = append(body.Events, prepared.NewEvent(e, c.Listings[e.Listing]))
	}
	return reply.AppendJSON(b, body)
}
