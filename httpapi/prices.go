package httpapi

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel"
)

const (
	pricesPage, pricesMost = 5000, 10_000
	pricesDays             = 30 // unless asked for more
)

// pricesQuery holds the parameters of a request for prices.
type pricesQuery struct {
	product  int    // id; 0: all
	city     string // display name; empty: all
	banner   string // key; empty: all
	from, to panel.Date
	reply.Page
}

func (s *Server) prices(c *call, b []byte) ([]byte, error) {
	q, err := s.readPrices(c)
	if err != nil {
		return b, err
	}
	shown := c.served.prices()
	rows, n := shown.choose(&q)
	m := wire.PricesMeta{
		Version: apiVersion, Endpoint: c.path, Note: c.served.Panel.About().Notice(), GateVersion: panel.GateVersion, GeneratedAt: c.generatedAt(), Release: c.vintage.ref,
		Filters: wire.PricesFilters{ProductID: reply.All, City: cmp.Or(q.city, reply.All), Banner: cmp.Or(q.banner, reply.All), From: q.from.String(), To: q.to.String()},
	}
	if q.product != 0 {
		m.Filters.ProductID = strconv.Itoa(q.product)
	}
	reply.Cut(&m.Page, q.Page, n)
	for _, r := range rows {
		switch shown.Verdict(int(r.row)) {
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
	return append(bytes.TrimSuffix(shown.append(b, rows), []byte{','}), reply.End...), nil
}

func (s *Server) readPrices(c *call) (q pricesQuery, err error) {
	p := &c.query
	q.from, q.to = p.Date("from", c.today()-pricesDays), p.Date("to", c.today())
	q.Page = p.Page(pricesPage, pricesMost)
	if err := cmp.Or(p.Err, c.needSnapshot()); err != nil {
		return q, err
	}
	q.product = readProduct(p, c.served.Panel.Products())
	q.city = p.OneOf("city", c.served.cityNames)
	q.banner = p.OneOf("banner", c.served.priceBanners)
	if p.Err != nil {
		return q, p.Err
	}
	return q, s.begin(c, q.from, q.to)
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

// lastProduct is the highest id that product_id takes.
const lastProduct = 50

// apart is how far two ids are from each other.
func apart(a, b int) uint64 { return uint64(max(a, b)) - uint64(min(a, b)) }
