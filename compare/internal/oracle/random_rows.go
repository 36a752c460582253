package oracle

import (
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// series adds the rows of one listing at one store, over some weeks around the
// request.
func (g *generator) series(s panel.Store, m panel.Listing) {
	product, _ := g.w.product(m.ProductID)
	banner, _ := g.w.banner(m.Banner)
	size := g.size(product)
	price := g.price(product)
	for range 1 + g.IntN(4) {
		o := panel.Observation{ID: g.id(), Listing: m.ID, Store: s.ID, ObservedAt: g.instant(), Effective: price, PackageSize: size}
		if g.chance(0.3) {
			o.Effective = g.price(product)
		}
		if g.odd() {
			o.PackageSize = g.size(product)
		}
		g.regular(&o)
		g.sale(&o)
		if g.odd() {
			o.Verdict = pick(g, panel.FailsIdentity, panel.Quarantined)
		}
		if banner.Verified && !g.odd() {
			o.RegularSource = pick(g, panel.Scraped, panel.Derived)
		}
		if g.odd() {
			o.RegularSource = pick(g, panel.Scraped, panel.AssumedEqual, panel.AssumedEqual)
		}
		if g.odd() {
			o.PromoDetail = pick(g, `{"regularPriceBasisUnavailable":true}`, `{"packagePrice": 9.99, "regularPriceBasisUnavailable" : true}`,
				`{"regularPriceBasisUnavailable":false}`, `{"packagePrice":9.99}`, `{}`)
		}
		o.ScrapedName = pick(g, "", "Goods", "Goods", "Baby goods")
		if g.odd() {
			o.ScrapedName = "Paint"
		}
		o.InStock = pick(g, panel.Unknown, panel.No, panel.Yes)
		g.w.Observations = append(g.w.Observations, o)
	}
}

// id returns an id that no row has: ids are in no order of time.
func (g *generator) id() int64 {
	if len(g.ids) == 0 {
		first := int64(len(g.w.Observations)) + 1
		for i := range int64(16) {
			g.ids = append(g.ids, first+i)
		}
		g.Shuffle(len(g.ids), func(i, j int) { g.ids[i], g.ids[j] = g.ids[j], g.ids[i] })
	}
	id := g.ids[0]
	g.ids = g.ids[1:]
	return id
}

// instant returns when a row was seen: few distinct times, so that ties are
// common, and instants beside the bounds of too old and of yet to come.
func (g *generator) instant() time.Time {
	now := g.w.Now
	today := now.UTC().Truncate(24 * time.Hour)
	days := func(n int) time.Time { return today.AddDate(0, 0, n) }
	if g.odd() {
		return pick(g,
			days(-8).Add(-1), days(-8), days(-9), days(-15), days(-20).Add(7*time.Hour), // the first, third and later ones are stale
			now, now.Add(1), now.Add(time.Hour), days(3), // all but the first are yet to come
		)
	}
	at := pick(g, days(-1), days(-1).Add(3*time.Hour), days(-2).Add(23*time.Hour), days(-7), days(-8))
	if g.chance(0.2) {
		return at.In(panel.Calendar{}.Zone())
	}
	return at
}

// ladders are prices that make ties, close totals and halves of a cent common:
// 2.00 and 2.05 differ by five cents, 10.00 and 10.20 by 2%.
var ladders = [][]panel.Price{
	{2_0000, 2_0500, 2_0501, 2_0549, 2_0550, 2_0600, 4_0000},
	{10_0000, 10_1950, 10_2000, 10_2050, 10_2100, 20_0000},
	{5_0000, 5_1000, 5_1100, 5_0050, 2_5000},
	{3_3333, 3_3350, 3_4000, 3_4050, 50, 6_6666},
	{1_0000, 2_0000, 3_0000},
}

// price returns a price for a product's row.
func (g *generator) price(product basket.Product) panel.Price {
	if g.chance(0.05) {
		return panel.Price(1 + g.IntN(200_000))
	}
	return pick(g, g.ladder[product.ID]...)
}

// regular sets a regular price on either side of every bound of it.
func (g *generator) regular(o *panel.Observation) {
	e := o.Effective
	switch {
	case g.chance(0.3): // unknown
	case g.odd():
		o.Regular = pick(g, e+1, max(1, e-1), max(1, e/2), 4*e, 4*e+1, 10*e)
	default:
		o.Regular = pick(g, e, e+e/4, 2*e)
	}
}

// sale puts a row on sale, with conditions, ends, and members that do not
// belong together.
func (g *generator) sale(o *panel.Observation) {
	today := panel.DateIn(g.w.Now, time.UTC)
	o.OnSale = g.chance(0.3) || g.odd()
	if o.OnSale && g.chance(0.7) {
		o.Sale = o.Effective
	}
	if o.OnSale && g.chance(0.3) || g.odd() {
		o.SaleEndsOn = today + pick[panel.Date](g, 0, 1, 5, 9)
	}
	if g.odd() {
		o.SaleEndsOn = today + pick[panel.Date](g, -1, -1, -6)
	}
	if o.OnSale && g.chance(0.3) || g.odd() {
		o.SaleCondition = pick(g, panel.MultiBuy, panel.Member)
	}
}

// size returns the text of a package: mostly the standard size, else a text as a
// shop writes it, on and beside the bounds.
func (g *generator) size(p basket.Product) string {
	if g.chance(0.1) {
		return pick(g, "", "Medium Roast", "$1.86/100g", "6 x 330 mL x 6", "ea", "355 mL", "450 g", "12 ct", "/lb", "per kg")
	}
	odd := g.odd() || g.chance(0.1)
	switch {
	case p.PerKg() && odd:
		return pick(g, "500 g", "250 g", "2 kg", "454 g", "750 g", "1 lb", "1/3 kg", "1010 g", "1011 g", "990 g", "approx. 1.2 kg",
			"0.40 - 0.50 kg", "approx 1.2 kg per kg", "/lb", "6 bagels, 450 g", "500 mL")
	case p.PerKg():
		return pick(g, "per kg", "", "1 kg")
	case p.ID == 1 && odd:
		return pick(g, "505 g", "495 g", "505.01 g", "494.99 g", "250 g", "1 kg", "2 x 500 g", "1 lb", "approx. 600 g", "900 g - 1.1 kg",
			"/lb", "approx 1.2 kg per kg", "333.3 g", "6 bagels, 450 g")
	case p.ID == 1:
		return "500 g"
	case p.Unit == basket.Count && odd:
		return pick(g, "18 ct", "11 ct", "10-14 ct", "~12 ct", "10-16 ct", "6 bagels, 450 g", "12 bagels, 900 g", "450 g in 6 pieces by weight", "30 ct")
	case p.Unit == basket.Count:
		return pick(g, "12 ct", "dozen", "")
	case p.Unit == basket.Millilitre && odd:
		return pick(g, "990 mL", "1010 mL", "1011 mL", "989.9 mL", "500 mL", "2 L", "4 x 250 mL", "0.7 mL", "1.4 mL", "0.9 mL", "1 kg")
	case p.Unit == basket.Millilitre && p.ID == 5:
		return pick(g, "0.7 mL", "0.7 mL", "0.707 mL")
	case p.Unit == basket.Millilitre:
		return "1 L"
	case odd:
		return pick(g, "100 g", "100.495 g", "100.5 g", "98.505 g", "98.5 g", "199 g", "49.75 g")
	}
	return "99.5 g"
}
