package figure

import (
	"context"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// revision is the last release that moved what a figure shows.
type revision struct {
	Release wire.ReleaseRef
	Values  int         // that it moved or withdrew
	Largest panel.Fixed // move, in index points or dollars; null if all were withdrawn
}

// lastRevision finds the last release that moved a live figure. It is nil for a frozen figure,
// for one that no release has moved, and without a release log.
func (f *Figure) lastRevision() (*revision, error) {
	if f.AsOf != "" || f.Vintage.Ref == nil {
		return nil, nil
	}
	all := f.Releases.UpTo(f.Served)
	last, err := f.Releases.LastMoves(context.Background(), f.Served)
	if err != nil {
		return nil, err
	}
	found, newest, measure := revision{}, 0, 0
	if f.shown.View == table.ViewCost {
		measure = 1
	}
	for at := range f.behind(f.Vintage.Base) {
		x := last[at][measure]
		if x.Release == 0 || x.Release < newest {
			continue
		}
		if x.Release > newest {
			found, newest = revision{}, x.Release
		}
		found.Values++
		if by := max(x.By, -x.By); by > found.Largest.Units {
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
func (f *Figure) behind(base panel.Week) map[prepared.CellWeek]bool {
	all := map[prepared.CellWeek]bool{}
	for _, cell := range f.cells {
		for week := base; week <= f.end; week = week.Add(1) {
			if week.Date() < f.from {
				continue
			}
			all[prepared.CellWeek{Cell: cell, Week: week}] = true
			all[prepared.CellWeek{Cell: cell, Week: week.Add(-f.shown.View.Weeks())}] = true
		}
		if f.shown.Since != 0 {
			all[prepared.CellWeek{Cell: cell, Week: f.shown.Since}] = true
		}
	}
	return all
}
