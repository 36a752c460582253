package check

import "github.com/larder-index/larder/panel"

// The rule of FrozenFeed.
const (
	frozenMatched  = 10 // series that a comparison needs
	frozenWeekly   = 10 // one in so many may change in a week
	frozenFirst    = 20 // one in so many in the first one
	frozenWeeks    = 4  // that have the same prices
	frozenHistory  = 4  // earlier comparisons that make a store's own share
	frozenExpected = 10 // changes that should have been seen
	frozenShare    = 10 // one in so many of them may have been seen
)

// FrozenFeed is a store whose dates move while its prices don't: most likely a
// copy is collected again and again. The rule looks at the closed weeks in which
// the store was observed.
//
// Each week is compared with the one before. A series is matched when it has
// prices in both, and changed when its lowest or its highest price differs. A feed
// is frozen for the longest stretch of 3 comparisons or more, up to the newest
// week, in which
//
//   - at least 10 series are matched every time, and at most 1 in 10 of them
//     changed, 1 in 20 the first time;
//   - at least 10 changes were expected, and at most a tenth as many were seen.
//
// The expected changes of a week are the matched series times the lower of two
// shares: that of the changed series among those matched at the panel's other
// stores in that week, and the store's own in all weeks before the stretch. The
// second needs 4 comparisons; without them, no price at all may have changed. So
// the rule does not report a store that always moves slowly, nor a season in which
// nobody moves prices. Where both shares are unknown, nothing is reported.
type FrozenFeed struct {
	Store    int64      `json:"store_id"`
	Banner   string     `json:"banner"` // key
	City     string     `json:"city"`   // display name
	Since    panel.Week `json:"since"`
	To       panel.Week `json:"to"`
	Matched  int        `json:"matched"` // comparisons of a series with the week before
	Changed  int        `json:"changed"` // of these
	Expected float64    `json:"expected_changes"`
}

// share is changed series among matched ones.
type share struct{ matched, changed int }

func (s *share) add(c comparison) {
	s.matched += c.matched
	s.changed += c.changed
}

// frozen returns the frozen feeds by store.
func (c *collection) frozen() []FrozenFeed {
	weekly := map[panel.Week]share{}
	for i := range c.stores {
		for _, x := range c.stores[i].history {
			s := weekly[x.week]
			s.add(x)
			weekly[x.week] = s
		}
	}
	found := []FrozenFeed{}
	for i := range c.stores {
		s, id := &c.stores[i], c.Panel.Stores()[i].ID
		if f, ok := s.frozen(weekly); ok {
			f.Store, f.Banner, f.City = id, c.cells[s.cell].banner, c.cells[s.cell].city
			found = append(found, f)
		}
	}
	return found
}

// frozen applies the rule; weekly is over all stores.
func (s *storeSeen) frozen(weekly map[panel.Week]share) (FrozenFeed, bool) {
	others := make([]share, len(s.history))
	for i, x := range s.history {
		others[i] = weekly[x.week]
		others[i].matched -= x.matched
		others[i].changed -= x.changed
	}
	start := len(s.history)
	for start > 0 && s.history[start-1].still(frozenWeekly) {
		start--
	}
	var own share
	for _, x := range s.history[:start] {
		own.add(x)
	}
	for ; len(s.history)-start >= frozenWeeks-1; start++ {
		if s.history[start].still(frozenFirst) {
			if f, ok := s.stretch(start, own, others); ok {
				return f, true
			}
		}
		own.add(s.history[start])
	}
	return FrozenFeed{}, false
}

// stretch reports whether enough changes are missing from the comparison at
// start on. The store's own share is that before.
func (s *storeSeen) stretch(start int, own share, others []share) (FrozenFeed, bool) {
	known := start >= frozenHistory
	if !known {
		own = share{}
	}
	f := FrozenFeed{Since: s.history[start].before, To: s.week}
	for i, x := range s.history[start:] {
		f.Matched += x.matched
		f.Changed += x.changed
		f.Expected += expected(x.matched, others[start+i], own)
	}
	return f, f.Expected >= frozenExpected && float64(f.Changed*frozenShare) <= f.Expected && (known || f.Changed == 0)
}

// still reports whether enough series are matched and at most one in so many of
// them changed.
func (c comparison) still(oneIn int) bool {
	return c.matched >= frozenMatched && c.changed*oneIn <= c.matched
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
