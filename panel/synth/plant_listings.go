package synth

import (
	"slices"
	"strings"
)

// retired plants listings that were replaced, one after the other, at a price
// that is a quarter higher.
func (p *planter) retired() {
	for i, x := range []want{{5, "tillbrook"}, {32, "ottermill"}, {30, "prairiekeel"}, {42, "boisverin"}, {3, "gullhaven"}, {7, "cedarquay"}} {
		old := p.pick([]int{x.id, 32, 35, 37}, 2, x.banner)
		if old == nil {
			continue
		}
		week := max(1, p.weeks*(i+2)/9)
		old.to, old.Active = week-1, false
		next := p.list(old.chain, old.good, 2)
		next.from, next.level = week, times(old.level, 1_250_000)
		p.taken[next] = true
		p.stock(next, 1)
		plant := old.plant(RetiredListing)
		plant.Listings, plant.From = append(plant.Listings, next.ID), p.base.Add(week)
		p.add(plant)
	}
}

// seconds plants second listings at every other store.
func (p *planter) seconds() {
	for _, l := range []*listing{
		p.pick([]int{43, 34}, 4, "northlarch"), p.pick([]int{1, 5}, 4, "quartermoss"), p.pick([]int{12, 13}, 4, "gullhaven"),
	} {
		if l == nil {
			continue
		}
		second := p.list(l.chain, l.good, 1)
		second.level = times(l.level, 1_060_000)
		p.taken[second] = true
		p.stock(second, 2)
		plant := l.plant(SecondListing)
		plant.Listings = append(plant.Listings, second.ID)
		for _, x := range second.series {
			plant.Stores = append(plant.Stores, x.store.ID)
		}
		p.add(plant)
	}
}

// former plants listings of the product of an earlier basket.
func (p *planter) former() {
	to := max(p.weeks/3, 0)
	plant := Plant{Kind: FormerProduct, Product: p.Former.ID, To: p.base.Add(to)}
	for c, ch := range p.Chains {
		if slices.Contains([]string{"northlarch", "pennywold", "boisverin"}, ch.Key) {
			l := p.list(c, len(p.Goods)-1, 0)
			l.to = to
			p.taken[l] = true
			p.stock(l, 1)
			plant.Listings = append(plant.Listings, l.ID)
		}
	}
	p.add(plant)
}

// mojibake spoils names of one Quebec banner, the first of them twice over.
func (p *planter) mojibake() {
	plant := Plant{Kind: Mojibake, Banner: "grangelys"}
	accent := func(r rune) bool { return r >= 0x80 }
	for _, l := range p.listings {
		if l.Banner != plant.Banner || p.taken[l] || len(l.series) == 0 || !strings.ContainsFunc(l.Name, accent) ||
			below(p.seed.at(tagMojibake, int(l.ID), 0, 0), 5) > 1 {
			continue
		}
		if len(plant.Listings) == 0 {
			l.Name, l.Brand = mojibake(l.Name), mojibake(l.Brand)
		}
		l.Brand = mojibake(l.Brand)
		l.rename(mojibake(l.Name))
		plant.Listings = append(plant.Listings, l.ID)
	}
	if len(plant.Listings) > 0 {
		p.add(plant)
	}
}

// sold plants expired sales, goods by weight in fixed packs, and other counts.
func (p *planter) sold() {
	for _, ids := range [][]int{{34, 32}, {47, 37}, {14, 16}} {
		if l := p.pick(ids, 2, "pennywold", "northlarch", "paniersol"); l != nil {
			l.expired = true
			plant := l.plant(ExpiredSale)
			plant.From, plant.To = p.base.Add(p.weeks-1), p.base.Add(p.weeks)
			p.add(plant)
		}
	}
	for _, x := range []struct {
		id   int
		text string
	}{{9, "0.4 kg"}, {8, "450 g"}} {
		if l := p.pick([]int{x.id}, 2, "pennywold", "tillbrook"); l != nil {
			l.sizeText = x.text
			p.add(l.plant(FixedPack))
		}
	}
	for _, banner := range []string{"quartermoss", "tidewren"} {
		if l := p.pickOne(want{2, banner}, 2); l != nil {
			l.size = 18
			l.sizeText = p.Chains[l.chain].packText(p.products[l.good], l.size)
			l.rename(l.Brand + " Large Eggs")
			p.add(l.plant(OtherCount))
		}
	}
}

// shrinking is a pack that gets smaller, store by store.
type shrinking struct {
	from, to int // first and last week of the roll-out
	size     int64
	text     string
	shelf    int64 // factor of the shelf price at the change
}

// packs are the roll-outs, one or more of every grade. A shelf price that stays
// the same raises the unit price by about as much as the size lost.
var packs = []struct {
	want
	old, new int64 // grams or millilitres
	shelf    int64
	expect   string
}{
	{want{1, "northlarch"}, 750, 650, one, "high ok"},                       // size -13.3%, unit price +15.4%
	{want{43, "boisverin"}, 930, 860, one, "high ok"},                       // -7.5%, +8.1%
	{want{33, "pennywold"}, 400, 350, 1_150_000, "medium ok"},               // -12.5%, +31.4%
	{want{4, "tillbrook"}, 454, 450, one, "low suspect_tiny"},               // -0.9%, +0.9%
	{want{42, "ottermill"}, 1500, 1200, one, "low suspect_swap"},            // -20%, +25%
	{want{12, "prairiekeel"}, 675, 500, one, "low suspect_swap"},            // -25.9%, held at -20%
	{want{38, "gullhaven"}, 750, 660, 680_000, "low suspect_unit_mismatch"}, // -12%, -22.7%
	{want{22, "cedarquay"}, 454, 400, one, "high ok"},                       // -11.9%, +13.5%
}

const (
	rollout   = 4 // weeks
	quiet     = 4 // weeks before a roll-out without a change of price
	minShrink = 10
)

// shrinks plants the roll-outs near the end, within the last ninety days.
func (p *planter) shrinks() {
	if p.weeks < minShrink {
		return
	}
	for i, x := range packs {
		l := p.pickOne(x.want, 3)
		if l == nil {
			continue
		}
		c, product := &p.Chains[l.chain], p.products[l.good]
		from := max(2, p.weeks-12+i%6)
		l.size, l.sizeText = x.old, c.packText(product, x.old)
		l.shrink = &shrinking{from: from, to: from + rollout, size: x.new, text: c.packText(product, x.new), shelf: x.shelf}
		l.rename(strings.TrimSpace(l.Brand + " " + p.Goods[l.good].titles(c.French)[0]))
		plant := l.plant(Shrink)
		plant.From, plant.To, plant.Expect = p.base.Add(from), p.base.Add(from+rollout), x.expect
		plant.OldPack, plant.NewPack = l.sizeText, l.shrink.text
		for n, s := range l.series {
			if n == 5 { // always with the smaller pack
				s.change = -1 - lead
				plant.AlwaysNew = append(plant.AlwaysNew, s.store.ID)
				continue
			}
			s.change = from + n*(rollout+1)/len(l.series)
			plant.Stores = append(plant.Stores, s.store.ID)
		}
		p.add(plant)
	}
}
