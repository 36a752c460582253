package prepared

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/record"
)

// Prices are the rows that /api/v1/prices pages through, by time, then id:
// those whose store, listing and product are active and whose banner is shown. The
// gate is asked later. A verified banner's rows count only if they were approved.
type Prices struct {
	*panel.Rows
	*check.Shown
	panel  *panel.Panel
	labels []priceLabel // by the row's label
	stores []priceStore // by place in the panel's
	shown  []int32      // places in Rows
}

// Query chooses rows: those of a page, in a range of days, that have the values of the filters. A
// filter that is not set is empty.
type Query struct {
	wire.Filters
	First, Last panel.Date // both included
	reply.Page
}

// priceLabel is a label with the JSON that all its rows share.
type priceLabel struct {
	*priceListing          // nil: it is unknown, and no row of it is shown
	texts         [][]byte // ,"package_size":... and the like
}

// priceListing is a listing with the JSON that all its rows share.
type priceListing struct {
	check.Listed
	text []byte // ,"retailer_products":{...}
}

// priceStore is a store with the JSON that all its rows share.
type priceStore struct {
	*basket.City
	text []byte // ,"stores":{...}
}

func newPrices(s *Snapshot) *Prices {
	p := &Prices{Rows: s.Rows, Shown: check.NewShown(s.Panel, s.Rows, s.Listings), panel: s.Panel}
	listings := map[int64]*priceListing{}
	for id, x := range s.Listings {
		listings[id] = &priceListing{x, appendRetailerProduct(nil, x)}
	}
	for _, l := range s.Rows.Labels() {
		x, o := priceLabel{priceListing: listings[l.Listing]},
			panel.Observation{PackageSize: l.PackageSize, ScrapedName: l.ScrapedName}
		for _, c := range shownColumns {
			if c.shared {
				x.texts = append(x.texts, c.AppendJSON(slices.Clone(c.member), &o))
			}
		}
		p.labels = append(p.labels, x)
	}
	cities := s.Panel.Cities()
	for _, x := range s.Panel.Stores() {
		city := &cities[slices.IndexFunc(cities, func(c basket.City) bool { return c.Slug == x.City })]
		text := appendMembers([]byte(`,"stores":{`), record.Cities, city, "name city", "province")
		p.stores = append(p.stores, priceStore{city, append(text, '}')})
	}
	for i := range p.Len() {
		if p.Hidden(i) == "" {
			p.shown = append(p.shown, int32(i))
		}
	}
	return p
}

func (p *Prices) store(i int) *priceStore {
	place, _ := p.panel.StoreAt(p.Store(i))
	return &p.stores[place]
}

// Choose returns the places of the page of the rows that a query wants, before the gate, and
// their number. Beyond the page of a filtered query it counts one row, not all.
func (p *Prices) Choose(q *Query) (page []int32, n int) {
	first, end := p.Between(p.panel.Calendar().Start(q.First), p.panel.Calendar().Start(q.Last+1))
	lo, _ := slices.BinarySearch(p.shown, int32(first))
	hi, _ := slices.BinarySearch(p.shown, int32(end))
	all := p.shown[lo:max(lo, hi)]
	if q.ProductID == "" && q.City == "" && q.Banner == "" {
		from := min(q.Offset, len(all))
		return all[from : from+min(q.Limit, len(all)-from)], len(all)
	}
	product, _ := strconv.ParseInt(q.ProductID, 10, 64)
	return reply.Take(q.Page, func(yield func(int32) bool) {
		for _, i := range all {
			l := p.labels[p.Label(int(i))]
			if (product == 0 || product == l.ProductID) && (q.Banner == "" || q.Banner == l.Banner.Key) &&
				(q.City == "" || q.City == p.store(int(i)).Name) && !yield(i) {
				return
			}
		}
	})
}

// Append appends the rows that the gate passes, restated, commas between.
func (p *Prices) Append(b []byte, rows []int32) []byte {
	// Bytes of a row. To grow step by step would leave several times as many behind, and what is
	// reserved counts as held: sixteen of the usual pages are within a key's share.
	const usual = 700
	b = slices.Grow(b, usual*len(rows))
	o := new(panel.Observation)
	for _, place := range rows {
		i := int(place)
		if p.Verdict(i) != panel.Pass {
			continue
		}
		label := &p.labels[p.Label(i)]
		*o = p.At(i)
		o.RestateRegular(label.Banner.Verified)
		b = append(appendPrice(b, o, label, p.store(i)), ',')
	}
	return bytes.TrimSuffix(b, []byte{','})
}

// shownColumns are the columns of a row of /api/v1/prices that are its own. All rows of a label
// share its texts.
var shownColumns = func() (list []shownColumn) {
	for i := range record.Observations {
		if c := &record.Observations[i]; c.Shown {
			list = append(list, shownColumn{c, []byte(`,"` + c.Name + `":`), c.Name == "package_size" ||
				c.Name == "scraped_name"})
		}
	}
	return list
}()

type shownColumn struct {
	*record.Column[panel.Observation]
	member []byte // ,"name":
	shared bool
}

// appendPrice appends one row as an observation of /api/v1/prices. A page holds thousands of
// rows, so encoding/json is too slow: testdata/bench/serve.sh measures it.
//
// Prices have at least two decimals, and more if they need them. The unit price is
// written as short as it reads back. Title and package are as scraped.
func appendPrice(b []byte, o *panel.Observation, l *priceLabel, s *priceStore) []byte {
	start, texts := len(b), l.texts
	for i := range shownColumns {
		switch c := &shownColumns[i]; {
		case c.Reviewed && !l.Banner.Verified:
		case c.shared:
			b, texts = append(b, texts[0]...), texts[1:]
		default:
			b = c.AppendJSON(append(b, c.member...), o)
		}
	}
	b[start] = '{'
	b = append(b, l.text...)
	b = append(b, s.text...)
	return append(b, '}')
}

func appendRetailerProduct(b []byte, x check.Listed) []byte {
	b = append(b, `,"retailer_products":{`...)
	b = append(appendMembers(b, record.Listings, x.Listing, "product_id"), ',')
	b = append(appendMembers(b, record.Banners, x.Banner, "retailer", "key banner"), ',')
	b = appendMembers(b, record.Listings, x.Listing, "sku retailer_sku", "name retailer_name", "brand",
		"is_store_brand")
	if x.Listing.GTIN != "" {
		b = appendMembers(append(b, ','), record.Listings, x.Listing, "gtin")
	}
	b = append(b, `,"products":{`...)
	return append(appendMembers(b, record.Products, x.Product, "id", "name", "category", "subcategory",
		"basket_weight"), "}}"...)
}

// appendMembers appends members of an object. Each name is a column's, with another name of its
// member behind a blank if it has one.
func appendMembers[T any](b []byte, list []record.Column[T], r *T, names ...string) []byte {
	for i, name := range names {
		from, to, renamed := strings.Cut(name, " ")
		if !renamed {
			to = from
		}
		if i > 0 {
			b = append(b, ',')
		}
		c := &list[slices.IndexFunc(list, func(c record.Column[T]) bool { return c.Name == from })]
		b = c.AppendJSON(append(append(append(b, '"'), to...), `":`...), r)
	}
	return b
}
