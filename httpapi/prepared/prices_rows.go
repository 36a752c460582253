package prepared

import (
	"bytes"
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/panel"
)

// Prices are the rows that /api/v1/prices pages through, by time, then id:
// those whose store, listing and product are active and whose banner is shown. The
// gate is asked later. A verified banner's rows count only if they were approved.
type Prices struct {
	*panel.Rows
	labels  []priceLabel // by the row's label
	stores  []priceStore
	storeAt panel.IDTable // places in stores
	counts  []int32       // how many of the rows before each countedRows-th are shown
}

// PriceQuery chooses prices.
type PriceQuery struct {
	Product  int        // id; 0: all
	City     string     // display name; empty: all
	Banner   string     // key; empty: all
	From, To panel.Date // both included
	reply.Page
}

// countedRows is how many rows are looked at to count those that are shown.
const countedRows = 256

// priceRow has the places of one row in panel.Rows, and of its label and store in
// Prices.
type priceRow struct{ Row, label, store int32 }

// priceLabel is a label with the JSON that all its rows share.
type priceLabel struct {
	*priceListing        // nil: its rows are left out
	pack          []byte // ,"package_size":...
	title         []byte // ,"scraped_name":...
}

// priceListing is a listing with the JSON that all its rows share.
type priceListing struct {
	product  int
	banner   string
	verified bool
	text     []byte // ,"retailer_products":{...}
}

// priceStore is a store with the JSON that all its rows share.
type priceStore struct {
	city string // display name
	text []byte // ,"stores":{...}
}

// newPrices counts the rows and writes the parts that they share.
func newPrices(s *Served) *Prices {
	p := &Prices{Rows: s.Rows}
	listings := map[int64]*priceListing{}
	for _, m := range s.Panel.Listings() {
		product, banner := s.Products[m.ProductID], s.Banners[m.Banner]
		if m.Active && product.Active && (banner.InIndex || banner.Verified) {
			listings[m.ID] = &priceListing{
				product: m.ProductID, banner: m.Banner, verified: banner.Verified,
				text: appendRetailerProduct(nil, &m, product, banner),
			}
		}
	}
	for _, l := range s.Rows.Labels() {
		p.labels = append(p.labels, newPriceLabel(listings[l.Listing], &l))
	}
	for _, x := range s.Panel.Stores() {
		if x.Active {
			city := s.Cities[x.City]
			p.storeAt.Set(x.ID, int32(len(p.stores)))
			p.stores = append(p.stores, priceStore{city: city.Name, text: appendStore(nil, city)})
		}
	}
	shown := int32(0)
	for i := range p.Len() {
		if i%countedRows == 0 {
			p.counts = append(p.counts, shown)
		}
		if _, ok := p.at(i); ok {
			shown++
		}
	}
	return p
}

func newPriceLabel(m *priceListing, l *panel.Label) priceLabel {
	return priceLabel{
		priceListing: m,
		pack:         panel.AppendJSONText([]byte(`,"package_size":`), l.PackageSize),
		title:        panel.AppendJSONText([]byte(`,"scraped_name":`), l.ScrapedName),
	}
}

// at returns the i-th row, and false if it is not shown.
func (p *Prices) at(i int) (priceRow, bool) {
	label := p.Label(i)
	l := &p.labels[label]
	if l.priceListing == nil || l.verified && p.Source(i) == panel.NoSource {
		return priceRow{}, false
	}
	store, ok := p.storeAt.Get(p.Store(i))
	return priceRow{int32(i), int32(label), store}, ok
}

// before returns how many of the first n rows are shown.
func (p *Prices) before(n int) int {
	if n == 0 {
		return 0
	}
	k := (n - 1) / countedRows
	shown := int(p.counts[k])
	for i := k * countedRows; i < n; i++ {
		if _, ok := p.at(i); ok {
			shown++
		}
	}
	return shown
}

