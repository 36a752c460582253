package prepared

import (
	"context"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

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

// LastMoves returns the last revision of every cell, up to the release in service: of its level
// and of its basket cost.
func (l *Releases) LastMoves(ctx context.Context, inService *Served) (map[CellWeek][2]Move, error) {
	number := len(l.UpTo(inService))
	return get(ctx, l.made, made{"moves", number}, func() (map[CellWeek][2]Move, int, error) {
		last := map[CellWeek][2]Move{}
		err := l.log.Load().EachChanges(1, number, func(r *releaselog.Release, changes []release.Change) error {
			for i := range changes {
				addMove(last, r.Number, &changes[i])
			}
			return nil
		})
		return last, len(last), err
	})
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
