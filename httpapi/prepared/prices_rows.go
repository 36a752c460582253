package prepared

import (
	"bytes"
	"encoding/json"
	"slices"
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
	shown   []int32       // places in Rows
}

// PriceQuery chooses prices.
type PriceQuery struct {
	Product  int        // id; 0: all
	City     string     // display name; empty: all
	Banner   string     // key; empty: all
	From, To panel.Date // both included
	reply.Page
}

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
	for i := range p.Len() {
		l := &p.labels[p.Label(i)]
		_, ok := p.storeAt.Get(p.Store(i))
		if ok && l.priceListing != nil && (!l.verified || p.Source(i) != panel.NoSource) {
			p.shown = append(p.shown, int32(i))
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

// store returns the store of a row that is shown.
func (p *Prices) store(i int) *priceStore {
	place, _ := p.storeAt.Get(p.Store(i))
	return &p.stores[place]
}

// moments returns when a range of days in Toronto begins and ends. Days outside
// the years of a panel become the nearest ones inside: their moments would not fit.
func moments(from, to panel.Date) (start, end time.Time) {
	first, last := panel.DateOf(panel.FirstYear, 1, 1)-2, panel.DateOf(panel.LastYear, 12, 31)+2
	from, to = min(max(from, first), last), min(max(to, first), last)
	return from.Time(panel.Toronto), (to + 1).Time(panel.Toronto)
}

// Choose returns the places of the page of the rows that a query wants, before the gate, and
// their number. Beyond the page of a filtered query it counts one row, not all.
func (p *Prices) Choose(q *PriceQuery) (page []int32, n int) {
	first, end := p.Between(moments(q.From, q.To))
	lo, _ := slices.BinarySearch(p.shown, int32(first))
	hi, _ := slices.BinarySearch(p.shown, int32(end))
	all := p.shown[lo:max(lo, hi)]
	if q.Product == 0 && q.City == "" && q.Banner == "" {
		from := min(q.Offset, len(all))
		return all[from : from+min(q.Limit, len(all)-from)], len(all)
	}
	for _, i := range all {
		l := p.labels[p.Label(int(i))]
		if q.Product != 0 && q.Product != l.product || q.Banner != "" && q.Banner != l.banner || q.City != "" && q.City != p.store(int(i)).city {
			continue
		}
		if n++; n > q.Offset+q.Limit {
			break
		}
		if n > q.Offset {
			page = append(page, i)
		}
	}
	return page, n
}

// Each calls yield with every row that the gate passes, restated as its page shows it, until
// yield returns false. verified tells rows of verified banners.
func (p *Prices) Each(yield func(o *panel.Observation, verified bool) bool) {
	for _, i := range p.shown {
		if p.Verdict(int(i)) != panel.Pass {
			continue
		}
		o, verified := p.At(int(i)), p.labels[p.Label(int(i))].verified
		if o.RestateRegular(verified); !yield(&o, verified) {
			return
		}
	}
}

// Append appends the rows that the gate passes, commas between.
func (p *Prices) Append(b []byte, rows []int32) []byte {
	b = slices.Grow(b, p.room(rows))
	for _, i := range rows {
		if p.Verdict(int(i)) != panel.Pass {
			continue
		}
		o, l := p.At(int(i)), &p.labels[p.Label(int(i))]
		o.RestateRegular(l.verified)
		b = append(appendPrice(b, &o, l, p.store(int(i))), ',')
	}
	return bytes.TrimSuffix(b, []byte{','})
}

// room estimates the bytes of rows from above. Growing a buffer step by step would
// leave several times as many behind.
func (p *Prices) room(rows []int32) (n int) {
	const own = 368 // bytes of a row beside those it shares
	for _, i := range rows {
		l := &p.labels[p.Label(int(i))]
		n += own + len(l.pack) + len(l.title) + len(l.text) + len(p.store(int(i)).text)
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