// moments returns when a range of days in Toronto begins and ends. Days outside
// the years of a panel become the nearest ones inside: their moments would not fit.
func moments(from, to panel.Date) (start, end time.Time) {
	first, last := panel.DateOf(panel.FirstYear, 1, 1)-2, panel.DateOf(panel.LastYear, 12, 31)+2
	from, to = min(max(from, first), last), min(max(to, first), last)
	return from.Time(panel.Toronto), (to + 1).Time(panel.Toronto)
}

// Choose returns the page of the rows that a query wants, before the gate, and
// their number. Beyond the page of a filtered query it counts one row, not all.
func (p *Prices) Choose(q *PriceQuery) (rows []priceRow, n int) {
	first, end := p.Between(moments(q.From, q.To))
	if q.Product == 0 && q.City == "" && q.Banner == "" {
		before := p.before(first)
		n = p.before(end) - before
		from := min(q.Offset, n)
		return p.take(before+from, min(q.Limit, n-from)), n
	}
	labels, stores := make([]bool, len(p.labels)), make([]bool, len(p.stores))
	for i, l := range p.labels {
		labels[i] = l.priceListing != nil && (q.Product == 0 || q.Product == l.product) && (q.Banner == "" || q.Banner == l.banner)
	}
	for i := range p.stores {
		stores[i] = q.City == "" || q.City == p.stores[i].city
	}
	for i := first; i < end; i++ {
		if !labels[p.Label(i)] {
			continue
		}
		r, ok := p.at(i)
		if !ok || !stores[r.store] {
			continue
		}
		if n++; n > q.Offset+q.Limit {
			break
		}
		if n > q.Offset {
			rows = append(rows, r)
		}
	}
	return rows, n
}

