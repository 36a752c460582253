package oracle

import "encoding/json"

// The companions of section 15.
const (
	Regular = "regular"
	Linked  = "linked"
)

// atRegularPrices is the data with each row at its price for the regular
// companion, without the rows that have none there.
func atRegularPrices(d *Data) *Data {
	banners := byKey(d.Banners, func(b Banner) string { return b.Key })
	stores := byKey(d.Stores, func(s Store) int64 { return s.ID })
	regular := *d
	regular.Observations = nil
	for _, o := range d.Observations {
		if price := o.regular(banners[stores[o.StoreID].Banner].Verified); price > 0 {
			o.EffectivePrice = price
			regular.Observations = append(regular.Observations, o)
		}
	}
	return &regular
}

// regular is the row's price for the regular companion, 0 if it has none.
//
// Section 11: "For rows of banners that are not verified: a regular price below
// the effective price, or above four times it, becomes the effective price;
// is_on_sale becomes false".
//
// Section 15: "the price of a row is its regular price after section 11 where
// that is known (not assumed_equal, no regularPriceBasisUnavailable); else its
// effective price when it is not on sale; else the row has none".
func (o Observation) regular(verified bool) float64 {
	price, onSale := o.RegularPrice, o.OnSale
	if !verified && price > 0 && (price < o.EffectivePrice || price > 4*o.EffectivePrice) {
		price, onSale = o.EffectivePrice, false
	}
	var promo struct {
		RegularPriceBasisUnavailable bool `json:"regularPriceBasisUnavailable"`
	}
	if o.PromoDetail != "" {
		if err := json.Unmarshal([]byte(o.PromoDetail), &promo); err != nil {
			panic(err)
		}
	}
	switch {
	case price > 0 && o.RegularSource != "assumed_equal" && !promo.RegularPriceBasisUnavailable:
		return price
	case !onSale:
		return o.EffectivePrice
	}
	return 0
}

// segment is a stretch of weeks compared with one base. Series v2 has one, on
// its base at 100.
type segment struct {
	base  string
	level float64 // of the base, not rounded
}

// links reports whether a new segment starts in w, a published week. Section
// 15: "A segment with base b ends, and a new one starts, in the first week w >=
// b + 52 weeks in which the current level is published and at least 75% of the
// slice's active products are priced there."
func (p *panel) links(g geography, slice string, current segment, w string) bool {
	return w >= addDays(current.base, 52*7) && 100*len(p.priced(g, slice, w)) >= 75*len(p.slice(slice))
}
