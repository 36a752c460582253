package synth

import "slices"

const (
	lateCity    = "charlottetown"
	missingCity = "saskatoon"
)

// cities plants a late city, a city without a week, and the run-up.
func (p *planter) cities() {
	if late := p.storesOf(func(s *store) bool { return s.City == lateCity }); p.weeks >= 4 && len(late) > 0 {
		from := min(5, p.weeks/3)
		for _, s := range late {
			s.from, p.busy[s] = from, true
		}
		p.add(Plant{Kind: LateCity, City: lateCity, Stores: ids(late), From: p.base.Add(from)})
	}
	if gone := p.storesOf(func(s *store) bool { return s.City == missingCity }); p.weeks >= 3 && len(gone) > 0 {
		skip := 2 * p.weeks / 3
		for _, s := range gone {
			s.skip = skip
		}
		p.add(Plant{Kind: MissingWeek, City: missingCity, Stores: ids(gone), From: p.base.Add(skip), To: p.base.Add(skip)})
	}
	if early := p.storesOf(func(s *store) bool { return p.visited(s, -1) }); len(early) > 0 {
		p.add(Plant{Kind: RunUp, Stores: ids(early), From: p.base.Add(-1), To: p.base.Add(-1)})
	}
}

// banners records the phenomena that the country has by itself.
func (p *planter) banners() {
	for i, c := range p.Chains {
		stores := ids(p.storesOf(func(s *store) bool { return s.chain == i }))
		for _, k := range c.Kinds {
			x := Plant{Kind: k, Banner: c.Key, Stores: stores}
			if k == Legacy {
				x.From, x.To = p.base, p.base.Add(p.legacyWeeks()-1)
			}
			if len(stores) > 0 {
				p.add(x)
			}
		}
	}
}

// shops plants a closed store, stale stores and a frozen feed.
func (p *planter) shops() {
	if s := p.shop("ottermill", "toronto"); s != nil {
		s.Active, s.to = false, p.weeks/2
		x := s.plant(InactiveStore)
		x.To = p.base.Add(s.to)
		p.add(x)
	}
	for _, banner := range []string{"tidewren", "quartermoss"} {
		if s := p.shop(banner, ""); s != nil && p.weeks >= 4 {
			s.to = p.weeks - 3
			x := s.plant(StaleStore)
			x.To = p.base.Add(s.to)
			p.add(x)
		}
	}
	if s := p.shop("wheatlark", "winnipeg"); s != nil && p.weeks >= 6 {
		s.frozen = p.weeks / 2
		x := s.plant(FrozenFeed)
		x.From = p.base.Add(s.frozen)
		p.add(x)
	}
}

// shop takes the last free store of a banner with several stores in its city. Without
// a free one it takes a store of another index banner, or returns nil.
func (p *planter) shop(banner, city string) *store {
	for _, other := range []bool{false, true} {
		for i := len(p.stores) - 1; i >= 0; i-- {
			s := &p.stores[i]
			fits := s.Banner == banner && (city == "" || s.City == city)
			if other {
				fits = p.Chains[s.chain].InIndex
			}
			if fits && !p.busy[s] && p.siblings(s) > 1 {
				p.busy[s] = true
				return s
			}
		}
	}
	return nil
}

// siblings counts the stores of the same banner in the same city.
func (p *planter) siblings(s *store) int {
	return len(p.storesOf(func(t *store) bool { return t.chain == s.chain && t.city == s.city }))
}

// uncertain plants uncertain locations: all stores of two chains in one city
// each, and single stores elsewhere.
func (p *planter) uncertain() {
	chains := []site{{"montreal", "depotgris"}, {"halifax", "tillbrook"}}
	for i := range p.stores {
		s := &p.stores[i]
		switch {
		case slices.Contains(chains, site{s.City, s.Banner}):
			s.LocationCertain = false
		case i%29 == 7 && s.Active && p.siblings(s) > 1:
			s.LocationCertain = false
			p.add(s.plant(UncertainStore))
		}
	}
	for _, c := range chains {
		if list := p.storesOf(func(s *store) bool { return site{s.City, s.Banner} == c }); len(list) > 0 {
			p.add(Plant{Kind: UncertainChain, City: c.city, Banner: c.banner, Stores: ids(list)})
		}
	}
}
