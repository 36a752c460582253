package sqlite

import (
	"context"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Contents is a whole snapshot in memory.
type Contents struct {
	Info       Info
	Panel      *panel.Panel // what the index needs
	Rows       *panel.Rows  // every observation, judged
	Specs      []basket.Spec
	Quarantine []panel.Quarantine // by id
	Events     []panel.ShrinkEvent
}

// LoadAll reads a snapshot whole: what Load reads, every column of every
// observation, and the records that the index does not need. All of it is of
// one and the same file, whatever is published meanwhile; nothing is left open.
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
	gate, err := readGate(c)
	if err != nil {
		return err
	}
	listings, err := readListings(c)
	if err != nil {
		return err
	}
	screens := screensOf(gate, listings)
	count, err := countPacked(c)
	if err != nil {
		return err
	}
	rows := panel.NewRowsBuilder(count)
	err = eachStored(ctx, c, func(batch []storedRow) error {
		for i := range batch {
			o, err := batch[i].observation(listings)
			if err != nil {
				return err
			}
			screen := screens[batch[i].listing]
			o.Verdict = screen.Verdict(o.Store, o.ID)
			if err := b.Observe(&o); err != nil {
				return err
			}
			rows.Add(screen, &o)
		}
		return nil
	})
	if err != nil {
		return err
	}
	all.Rows = rows.Build()
	all.Panel, err = b.Build()
	return err
}
