package httpapi

import (
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

const (
	pricesPage, pricesMost = 5000, 10_000
	pricesDays             = 30 // unless asked for more
)

// pricesQuery is what a request for prices asks for.
type pricesQuery struct {
	product  int    // id; 0: all
	city     string // display name; empty: all
	banner   string // key; empty: all
	from, to panel.Date
	page
}

// pricesMeta is meta of /api/v1/prices. Limit, offset, has_more and next_offset
// count rows before the gate, count those after it.
type pricesMeta struct {
	Version  string        `json:"version"`
	Endpoint string        `json:"endpoint"`
	Filters  pricesFilters `json:"filters"`
	pageMeta
	FilteredIdentity   int    `json:"filtered_identity"`
	FilteredQuarantine int    `json:"filtered_quarantine"`
	GateVersion        string `json:"gate_version"`
	GeneratedAt        string `json:"generated_at"`
}

type pricesFilters struct {
	ProductID string `json:"product_id"`
	City      string `json:"city"`
	Banner    string `json:"banner"`
	From      string `json:"from"`
	To        string `json:"to"`
}

func (s *Server) prices(c *call, b []byte) ([]byte, error) {
	q, err := c.readPrices()
	if err != nil {
		return b, err
	}
	all := c.served.prices()
	rows, n := all.choose(&q)
	m := pricesMeta{
		Version: apiVersion, Endpoint: c.path, GateVersion: panel.GateVersion, GeneratedAt: c.generatedAt(),
		Filters: pricesFilters{ProductID: "all", City: orAll(q.city), Banner: orAll(q.banner), From: q.from.String(), To: q.to.String()},
	}
	if q.product != 0 {
		m.Filters.ProductID = strconv.Itoa(q.product)
	}
	m.cut(q.page, n)
	for _, r := range rows {
		switch all.Verdict(int(r.row)) {
		case panel.FailsIdentity:
			m.FilteredIdentity++
		case panel.Quarantined:
			m.FilteredQuarantine++
		}
	}
	m.Count -= m.FilteredIdentity + m.FilteredQuarantine
	return appendResponse(b, &m, "observations", func(b []byte) []byte { return all.append(b, rows) })
}

func (c *call) readPrices() (q pricesQuery, err error) {
	if q.from, err = c.params.date("from", c.today()-pricesDays); err != nil {
		return q, err
	}
	if q.to, err = c.params.date("to", c.today()); err != nil {
		return q, err
	}
	if q.page, err = c.params.page(pricesPage, pricesMost); err != nil {
		return q, err
	}
	if err = c.needSnapshot(); err != nil {
		return q, err
	}
	if q.product, err = c.params.product(c.served.Panel.Products()); err != nil {
		return q, err
	}
	if q.city, err = c.params.oneOf("city", c.served.cityNames); err != nil {
		return q, err
	}
	if q.banner, err = c.params.oneOf("banner", c.served.priceBanners); err != nil {
		return q, err
	}
	return q, c.begin()
}

// product reads product_id: the id of one of the fifty products, in digits; 0 if
// none is given. Of one that was swapped out no row is shown.
func (p params) product(products []basket.Product) (int, error) {
	const name = "product_id"
	v := p[name]
	if v == "" {
		return 0, nil
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
			return id, nil
		}
		if nearest == 0 || apart(id, want) < apart(nearest, want) {
			nearest = id
		}
	}
	if len(accepted) == 0 {
		return 0, invalid(name, nil, "%s: no product has an id from 1 to %d", name, lastProduct)
	}
	if err != nil || strconv.Itoa(want) != v {
		return 0, invalid(name, accepted, "%s: %s is no id of a product, such as %d", name, quote(v), nearest)
	}
	return 0, invalid(name, accepted, "%s: no product has the id %s; did you mean %d?", name, quote(v), nearest)
}

// lastProduct is the highest id that product_id takes.
const lastProduct = 50

// apart is how far two ids are from each other.
func apart(a, b int) uint64 { return uint64(max(a, b)) - uint64(min(a, b)) }
