package synth

import (
	"slices"

	"github.com/larder-index/larder/panel"
)

// wrongTitles are other things that a search for the product finds, by product.
// They fail every spec, in both languages.
var wrongTitles = map[int]string{
	1:  "Yogurt-Flavoured Granola Bars",
	19: "Gala Apple Juice",
	22: "Confiture de fraises",
	26: "Yellow Potato Chips",
	31: "Brown Rice Crackers",
	33: "Chocolate Covered Almonds",
	45: "Almond Milk Chocolate Bar",
}

// wrongProducts plants listings of another thing, everywhere or at one store.
func (p *planter) wrongProducts() {
	for _, x := range []want{{1, "ottermill"}, {19, "pennywold"}, {26, "rimfield"}, {33, "harthollow"}, {22, "boisverin"}} {
		l := p.pickOne(x, 1)
		if l == nil || p.rowCount(l.series) < 4 {
			continue
		}
		l.rename(wrongTitles[x.id])
		for _, s := range l.series {
			s.verdict = panel.Quarantined
		}
		p.add(l.plant(WrongProduct))
	}
	for _, x := range []want{{31, "northlarch"}, {45, "tillbrook"}} {
		// With four stores, the rows of one are less than half of the listing's.
		l := p.pickOne(x, 4)
		if l == nil {
			continue
		}
		s := p.open(l)[1]
		if p.rowCount([]*series{s}) < 4 {
			continue
		}
		s.title, s.verdict = wrongTitles[x.id], panel.Quarantined
		p.add(s.plant(WrongProduct))
	}
}

func (p *planter) rowCount(list []*series) int {
	n := 0
	for _, x := range list {
		n += len(p.weeksOf(x))
	}
	return n
}

// wrongBasis plants prices of a case or of 100 g.
func (p *planter) wrongBasis() {
	for _, x := range []struct {
		want
		factor int64
		all    bool // at all stores of the banner
	}{
		{want{10, "aspenreach"}, 6 * one, true},
		{want{36, "rimfield"}, 5 * one, false},
		{want{21, "tidewren"}, one / 10, false},
		{want{48, "grangelys"}, one / 4, false},
	} {
		l := p.pickOne(x.want, 2)
		if l == nil {
			continue
		}
		list := l.series
		if !x.all {
			list = p.open(l)[:1]
		}
		if slices.ContainsFunc(list, func(s *series) bool { return !s.store.Active || len(p.weeksOf(s)) < 4 }) {
			continue
		}
		plant := l.plant(WrongBasis)
		for _, s := range list {
			s.factor, s.verdict = x.factor, panel.Quarantined
			plant.Stores = append(plant.Stores, s.store.ID)
		}
		p.add(plant)
	}
}

// stray plants single rows that fail identity: with the title of another thing,
// or with a pack misread by a factor of ten.
func (p *planter) stray() {
	for i, x := range []want{{1, "tillbrook"}, {19, "northlarch"}, {33, "gullhaven"}, {5, "northlarch"}, {37, "ottermill"}, {32, "pennywold"}} {
		l := p.pickOne(x, 2)
		if l == nil || l.sizeText == "" {
			continue
		}
		s := p.open(l)[0]
		weeks := p.weeksOf(s)
		if len(weeks) < 4 || p.twice(s, weeks[2]) { // else it is half of the series
			continue
		}
		if i < 3 {
			p.addRow(s, weeks[2], StrayTitle, func(o *panel.Observation) {
				o.ScrapedName, o.Verdict = wrongTitles[x.id], panel.FailsIdentity
			})
			continue
		}
		p.addRow(s, weeks[2], StrayPack, func(o *panel.Observation) {
			o.PackageSize = p.Chains[l.chain].packText(p.products[l.good], l.size/10)
			o.Verdict = panel.FailsIdentity
		})
	}
}

// perPounds plants single rows with the price of a pound instead of a kilogram,
// one for each product sold by weight.
func (p *planter) perPounds() {
	banners := []string{"northlarch", "cedarquay", "pennywold", "ottermill", "tillbrook", "gullhaven", "boisverin", "prairiekeel"}
	n := 0
	for _, product := range p.products {
		if !product.PerKg() {
			continue
		}
		l := p.pickOne(want{product.ID, banners[n%len(banners)]}, 2)
		n++
		if l == nil {
			continue
		}
		for _, x := range p.open(l) {
			if week, ok := p.plainWeek(x); ok {
				p.addRow(x, week, PerPound, priceOfPound)
				break
			}
		}
	}
}

func priceOfPound(o *panel.Observation) {
	o.Effective = panel.Price(ratio(int64(o.Effective), 10_000, 22_046*100) * 100)
	o.Regular, o.Sale, o.OnSale = o.Effective, 0, false
	o.SaleEndsOn, o.SaleCondition = 0, panel.NoCondition
	o.Verdict = panel.Quarantined
}

// plainWeek returns a week in which the price of a pound would stick out: the
// series' price is its median, to one percent, also after the change.
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

// addRow spoils a series' row of one week and adds it as a plant.
func (p *planter) addRow(x *series, week int, kind Kind, odd func(*panel.Observation)) {
	x.odd = map[int]func(*panel.Observation){week: odd}
	plant := x.plant(kind)
	plant.From, plant.To = p.base.Add(week), p.base.Add(week)
	for _, o := range p.week(nil, week) {
		if o.Listing == x.ID && o.Store == x.store.ID {
			plant.Observations = append(plant.Observations, o.ID)
		}
	}
	p.add(plant)
}
