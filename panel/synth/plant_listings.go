package synth

import "github.com/larder-index/larder/panel"

// listed plants what listings do: replaced ones, second ones, those of a
// former product, and names in the wrong encoding.
func (p *planter) listed() {
	p.retired()
	for _, l := range []*listing{
		p.pick([]int{43, 34}, 4, "northlarch"), p.pick([]int{1, 5}, 4, "quartermoss"), p.pick([]int{12, 13}, 4, "gullhaven"),
	} {
		if l == nil {
			continue
		}
		second := p.list(l.chain, l.good, 1)
		second.level = times(l.level, 1_060_000)
		p.taken[second] = true
		p.stock(second)
		keep := second.series[:0]
		for n, x := range second.series {
			if n%2 == 0 {
				keep = append(keep, x)
			}
		}
		p.drop(second, keep)
		x := Plant{Kind: SecondListing, Product: l.ProductID, Banner: l.Banner, Listings: []int64{l.ID, second.ID}}
		for _, s := range keep {
			x.Stores = append(x.Stores, s.store.ID)
		}
		p.add(x)
	}
	p.former()
	p.mojibake()
}

// drop takes a listing off the shelves of all stores but those of keep.
func (p *planter) drop(l *listing, keep []*series) {
	l.series = keep
	kept := map[*series]bool{}
	for _, x := range keep {
		kept[x] = true
	}
	for i := range p.stores {
		s := &p.stores[i]
		left := s.series[:0]
		for _, x := range s.series {
			if x.listing != l || kept[x] {
				left = append(left, x)
			}
		}
		s.series = left
	}
}

// retired plants listings that were replaced, one after the other, each by one
// that costs a quarter more.
func (p *planter) retired() {
	for i, want := range []struct {
		banner string
		id     int
	}{{"tillbrook", 5}, {"ottermill", 32}, {"prairiekeel", 30}, {"boisverin", 42}, {"gullhaven", 3}, {"cedarquay", 7}} {
		old := p.pick([]int{want.id, 32, 35, 37}, 2, want.banner)
		if old == nil {
			continue
		}
		week := max(1, p.weeks*(i+2)/9)
		old.to, old.Active = week-1, false
		next := p.list(old.chain, old.good, 2)
		next.from, next.level = week, times(old.level, 1_250_000)
		p.taken[next] = true
		p.stock(next)
		p.add(Plant{
			Kind: RetiredListing, Product: old.ProductID, Banner: old.Banner,
			Listings: []int64{old.ID, next.ID}, From: p.named(week),
		})
	}
}

// former plants the listings of the product that was swapped out.
func (p *planter) former() {
	to := max(p.weeks/3, 0)
	x := Plant{Kind: FormerProduct, Product: len(goods), To: p.named(to)}
	for c, ch := range p.chains {
		if ch.Key != "northlarch" && ch.Key != "pennywold" && ch.Key != "boisverin" {
			continue
		}
		l := p.list(c, len(goods)-1, 0)
		l.to = to
		p.taken[l] = true
		p.stock(l)
		x.Listings = append(x.Listings, l.ID)
	}
	p.add(x)
}

// mojibake spoils names of one Quebec banner, the first of them twice over.
func (p *planter) mojibake() {
	x := Plant{Kind: Mojibake, Banner: "grangelys"}
	for _, l := range p.listings {
		if l.Banner != x.Banner || p.taken[l] || len(l.series) == 0 || !hasAccent(l.Name) ||
			below(p.seed.at(tagMojibake, int(l.ID), 0, 0), 5) > 1 {
			continue
		}
		rounds := 1
		if len(x.Listings) == 0 {
			rounds = 2
		}
		for range rounds {
			l.Name, l.Brand = mojibake(l.Name), mojibake(l.Brand)
		}
		for _, s := range l.series {
			s.title = l.Name
		}
		x.Listings = append(x.Listings, l.ID)
	}
	if len(x.Listings) > 0 {
		p.add(x)
	}
}

// sold plants how goods are sold: expired sales, fixed packs by weight, and
// other counts.
func (p *planter) sold() {
	for _, ids := range [][]int{{34, 32}, {47, 37}, {14, 16}} {
		if l := p.pick(ids, 2, "pennywold", "northlarch", "paniersol"); l != nil {
			l.expired = true
			p.add(Plant{
				Kind: ExpiredSale, Product: l.ProductID, Banner: l.Banner, Listings: []int64{l.ID},
				From: p.named(p.weeks - 1), To: p.named(p.weeks),
			})
		}
	}
	for _, want := range []struct {
		id, grams int
		text      string
	}{{9, 400, "0.4 kg"}, {8, 450, "450 g"}} {
		if l := p.pick([]int{want.id}, 2, "pennywold", "tillbrook"); l != nil {
			l.sizeText = want.text
			p.add(Plant{Kind: FixedPack, Product: want.id, Banner: l.Banner, Listings: []int64{l.ID}})
		}
	}
	for _, banner := range []string{"quartermoss", "tidewren"} {
		if l := p.pick([]int{2}, 2, banner); l != nil {
			c := &p.chains[l.chain]
			l.size = 18
			l.sizeText = packText(c.style, c.french, p.products[l.good], l.size)
			p.rename(l, l.Brand+" Large Eggs")
			p.add(Plant{Kind: OtherCount, Product: 2, Banner: l.Banner, Listings: []int64{l.ID}})
		}
	}
}

// rename gives a listing another title at all its stores.
func (p *planter) rename(l *listing, title string) {
	l.Name = title
	for _, x := range l.series {
		x.title = title
	}
}

// quarantine marks every row of a listing as one that the gate sets aside.
func (l *listing) quarantine() {
	for _, x := range l.series {
		x.verdict = panel.Quarantined
	}
}
