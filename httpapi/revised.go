package httpapi

import (
	"maps"
	"sync"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/releaselog"
	"github.com/larder-index/larder/panel"
)

// moves are the last revisions of all cells, up to one release. It is safe for concurrent use.
type moves struct {
	mu     sync.Mutex
	number int                  // of the release
	last   map[cellWeek][2]move // of the level and of the basket cost
}

type cellWeek struct {
	cell jevons.Cell
	week panel.Week
}

// move is what a release did to a figure that had been published before.
type move struct {
	release int
	by      int64 // ten-thousandths; 0 for one that was withdrawn
}

// upTo returns the last revisions up to a release.
func (m *moves) upTo(log *releaselog.Log, number int) (map[cellWeek][2]move, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.number == number {
		return m.last, nil
	}
	last := maps.Clone(m.last) // others read it
	if last == nil || m.number > number {
		m.number, last = 0, map[cellWeek][2]move{}
	}
	err := log.EachChanges(m.number+1, number, func(r *releaselog.Release, changes []release.Change) error {
		for i := range changes {
			addMove(last, r.Number, &changes[i])
		}
		return nil
	})
	if err == nil {
		m.number, m.last = number, last
	}
	return last, err
}

// addMove adds what a release did to a cell. A release that moves only one of its figures
// leaves the last revision of the other.
func addMove(last map[cellWeek][2]move, number int, c *release.Change) {
	if c.Old == nil {
		return
	}
	var level, cost panel.Fixed
	if c.New != nil {
		level, cost = c.New.Index, c.New.BasketCost
	}
	at := cellWeek{c.Cell, c.Week}
	x := last[at]
	x[0].to(number, c.Old.Index, level)
	x[1].to(number, c.Old.BasketCost, cost)
	if x != [2]move{} {
		last[at] = x
	}
}

// to notes what a release made of a figure.
func (m *move) to(release int, before, after panel.Fixed) {
	switch {
	case !before.Valid || before == after:
	case !after.Valid:
		*m = move{release: release}
	default:
		*m = move{release, after.Units - before.Units}
	}
}

// revision is the last release that moved what a figure shows.
type revision struct {
	Release wire.ReleaseRef
	Values  int         // that it moved or withdrew
	Largest panel.Fixed // move, in index points or dollars; null if all were withdrawn
}

// lastRevision finds the last release that moved a live figure. It is nil for a frozen figure,
// for one that no release has moved, and without a release log.
func (s *Server) lastRevision(c *call, f *figure) (*revision, error) {
	if f.asOf != "" || c.vintage.ref == nil {
		return nil, nil
	}
	all := s.Snapshots.releases.upTo(c.served)
	last, err := s.Snapshots.releases.moves.upTo(s.Snapshots.releases.log.Load(), len(all))
	if err != nil {
		return nil, err
	}
	found, newest, measure := revision{}, 0, 0
	if f.shown.view == jevons.ViewCost {
		measure = 1
	}
	for at := range f.behind(c.vintage.base) {
		x := last[at][measure]
		if x.release == 0 || x.release < newest {
			continue
		}
		if x.release > newest {
			found, newest = revision{}, x.release
		}
		found.Values++
		if by := max(x.by, -x.by); by > found.Largest.Units {
			found.Largest = panel.FixedOf(by)
		}
	}
	if newest == 0 {
		return nil, nil
	}
	found.Release = wire.ReleaseRef{ID: all[newest-1].ID(), ReleasedAt: all[newest-1].At}
	return &found, nil
}

// behind returns the cells that the figure's values are made of: those of its weeks, and those
// that they are compared with.
func (f *figure) behind(base panel.Week) map[cellWeek]bool {
	all := map[cellWeek]bool{}
	for _, cell := range f.cells {
		for week := base; week <= f.end; week = week.Add(1) {
			if week.Date() < f.from {
				continue
			}
			all[cellWeek{cell, week}] = true
			all[cellWeek{cell, week.Add(-f.shown.view.Weeks())}] = true
		}
		if f.shown.since != 0 {
			all[cellWeek{cell, f.shown.since}] = true
		}
	}
	return all
}
