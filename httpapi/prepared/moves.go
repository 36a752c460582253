package prepared

import (
	"maps"
	"sync"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

// moves are the last revisions of all cells, up to one release. It is safe for concurrent use.
type moves struct {
	mu     sync.Mutex
	number int                  // of the release
	last   map[CellWeek][2]Move // of the level and of the basket cost
}

// CellWeek names a figure: a cell in a week.
type CellWeek struct {
	Cell jevons.Cell
	Week panel.Week
}

// Move is the change of a published figure by a release.
type Move struct {
	Release int
	By      int64 // ten-thousandths; 0 for one that was withdrawn
}

// upTo returns the last revisions up to a release.
func (m *moves) upTo(log *releaselog.Log, number int) (map[CellWeek][2]Move, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.number == number {
		return m.last, nil
	}
	last := maps.Clone(m.last) // others read it
	if last == nil || m.number > number {
		m.number, last = 0, map[CellWeek][2]Move{}
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
func addMove(last map[CellWeek][2]Move, number int, c *release.Change) {
	if c.Old == nil {
		return
	}
	var level, cost panel.Fixed
	if c.New != nil {
		level, cost = c.New.Index, c.New.BasketCost
	}
	at := CellWeek{c.Cell, c.Week}
	x := last[at]
	x[0].to(number, c.Old.Index, level)
	x[1].to(number, c.Old.BasketCost, cost)
	if x != [2]Move{} {
		last[at] = x
	}
}

// to notes what a release made of a figure.
func (m *Move) to(release int, before, after panel.Fixed) {
	switch {
	case !before.Valid || before == after:
	case !after.Valid:
		*m = Move{Release: release}
	default:
		*m = Move{release, after.Units - before.Units}
	}
}
