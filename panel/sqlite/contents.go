package sqlite

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Contents is a whole snapshot in memory.
type Contents struct {
	Info       Info
	Panel      *panel.Panel // for the index, as from Load
	Rows       *panel.Rows  // every observation, judged
	Specs      []basket.Spec
	Quarantine []panel.Quarantine // by id
	Events     []panel.ShrinkEvent
}

// LoadAll reads a snapshot whole: the panel of Load, every column of every
// observation, and the records that the index does not need. All of it comes
// from one file, even if another is published meanwhile. LoadAll leaves nothing
// open.
func LoadAll(ctx context.Context, db string) (*Contents, error) {
	s, err := openSnapshot(db)
	if err != nil {
		return nil, err
	}
	defer s.close()
	all := &Contents{}
	sum, err := s.whileVerified(func() error { return s.loadAll(ctx, all) })
	if err != nil {
		return nil, err
	}
	all.Info.Hash = sum.String()
	return all, nil
}

func (s *snapshot) loadAll(ctx context.Context, all *Contents) (err error) {
	if all.Info, err = s.info(); err != nil {
		return err
	}
	c := s.conn
	if all.Specs, err = specs.read(c); err != nil {
		return err
	}
	if all.Quarantine, err = quarantine.read(c); err != nil {
		return err
	}
	if all.Events, err = shrinkEvents.read(c); err != nil {
		return err
	}
	b := panel.NewBuilder(all.Info.BaseWeek)
	if err := addReferences(c, b); err != nil {
		return err
	}
	gate, err := gateOf(c, all.Specs, all.Quarantine)
	if err != nil {
		return err
	}
	labels, err := readLabels(c)
	if err != nil {
		return err
	}
	screens := screensOf(gate, labels)
	count, err := countPacked(c)
	if err != nil {
		return err
	}
	rows := keeper{rows: panel.NewRowsBuilder(count), screens: screens, places: make([]int, len(screens))}
	err = eachPacked(ctx, c, true, func(batch []storedRow) error {
		var g errgroup.Group // the rows are kept while the index takes them in
		g.Go(func() error { return rows.keep(batch) })
		err := observeAll(b, screens, batch)
		if kept := g.Wait(); err == nil {
			err = kept
		}
		return err
	})
	if err != nil {
		return err
	}
	all.Rows = rows.rows.Build()
	all.Panel, err = b.Build()
	return err
}

// keeper collects whole rows.
type keeper struct {
	rows    *panel.RowsBuilder
	screens []*panel.Screen
	places  []int // of the labels among those of the rows, from 1; 0: not there yet
}

func (k *keeper) keep(batch []storedRow) error {
	for i := range batch {
		o := &batch[i]
		if err := o.check(len(k.screens)); err != nil {
			return err
		}
		place := &k.places[o.label]
		if *place == 0 {
			*place = 1 + k.rows.Label(k.screens[o.label])
		}
		k.rows.Add(*place-1, &o.Observation)
	}
	return nil
}
