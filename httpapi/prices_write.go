package httpapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// append appends the rows that the gate passes, a comma after each.
func (p *priceRows) append(b []byte, rows []priceRow) []byte {
	b = slices.Grow(b, p.room(rows))
	for _, r := range rows {
		if p.Verdict(int(r.row)) != panel.Pass {
			continue
		}
		o, l := p.At(int(r.row)), &p.labels[r.label]
		o.RestateRegular(l.verified)
		b = append(appendPrice(b, &o, l, &p.stores[r.store]), ',')
	}
	return b
}

// room is how many bytes rows will hardly exceed: growing by and by would leave
// several times as many behind.
func (p *priceRows) room(rows []priceRow) (n int) {
	const own, reviewed = 240, 128 // bytes of a row beside what it has in common with others
	for _, r := range rows {
		l := &p.labels[r.label]
		n += own + len(l.pack) + len(l.title) + len(l.text) + len(p.stores[r.store].text)
		if l.verified {
			n += reviewed
		}
	}
	return n
}

// appendPrice appends one row as the JSON object that /api/v1/prices calls an
// observation, its members in the document's order. It is written by hand
// because a page holds thousands of rows.
//
// Prices have two decimals, or as many more as they have; the unit price is
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
		b = appendText(append(b, `,"regular_price_source":`...), panel.RegularSources[o.RegularSource])
		b = appendPromo(append(b, `,"promo_detail":`...), o.PromoDetail)
	}
	b = append(b, l.text...)
	b = append(b, s.text...)
	return append(b, '}')
}

func appendRetailerProduct(b []byte, m *panel.Listing, p *basket.Product, n *basket.Banner) []byte {
	b = strconv.AppendInt(append(b, `,"retailer_products":{"product_id":`...), int64(m.ProductID), 10)
	b = appendString(append(b, `,"retailer":`...), n.Retailer)
	b = appendString(append(b, `,"banner":`...), n.Key)
	b = appendText(append(b, `,"retailer_sku":`...), m.SKU)
	b = appendString(append(b, `,"retailer_name":`...), m.Name)
	b = appendText(append(b, `,"brand":`...), m.Brand)
	b = appendTri(append(b, `,"is_store_brand":`...), m.IsStoreBrand)
	b = strconv.AppendInt(append(b, `,"products":{"id":`...), int64(p.ID), 10)
	b = appendString(append(b, `,"name":`...), p.Name)
	b = appendString(append(b, `,"category":`...), p.Category.String())
	b = appendText(append(b, `,"subcategory":`...), p.Subcategory)
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

// appendPromo appends a stored JSON object without the blanks in it; none is
// null. An import takes nothing else into a snapshot than such objects.
func appendPromo(b []byte, text string) []byte {
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
