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
	number int // of the release
	last   map[cellWeek]move
}

type cellWeek struct {
	cell jevons.Cell
	week panel.Week
}

// move is what a release did to a cell that had been published before.
type move struct {
	release     int
	level, cost int64 // ten-thousandths; 0 also for a cell that was withdrawn
	withdrawn   bool
}

// upTo returns the last revisions up to a release.
func (m *moves) upTo(log *releaselog.Log, number int) (map[cellWeek]move, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.number == number {
		return m.last, nil
	}
	last := maps.Clone(m.last) // others read it
	if last == nil || m.number > number {
		m.number, last = 0, map[cellWeek]move{}
	}
	err := log.EachChanges(m.number+1, number, func(r *releaselog.Release, changes []release.Change) error {
		for i := range changes {
			c := &changes[i]
			if c.Old == nil {
				continue
			}
			x := move{release: r.Number, withdrawn: c.New == nil}
			if c.New != nil {
				x.level, x.cost = c.New.Index.Units-c.Old.Index.Units, c.New.BasketCost.Units-c.Old.BasketCost.Units
			}
			if x.withdrawn || x.level != 0 || x.cost != 0 {
				last[cellWeek{c.Cell, c.Week}] = x
			}
		}
		return nil
	})
	if err == nil {
		m.number, m.last = number, last
	}
	return last, err
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
	found, newest := revision{}, 0
	for at := range f.behind(c.vintage.base) {
		x, moved := last[at]
		by := x.level
		if f.shown.view == jevons.ViewCost {
			by = x.cost
		}
		if !moved || by == 0 && !x.withdrawn || x.release < newest {
			continue
		}
		if x.release > newest {
			found, newest = revision{}, x.release
		}
		found.Values++
		if by = max(by, -by); by > found.Largest.Units {
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
