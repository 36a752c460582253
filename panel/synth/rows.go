package synth

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Observations yields every observation by time, then id; ids ascend, and no error comes. The
// next observation takes the place of the last. Several goroutines may range over it at once,
// any number of times.
func (d *Data) Observations() iter.Seq2[*panel.Observation, error] {
	return func(yield func(*panel.Observation, error) bool) {
		var rows []panel.Observation
		for week := -1; week <= d.Weeks; week++ {
			rows = rows[:0]
			for i := range d.stores {
				rows = d.visit(rows, &d.stores[i], week)
			}
			slices.SortFunc(rows, func(a, b panel.Observation) int {
				return cmp.Or(a.ObservedAt.Compare(b.ObservedAt), cmp.Compare(a.Store, b.Store))
			})
			for i := range rows {
				rows[i].ID = int64(week+1)*int64(len(d.stores)*len(d.country.Goods)) + int64(i) + 1
				if !yield(&rows[i], nil) {
					return
				}
			}
		}
	}
}

func (d *Data) visit(rows []panel.Observation, s *store, week int) []panel.Observation {
	y, m, day := (d.BaseWeek.Add(week).Date() - 6 + panel.Date(s.weekday)).Time(time.UTC).Date()
	at := time.Date(y, m, day, s.hour, int(d.draw(0, 50, "minute", int(s.ID), week)), 0, 0, clock.Zone()).UTC()
	if !d.visited(s, week) || !at.Before(clock.Start(d.Through+1)) {
		return rows
	}
	for n, l := range s.listings {
		if !d.chance(60, "missing", int(s.ID), int(l.ID), week) {
			rows = append(rows, panel.Observation{ObservedAt: at.Add(time.Duration(n) * 2 * time.Second)})
			d.fill(&rows[len(rows)-1], s, l, week)
		}
	}
	return rows
}

func (d *Data) fill(o *panel.Observation, s *store, l *listing, week int) {
	p, size := &d.Products[l.good], l.size
	o.Listing, o.Store = l.ID, s.ID
	o.ScrapedName, o.PackageSize = l.Name, l.sizeText
	if l.shrunk(s, week) {
		size, o.PackageSize = l.small, l.smallText
	}
	shown := week
	if d.Weeks >= minWeeks && (site{s.City, s.Banner}) == frozen {
		shown = min(week, d.Weeks/2)
	}
	regular := d.regular(s, l, shown)
	price := d.promote(o, s, l, shown, regular)
	o.Regular, o.Effective = standard(p, regular, size), standard(p, price, size)
	o.InStock = panel.Yes
	if d.chance(30, "sold out", int(s.ID), int(l.ID), week) {
		o.InStock = panel.No
	}
	verified, k := d.country.Chains[l.chain].Verified, d.draw(0, 99, "source", int(s.ID), int(l.ID), week)
	switch {
	case k < 4:
		o.Regular = 0
	case !verified:
	case k < 25 && !o.OnSale:
		o.RegularSource, o.Regular = panel.AssumedEqual, o.Effective
	default:
		o.RegularSource = panel.Scraped
		if o.OnSale {
			o.PromoDetail = fmt.Sprintf(`{"packagePrice":%.2f,"packageWasPrice":%.2f}`,
				float64(price)/100, float64(regular)/100)
		}
	}
	if d.Weeks >= minWeeks {
		s.spoil(o, l, week)
	}
	if o.OnSale {
		o.Sale = o.Effective
	}
	per := 100.0 // g or mL
	if p.Unit == basket.Count {
		per = 1
	}
	o.UnitPrice = math.Round(float64(o.Effective)*per/p.StandardSize/100) / 100
}

// standard restates a pack's price in cents on the product's basis.
func standard(p *basket.Product, cents, size int64) panel.Price {
	if p.PerKg() {
		return panel.Price(cents * 100)
	}
	return panel.Price(ratio(cents*100, int64(p.StandardSize), size))
}

// regular returns the regular shelf price in cents. Each banner sets prices every few weeks, in
// a rhythm of its own in each city.
func (d *Data) regular(s *store, l *listing, week int) int64 {
	set := min(week, l.shrinks-4)
	set = max(set-(set+lead+l.good)%int(d.draw(2, 6, "rhythm", l.chain, s.city, l.good)), -lead)
	// digits enough that no factor's rounding shows
	v := times(d.country.Goods[l.good].Cents*10_000, d.trend[l.good][set+lead])
	v = times(v, l.level)
	v = times(v, d.draw(975_000, 1_025_000, "store", int(s.ID)))
	v = times(v, d.draw(975_000, 1_025_000, "set", l.chain, s.city, l.good, set))
	cents, last := ratio(v, l.size, int64(d.Products[l.good].StandardSize))/10_000, d.country.Chains[l.chain].Ending
	cents = max(cents-last+5, 0)/10*10 + last
	if l.shrunk(s, week) {
		cents = times(cents, l.shelf)
	}
	return cents
}

// promote returns the price of a listing at a store in a week, and notes a promotion. Each
// banner promotes one product in twelve for a fortnight, at most of its stores: 10 to 30 percent
// off, and a few cents more so that the price ends in 9.
func (d *Data) promote(o *panel.Observation, s *store, l *listing, week int, regular int64) int64 {
	flyer := (week + lead) / 2
	out := week > l.shrinks-4 || d.chance(120, "stays out", int(s.ID), l.good, flyer)
	if out || !d.chance(80, "promoted", l.chain, l.good, flyer) {
		return regular
	}
	price := regular * d.draw(14, 18, "off", l.chain, l.good, flyer) / 20
	price -= (price + 1) % 10
	o.OnSale = true
	if !d.chance(350, "no end", l.chain, l.good, flyer) {
		o.SaleEndsOn = d.BaseWeek.Add(flyer*2 + 1 - lead).Date()
	}
	if d.chance(150, "condition", l.chain, l.good, flyer) {
		o.SaleCondition = []panel.SaleCondition{panel.MultiBuy, panel.Member}[l.good%2]
	}
	return price
}
