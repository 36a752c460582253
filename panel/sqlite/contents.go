package sqlite

import (
	"context"
	"strings"

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
	s, err := openSnapshot(db, loadConns)
	if err != nil {
		return nil, err
	}
	defer s.close()
	sum, err := s.verify()
	if err != nil {
		return nil, err
	}
	all := &Contents{}
	if all.Info, err = s.info(sum); err != nil {
		return nil, err
	}
	if err := s.loadAll(ctx, all); err != nil {
		return nil, &fileError{"load snapshot", db, err, ""}
	}
	return all, nil
}

func (s *snapshot) loadAll(ctx context.Context, all *Contents) (err error) {
	c := s.conn[0]
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
	count, err := c.int("SELECT count(*) FROM observations")
	if err != nil {
		return err
	}
	rows := panel.NewRowsBuilder(int(count))
	err = readPieces(ctx, s, strings.Join(obsColumns, ", "), func(r row) (fullRow, error) {
		o, err := scanObservation(r, listings)
		return fullRow{o, r.int(1)}, err
	}, func(batch []fullRow) error {
		for i := range batch {
			o := &batch[i].Observation
			screen := screens[batch[i].listing]
			o.Verdict = screen.Verdict(o.Store, o.ID)
			if err := b.Observe(o); err != nil {
				return err
			}
			rows.Add(screen, o)
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

// fullRow is an observation with the id of its listing.
type fullRow struct {
	panel.Observation
	listing int64
}
