package prepared

import (
	"context"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
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
	after := c.New
	if after == nil {
		after = &jevons.Row{}
	}
	at := CellWeek{c.Cell, c.Week}
	moves := last[at]
	for i, x := range [][2]panel.Fixed{{c.Old.Index, after.Index}, {c.Old.BasketCost, after.BasketCost}} {
		if !x[0].Valid || x[0] == x[1] {
			continue
		}
		moves[i] = Move{Release: number}
		if x[1].Valid {
			moves[i].By = x[1].Units - x[0].Units
		}
		last[at] = moves
	}
}
