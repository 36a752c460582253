package panel

// The rule of FrozenFeed.
const (
	frozenMatched  = 10 // series that a week needs to be judged
	frozenWeekly   = 20 // one in so many may change in a week
	frozenWeeks    = 4  // that have the same prices
	frozenHistory  = 4  // earlier comparisons that make a store's own share
	frozenExpected = 10 // changes that should have been seen
	frozenShare    = 10 // one in so many of them may have been seen
)

// FrozenFeed is a store whose dates move while its prices don't: most likely a
// copy is collected again and again. The rule, over the closed weeks in which
// the store was observed:
//
// Each week is compared with the one before. A series is matched when it has
// prices in both, and changed when its lowest or its highest price is another.
// Going back from the newest week as long as at least 10 series are matched and
// at most 1 in 20 of them changed, there must be 3 comparisons: 4 weeks with the
// same prices.
//
// In these, at least 10 changes must have been expected, and no more than a tenth
// as many seen. Expected are, week by week, the matched series times the
// lower of two shares: the changed series among those matched at the panel's
// other stores in that week, and the same at the store itself in all earlier
// weeks if it has 4 comparisons there. So neither a store that always moves
// slowly nor a season in which nobody moves prices is taken for frozen. Where
// both shares are unknown, nothing is reported.
//
// Not every change must be missing because a feed may be live in places.
type FrozenFeed struct {
	Store        int64  // id
	Banner, City string // key; display name
	Since, To    Week   // first and last week with the same prices
	Matched      int    // comparisons of a series with the week before
	Changed      int    // of these
	Expected     float64
}

// share is changed series among matched ones.
type share struct{ matched, changed int }

func (s *share) add(c comparison) {
	s.matched += c.matched
	s.changed += c.changed
}

func (c *collection) frozen() []FrozenFeed {
	weekly := map[Week]share{}
	for i := range c.stores {
		for _, x := range c.stores[i].history {
			s := weekly[x.week]
			s.add(x)
			weekly[x.week] = s
		}
	}
	var found []FrozenFeed
	for i := range c.stores {
		s, id := &c.stores[i], c.Panel.stores[i].ID
		if f, ok := s.frozen(weekly); ok {
			f.Store, f.Banner, f.City = id, c.cells[s.cell].banner, c.cells[s.cell].city
			found = append(found, f)
		}
	}
	return found
}

// frozen applies the rule; weekly is over all stores.
func (s *storeSeen) frozen(weekly map[Week]share) (FrozenFeed, bool) {
	start := len(s.history)
	for start > 0 && s.history[start-1].still() {
		start--
	}
	spell := s.history[start:]
	if len(spell) < frozenWeeks-1 {
		return FrozenFeed{}, false
	}
	var own share // unknown without enough history
	if start >= frozenHistory {
		for _, x := range s.history[:start] {
			own.add(x)
		}
	}
	f := FrozenFeed{Since: spell[0].before, To: s.week}
	for _, x := range spell {
		f.Matched += x.matched
		f.Changed += x.changed
		others := weekly[x.week]
		others.matched -= x.matched
		others.changed -= x.changed
		f.Expected += expected(x.matched, others, own)
	}
	return f, f.Expected >= frozenExpected && float64(f.Changed*frozenShare) <= f.Expected
}

func (c comparison) still() bool {
	return c.matched >= frozenMatched && c.changed*frozenWeekly <= c.matched
}

// expected returns how many of a number of series should have changed, going by
// the lowest known share.
func expected(matched int, shares ...share) float64 {
	lowest, known := 0.0, false
	for _, s := range shares {
		if s.matched == 0 {
			continue
		}
		if x := float64(s.changed) / float64(s.matched); !known || x < lowest {
			lowest, known = x, true
		}
	}
	return lowest * float64(matched)
}
