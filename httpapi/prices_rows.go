package httpapi

import (
	"sort"
	"time"

	"github.com/larder-index/larder/panel"
)

// priceRows are the rows that /api/v1/prices walks: those whose store, listing
// and product are active and whose banner is shown, whatever the gate says of
// them, in order of time, then id. Of a verified banner only rows that were
// approved are among them.
type priceRows struct {
	*panel.Rows
	rows   []priceRow
	labels []priceLabel
	stores []priceStore
}

// priceRow points at one row: its place in panel.Rows, and those of its label
// and store in priceRows. A filter is a look into two small tables.
type priceRow struct{ row, label, store int32 }

// priceLabel is a label with what all its rows have in common.
type priceLabel struct {
	*priceListing        // nil: its rows are not walked
	pack          []byte // ,"package_size":...
	title         []byte // ,"scraped_name":...
}

// priceListing is a listing with what all its rows have in common.
type priceListing struct {
	product  int
	banner   string
	verified bool
	text     []byte // ,"retailer_products":{...}
}

// priceStore is a store with what all its rows have in common.
type priceStore struct {
	city string // display name
	text []byte // ,"stores":{...}
}

// newPriceRows finds the rows and writes the parts that they share.
func newPriceRows(s *Served) *priceRows {
	p := &priceRows{Rows: s.Rows, rows: make([]priceRow, 0, s.Rows.Len()), labels: make([]priceLabel, s.Rows.Labels())}
	listings, stores := map[int64]*priceListing{}, map[int64]int32{}
	for _, m := range s.Panel.Listings() {
		product, banner := s.products[m.ProductID], s.banners[m.Banner]
		if m.Active && product.Active && (banner.InIndex || banner.Verified) {
			listings[m.ID] = &priceListing{
				product: m.ProductID, banner: m.Banner, verified: banner.Verified,
				text: appendRetailerProduct(nil, &m, product, banner),
			}
		}
	}
	for _, x := range s.Panel.Stores() {
		if x.Active {
			city := s.cities[x.City]
			stores[x.ID] = int32(len(p.stores))
			p.stores = append(p.stores, priceStore{city: city.Name, text: appendStore(nil, city)})
		}
	}
	known := make([]bool, len(p.labels))
	for i := range s.Rows.Len() {
		at := s.Rows.Label(i)
		l := &p.labels[at]
		if !known[at] {
			known[at] = true
			o := s.Rows.At(i)
			*l = newPriceLabel(listings[o.Listing], &o)
		}
		if l.priceListing == nil || l.verified && s.Rows.Source(i) == panel.NoSource {
			continue
		}
		if x, ok := stores[s.Rows.Store(i)]; ok {
			p.rows = append(p.rows, priceRow{int32(i), int32(at), x})
		}
	}
	return p
}

// newPriceLabel returns the label of a row.
func newPriceLabel(m *priceListing, o *panel.Observation) priceLabel {
	return priceLabel{
		priceListing: m,
		pack:         appendText([]byte(`,"package_size":`), o.PackageSize),
		title:        appendText([]byte(`,"scraped_name":`), o.ScrapedName),
	}
}

// between returns the rows of a range of days in Toronto, both included.
func (p *priceRows) between(from, to panel.Date) []priceRow {
	first, end := p.Between(moments(from, to))
	lo := sort.Search(len(p.rows), func(k int) bool { return int(p.rows[k].row) >= first })
	hi := sort.Search(len(p.rows), func(k int) bool { return int(p.rows[k].row) >= end })
	return p.rows[lo:max(lo, hi)]
}

// moments returns when the first of a range of days in Toronto begins and when
// the last has ended. Days that no panel reaches are moved to its edge: their
// moments would not fit.
func moments(from, to panel.Date) (start, end time.Time) {
	first, last := panel.DateOf(panel.FirstYear, 1, 1)-2, panel.DateOf(panel.LastYear, 12, 31)+2
	from, to = min(max(from, first), last), min(max(to, first), last)
	return from.Time(panel.Toronto), (to + 1).Time(panel.Toronto)
}

// choose returns the page of the rows that a query wants, before the gate, and
// how many there are; beyond the page it counts one row, not all.
func (p *priceRows) choose(q *pricesQuery) (rows []priceRow, n int) {
	all := p.between(q.from, q.to)
	if q.product == 0 && q.city == "" && q.banner == "" {
		from := min(q.offset, len(all))
		return all[from : from+min(q.limit, len(all)-from)], len(all)
	}
	labels, stores := make([]bool, len(p.labels)), make([]bool, len(p.stores))
	for i, l := range p.labels {
		labels[i] = l.priceListing != nil && (q.product == 0 || q.product == l.product) && (q.banner == "" || q.banner == l.banner)
	}
	for i := range p.stores {
		stores[i] = q.city == "" || q.city == p.stores[i].city
	}
	for _, r := range all {
		if !labels[r.label] || !stores[r.store] {
			continue
		}
		if n++; n > q.offset+q.limit {
			break
		}
		if n > q.offset {
			rows = append(rows, r)
		}
	}
	return rows, n
}
