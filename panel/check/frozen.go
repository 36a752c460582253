package check

import (
	"math"
	"time"

	"github.com/larder-index/larder/panel"
)

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

// FrozenFeed is a store whose dates move while its prices don't: most likely a copy is collected again
// and again. Each closed week is compared with the one before in which the store was observed. A series
// is matched when it has prices in both, and changed when its lowest or its highest price differs. A feed
// is frozen for the longest stretch of 3 comparisons or more, up to the newest week, in which
//
//   - at least 10 series are matched every time, and at most 1 in 10 of them changed, 1 in 20 the first time;
//   - at least 10 changes were expected, and at most a tenth as many were seen.
//
// The expected changes of a week are the matched series times the lower of two shares of changed series:
// that of the panel's other stores in that week, and the store's own in all weeks before the stretch. The
// second needs 4 comparisons; without them, no price at all may have changed. Where both are unknown,
// nothing is reported.
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

// storeSeen is the record of a store's collection.
type storeSeen struct {
	cell         *cellSeen // nil: the store is inactive
	last         time.Time
	week, before panel.Week // its two newest closed weeks with rows; 0: none yet
	now, was     weekPrices // in these weeks
	history      []comparison
}

// weekPrices are the lowest and the highest price of a store's series in a week, by place of
// the listing.
type weekPrices map[int32][2]panel.Price

// comparison is a store's week beside the one before in which it was observed.
type comparison struct {
	week, before panel.Week
	share
}

// share counts the series with prices in both weeks, and those of them whose prices
// are others.
type share struct{ matched, changed int }

func (s *share) add(t share) { s.matched, s.changed = s.matched+t.matched, s.changed+t.changed }

// rate returns the changed series of each matched one; +Inf if it is unknown.
func (s share) rate() float64 {
	if s.matched == 0 {
		return math.Inf(1)
	}
	return float64(s.changed) / float64(s.matched)
}

// still reports whether enough series are matched and at most one in so many of
// them changed.
func (s share) still(oneIn int) bool {
	return s.matched >= frozenMatched && s.changed*oneIn <= s.matched
}

func (s *storeSeen) collect(listing int32, price panel.Price, week panel.Week) {
	if s.week != week {
		s.compare()
		s.before, s.week = s.week, week
		if s.was, s.now = s.now, s.was; s.now == nil {
			s.now = weekPrices{}
		}
		clear(s.now)
	}
	x, ok := s.now[listing]
	if !ok {
		x = [2]panel.Price{price, price}
	}
	s.now[listing] = [2]panel.Price{min(x[0], price), max(x[1], price)}
}

// compare adds a store's newest week to its history, now that all of its rows
// are in.
func (s *storeSeen) compare() {
	if s.before == 0 {
		return
	}
	seen := comparison{week: s.week, before: s.before}
	for listing, prices := range s.now {
		if was, ok := s.was[listing]; ok {
			seen.matched++
			if prices != was {
				seen.changed++
			}
		}
	}
	s.history = append(s.history, seen)
}

func (c *collection) frozen() []FrozenFeed {
	weekly := map[panel.Week]share{}
	for _, s := range c.stores {
		for _, x := range s.history {
			x.share.add(weekly[x.week])
			weekly[x.week] = x.share
		}
	}
	found := []FrozenFeed{}
	for i, s := range c.stores {
		if f, ok := s.frozen(weekly); ok {
			f.Store, f.Banner, f.City = c.Stores()[i].ID, s.cell.Banner, s.cell.City
			found = append(found, f)
		}
	}
	return found
}

// frozen applies the rule; weekly is over all stores.
func (s *storeSeen) frozen(weekly map[panel.Week]share) (FrozenFeed, bool) {
	start := len(s.history)
	for start > 0 && s.history[start-1].still(frozenWeekly) {
		start--
	}
	for ; len(s.history)-start >= frozenWeeks-1; start++ {
		if s.history[start].still(frozenFirst) {
			if f, ok := s.stretch(start, weekly); ok {
				return f, true
			}
		}
	}
	return FrozenFeed{}, false
}

// stretch reports whether enough changes are missing from the comparison at
// start on.
func (s *storeSeen) stretch(start int, weekly map[panel.Week]share) (FrozenFeed, bool) {
	var own share
	if start >= frozenHistory {
		for _, x := range s.history[:start] {
			own.add(x.share)
		}
	}
	f := FrozenFeed{Since: s.history[start].before, To: s.week}
	for _, x := range s.history[start:] {
		others := weekly[x.week]
		others.add(share{-x.matched, -x.changed})
		f.Matched += x.matched
		f.Changed += x.changed
		if rate := min(others.rate(), own.rate()); !math.IsInf(rate, 1) {
			f.Expected += rate * float64(x.matched)
		}
	}
	return f, f.Expected >= frozenExpected && float64(f.Changed*frozenShare) <= f.Expected && (start >= frozenHistory || f.Changed == 0)
}
