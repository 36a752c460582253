package synth

import (
	"slices"
	"strings"
)

const (
	lateCity    = "charlottetown"
	missingCity = "saskatoon"
)

// cities plants what a whole city does.
func (p *planter) cities() {
	inCity := func(slug string) []*store {
		var in []*store
		for i := range p.stores {
			if p.stores[i].City == slug {
				in = append(in, &p.stores[i])
			}
		}
		return in
	}
	if late := inCity(lateCity); p.weeks >= 4 && len(late) > 0 {
		from := min(5, p.weeks/3)
		x := Plant{Kind: LateCity, City: lateCity, From: p.named(from)}
		for _, s := range late {
			s.from = from
			p.busy[s] = true
			x.Stores = append(x.Stores, s.ID)
		}
		p.add(x)
	}
	if gone := inCity(missingCity); p.weeks >= 3 && len(gone) > 0 {
		skip := 2 * p.weeks / 3
		x := Plant{Kind: MissingWeek, City: missingCity, From: p.named(skip), To: p.named(skip)}
		for _, s := range gone {
			s.skip = skip
			x.Stores = append(x.Stores, s.ID)
		}
		p.add(x)
	}
	if early := p.storesOf(func(s *store) bool { return p.visited(s, -1) }); len(early) > 0 {
		p.add(Plant{Kind: RunUp, Stores: early, From: p.named(-1), To: p.named(-1)})
	}
}

// banners records what the list of banners decides.
func (p *planter) banners() {
	for i := range p.chains {
		c := &p.chains[i]
		x := Plant{Banner: c.Key, Stores: p.storesOf(func(s *store) bool { return s.chain == i })}
		if len(x.Stores) == 0 {
			continue
		}
		kinds := map[Kind]bool{
			ThinBanner:     c.InIndex && c.carries < 30,
			PartialBanner:  c.Key == partialBanner,
			OutsideIndex:   !c.InIndex,
			VerifiedBanner: c.Verified,
			Legacy:         slices.Contains(legacyBanners, c.Key),
		}
		for _, k := range []Kind{ThinBanner, PartialBanner, OutsideIndex, VerifiedBanner, Legacy} {
			if kinds[k] {
				x.Kind = k
				if k == Legacy {
					x.From, x.To = p.named(0), p.named(p.legacyWeeks()-1)
				}
				p.add(x)
			}
		}
	}
}

// shops plants what single stores do.
func (p *planter) shops() {
	if s := p.shop("ottermill", "toronto"); s != nil {
		s.Active, s.to = false, p.weeks/2
		p.add(Plant{Kind: InactiveStore, City: s.City, Banner: s.Banner, Stores: []int64{s.ID}, To: p.named(s.to)})
	}
	for _, banner := range []string{"tidewren", "quartermoss"} {
		if s := p.shop(banner, ""); s != nil && p.weeks >= 4 {
			s.to = p.weeks - 3
			p.add(Plant{Kind: StaleStore, City: s.City, Banner: s.Banner, Stores: []int64{s.ID}, To: p.named(s.to)})
		}
	}
	if s := p.shop("wheatlark", "winnipeg"); s != nil && p.weeks >= 6 {
		s.frozen = p.weeks / 2
		p.add(Plant{Kind: FrozenFeed, City: s.City, Banner: s.Banner, Stores: []int64{s.ID}, From: p.named(s.frozen)})
	}
	p.uncertain()
}

// shop returns the last store of a banner that has another one in its city,
// and takes it; if the banner has none, that of another index banner.
func (p *planter) shop(banner, city string) *store {
	for _, any := range []bool{false, true} {
		for i := len(p.stores) - 1; i >= 0; i-- {
			s := &p.stores[i]
			fits := s.Banner == banner && (city == "" || s.City == city)
			if any {
				fits = p.chains[s.chain].InIndex
			}
			if fits && !p.busy[s] && len(p.siblings(s)) > 1 {
				p.busy[s] = true
				return s
			}
		}
	}
	return nil
}

// siblings returns the ids of the stores of the same banner in the same city.
func (p *planter) siblings(s *store) []int64 {
	return p.storesOf(func(t *store) bool { return t.chain == s.chain && t.city == s.city })
}

// uncertain marks stores whose location is not certain: all of two chains in
// one city each, and a few elsewhere.
func (p *planter) uncertain() {
	chains := []site{{"montreal", unplacedBanner}, {"halifax", "tillbrook"}}
	for i := range p.stores {
		s := &p.stores[i]
		here := site{s.City, s.Banner}
		switch {
		case slices.Contains(chains, here):
			s.LocationCertain = false
		case i%29 == 7 && s.Active && len(p.siblings(s)) > 1:
			s.LocationCertain = false
			p.add(Plant{Kind: UncertainStore, City: s.City, Banner: s.Banner, Stores: []int64{s.ID}})
		}
	}
	for _, c := range chains {
		ids := p.storesOf(func(s *store) bool { return s.Banner == c.banner && s.City == c.city })
		if len(ids) > 0 {
			p.add(Plant{Kind: UncertainChain, City: c.city, Banner: c.banner, Stores: ids})
		}
	}
}

// hasAccent reports whether a text would suffer from the wrong encoding.
func hasAccent(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}
