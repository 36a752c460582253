package oracle

import "encoding/json"

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