// take returns n of the rows that are shown, from the k-th on.
func (p *Prices) take(k, n int) []priceRow {
	rows := make([]priceRow, 0, n)
	if n == 0 {
		return rows
	}
	known := sort.Search(len(p.counts), func(i int) bool { return int(p.counts[i]) > k }) - 1
	skip := k - int(p.counts[known])
	for i := known * countedRows; len(rows) < n; i++ {
		r, ok := p.at(i)
		if !ok {
			continue
		}
		if skip--; skip < 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// Each calls yield with every row that the gate passes, restated as its page shows it, until
// yield returns false. verified tells rows of verified banners.
func (p *Prices) Each(yield func(o *panel.Observation, verified bool) bool) {
	for i := range p.Len() {
		x, ok := p.at(i)
		if !ok || p.Verdict(i) != panel.Pass {
			continue
		}
		o, verified := p.At(i), p.labels[x.label].verified
		if o.RestateRegular(verified); !yield(&o, verified) {
			return
		}
	}
}

// Append appends the rows that the gate passes, a comma after each.
func (p *Prices) Append(b []byte, rows []priceRow) []byte {
	b = slices.Grow(b, p.room(rows))
	for _, r := range rows {
		if p.Verdict(int(r.Row)) != panel.Pass {
			continue
		}
		o, l := p.At(int(r.Row)), &p.labels[r.label]
		o.RestateRegular(l.verified)
		b = append(appendPrice(b, &o, l, &p.stores[r.store]), ',')
	}
	return b
}

// room estimates the bytes of rows from above. Growing a buffer step by step would
// leave several times as many behind.
func (p *Prices) room(rows []priceRow) (n int) {
	const own, reviewed = 240, 128 // bytes of a row beside those it shares
	for _, r := range rows {
		l := &p.labels[r.label]
		n += own + len(l.pack) + len(l.title) + len(l.text) + len(p.stores[r.store].text)
		if l.verified {
			n += reviewed
		}
	}
	return n
}

// appendPrice appends one row as an observation of /api/v1/prices. A page holds
// thousands of rows, so it is written by hand: BenchmarkPricesPage compares it with
// encoding/json.
//
// Prices have at least two decimals, and more if they need them. The unit price is
// written as short as it reads back. Title and package are as scraped.
func appendPrice(b []byte, o *panel.Observation, l *priceLabel, s *priceStore) []byte {
	b = strconv.AppendInt(append(b, `{"id":`...), o.ID, 10)
	b = strconv.AppendInt(append(b, `,"retailer_product_id":`...), o.Listing, 10)
	b = strconv.AppendInt(append(b, `,"store_id":`...), o.Store, 10)
	b = appendMoney(append(b, `,"regular_price":`...), o.Regular)
	b = appendMoney(append(b, `,"sale_price":`...), o.Sale)
	b = appendMoney(append(b, `,"effective_price":`...), o.Effective)
	b = appendFloat(append(b, `,"unit_price":`...), o.UnitPrice)
	b = append(b, l.pack...)
	b = appendTri(append(b, `,"in_stock":`...), o.InStock)
	b = strconv.AppendBool(append(b, `,"is_on_sale":`...), o.OnSale)
	b = append(b, l.title...)
	b = o.ObservedAt.UTC().AppendFormat(append(b, `,"observed_at":"`...), time.RFC3339Nano)
	b = append(b, '"')
	if l.verified {
		b = panel.AppendJSONText(append(b, `,"regular_price_source":`...), panel.RegularSources[o.RegularSource])
		b = AppendPromo(append(b, `,"promo_detail":`...), o.PromoDetail)
	}
	b = append(b, l.text...)
	b = append(b, s.text...)
	return append(b, '}')
}

func appendRetailerProduct(b []byte, m *panel.Listing, p *basket.Product, n *basket.Banner) []byte {
	b = strconv.AppendInt(append(b, `,"retailer_products":{"product_id":`...), int64(m.ProductID), 10)
	b = appendString(append(b, `,"retailer":`...), n.Retailer)
	b = appendString(append(b, `,"banner":`...), n.Key)
	b = panel.AppendJSONText(append(b, `,"retailer_sku":`...), m.SKU)
	b = appendString(append(b, `,"retailer_name":`...), m.Name)
	b = panel.AppendJSONText(append(b, `,"brand":`...), m.Brand)
	b = appendTri(append(b, `,"is_store_brand":`...), m.IsStoreBrand)
	b = strconv.AppendInt(append(b, `,"products":{"id":`...), int64(p.ID), 10)
	b = appendString(append(b, `,"name":`...), p.Name)
	b = appendString(append(b, `,"category":`...), p.Category.String())
	b = panel.AppendJSONText(append(b, `,"subcategory":`...), p.Subcategory)
	b = strconv.AppendFloat(append(b, `,"basket_weight":`...), p.Weight, 'f', -1, 64)
	return append(b, "}}"...)
}

func appendStore(b []byte, c *basket.City) []byte {
	b = appendString(append(b, `,"stores":{"city":`...), c.Name)
	b = appendString(append(b, `,"province":`...), c.Province)
	return append(b, '}')
}

// appendMoney appends a price; no price is null.
func appendMoney(b []byte, p panel.Price) []byte {
	if p == 0 {
		return append(b, "null"...)
	}
	return p.Append(b)
}

func appendTri(b []byte, t panel.Tri) []byte {
	if t == panel.Unknown {
		return append(b, "null"...)
	}
	return strconv.AppendBool(b, t == panel.Yes)
}

// AppendPromo appends a stored JSON object without the blanks in it. The empty text
// is null. An import stores nothing but JSON objects.
func AppendPromo(b []byte, text string) []byte {
	if text == "" {
		return append(b, "null"...)
	}
	if !strings.ContainsAny(text, " \t\r\n") {
		return append(b, text...)
	}
	out := bytes.NewBuffer(b)
	if err := json.Compact(out, []byte(text)); err != nil {
		return append(b, "null"...) // not from an import
	}
	return out.Bytes()
}

// appendString appends a JSON string, the empty one too.
func appendString(b []byte, s string) []byte {
	if s == "" {
		return append(b, `""`...)
	}
	return panel.AppendJSONText(b, s)
}

// appendFloat appends a number above 0; 0 is null.
func appendFloat(b []byte, v float64) []byte {
	if v == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}
