package synth

import (
	"slices"

	"github.com/larder-index/larder/panel"
)

// wrongTitles are what a search for the product also finds. No spec lets them
// pass, in either language.
var wrongTitles = map[int]string{
	1:  "Yogurt-Flavoured Granola Bars",
	19: "Gala Apple Juice",
	22: "Confiture de fraises",
	26: "Yellow Potato Chips",
	31: "Brown Rice Crackers",
	33: "Chocolate Covered Almonds",
	45: "Almond Milk Chocolate Bar",
}

// wrong plants listings of another thing, and of the right thing at the price
// of a case or of 100 g.
func (p *planter) wrong() {
	for _, want := range []struct {
		id     int
		banner string
	}{{1, "ottermill"}, {19, "pennywold"}, {26, "rimfield"}, {33, "harthollow"}, {22, "boisverin"}} {
		l := p.pick([]int{want.id}, 1, want.banner)
		if l == nil || p.rowCount(l.series) < 4 {
			continue
		}
		p.rename(l, wrongTitles[want.id])
		l.quarantine()
		p.add(Plant{Kind: WrongProduct, Product: want.id, Banner: l.Banner, Listings: []int64{l.ID}, Expect: panel.WrongProduct.String()})
	}
	for _, want := range []struct {
		id     int
		banner string
	}{{31, "northlarch"}, {45, "tillbrook"}} {
		// Four stores, so that one store's rows are no half of the listing's.
		l := p.pick([]int{want.id}, 4, want.banner)
		if l == nil {
			continue
		}
		x := p.open(l)[1]
		if p.rowCount([]*series{x}) < 4 {
			continue
		}
		x.title, x.verdict = wrongTitles[want.id], panel.Quarantined
		listing, store := x.ids()
		p.add(Plant{Kind: WrongProduct, Product: want.id, City: x.store.City, Banner: l.Banner, Listings: listing, Stores: store, Expect: panel.WrongProduct.String()})
	}
	p.wrongBasis()
	p.stray()
}

// stray plants single rows that fail identity: a title of another thing once,
// or a pack misread by a factor of ten.
func (p *planter) stray() {
	for _, want := range []struct {
		id     int
		banner string
		kind   odd
	}{
		{1, "tillbrook", strayTitle}, {19, "northlarch", strayTitle}, {33, "gullhaven", strayTitle},
		{5, "northlarch", strayPack}, {37, "ottermill", strayPack}, {32, "pennywold", strayPack},
	} {
		l := p.pick([]int{want.id}, 2, want.banner)
		if l == nil || l.sizeText == "" {
			continue
		}
		x := p.open(l)[0]
		weeks := p.weeksOf(x)
		if len(weeks) < 4 || p.twice(x, weeks[2]) { // fewer, and it would be half of the series
			continue
		}
		week := weeks[2]
		x.odd = map[int]odd{week: want.kind}
		listing, store := x.ids()
		kind := StrayTitle
		if want.kind == strayPack {
			kind = StrayPack
		}
		p.add(Plant{
			Kind: kind, Product: want.id, City: x.store.City, Banner: l.Banner, Listings: listing, Stores: store,
			From: p.named(week), To: p.named(week), Observations: p.idsIn(x, week), Expect: panel.FailsIdentity.String(),
		})
	}
}

func (p *planter) rowCount(list []*series) int {
	n := 0
	for _, x := range list {
		n += len(p.weeksOf(x))
	}
	return n
}

func (p *planter) wrongBasis() {
	for _, want := range []struct {
		id     int
		banner string
		factor int64
		all    bool // at all stores of the banner
	}{
		{10, "aspenreach", 6 * one, true},
		{36, "rimfield", 5 * one, false},
		{21, "tidewren", one / 10, false},
		{48, "grangelys", one / 4, false},
	} {
		l := p.pick([]int{want.id}, 2, want.banner)
		if l == nil {
			continue
		}
		list := p.open(l)
		if want.all {
			list = l.series
		} else {
			list = list[:1]
		}
		if slices.ContainsFunc(list, func(x *series) bool { return !x.store.Active || len(p.weeksOf(x)) < 4 }) {
			continue
		}
		x := Plant{Kind: WrongBasis, Product: want.id, Banner: l.Banner, Listings: []int64{l.ID}, Expect: panel.WrongBasis.String()}
		for _, s := range list {
			s.factor, s.verdict = want.factor, panel.Quarantined
			x.Stores = append(x.Stores, s.store.ID)
		}
		p.add(x)
	}
}

// perPounds plants single rows that state the price of a pound as that of a
// kilogram: one for each product sold by weight.
func (p *planter) perPounds() {
	banners := []string{"northlarch", "cedarquay", "pennywold", "ottermill", "tillbrook", "gullhaven", "boisverin", "prairiekeel"}
	n := 0
	for _, prod := range p.products {
		if !prod.PerKg() {
			continue
		}
		l := p.pick([]int{prod.ID}, 2, banners[n%len(banners)])
		n++
		if l == nil {
			continue
		}
		for _, x := range p.open(l) {
			if week, ok := p.plainWeek(x); ok {
				x.odd = map[int]odd{week: perPound}
				listing, store := x.ids()
				p.add(Plant{
					Kind: PerPound, Product: prod.ID, City: x.store.City, Banner: l.Banner, Listings: listing, Stores: store,
					From: p.named(week), To: p.named(week), Observations: p.idsIn(x, week), Expect: panel.WrongBasisRow.String(),
				})
				break
			}
		}
	}
}

// plainWeek returns a week in which the price of a pound would stand out: the
// series' price is its median, and stays it, to one percent.
func (p *planter) plainWeek(x *series) (int, bool) {
	weeks := p.weeksOf(x)
	if len(weeks) < 5 {
		return 0, false
	}
	prices := make([]int64, len(weeks))
	for i, k := range weeks {
		prices[i] = p.at(x, k).price
	}
	for i := len(weeks) / 2; i < len(weeks); i++ {
		if k := weeks[i]; k < 0 || p.twice(x, k) {
			continue
		}
		old := prices[i]
		prices[i] = ratio(old, 10_000, 22_046)
		sorted := slices.Sorted(slices.Values(prices))
		median := sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2] // twice the median
		stated := prices[i] * 2 * 22_046 / 10_000
		if apart := stated - median; apart*100 < median && -apart*100 < median {
			return weeks[i], true
		}
		prices[i] = old
	}
	return 0, false
}

// idsIn returns the ids of a series' rows in a week.
func (w *world) idsIn(x *series, week int) []int64 {
	var ids []int64
	for _, o := range w.week(nil, week) {
		if o.Listing == x.ID && o.Store == x.store.ID {
			ids = append(ids, o.ID)
		}
	}
	return ids
}
