package sqlite

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/atomicfile"
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

// Load reads a snapshot into a panel. It opens the file read-only, leaves nothing
// open, and returns ErrChanged if the file is not as it was published.
//
// Every observation gets the verdict that the quality gate reaches with the
// snapshot's specs and quarantine entries (see panel.Gate).
func Load(ctx context.Context, db string) (*panel.Panel, error) {
	all, err := load(ctx, db, false, nil)
	if err != nil {
		return nil, err
	}
	return all.Panel, nil
}

// LoadAll reads a snapshot whole: the panel of Load, every column of every
// observation, and the records that the index does not need. All of it comes
// from one file, even if another is published meanwhile. LoadAll leaves nothing
// open.
func LoadAll(ctx context.Context, db string) (*Contents, error) { return LoadBeside(ctx, db, nil) }

// LoadBeside is LoadAll. The rows share memory with those of another snapshot where both have
// the same, as a snapshot has with the one before it. other may be nil.
func LoadBeside(ctx context.Context, db string, other *Contents) (*Contents, error) {
	return load(ctx, db, true, other)
}

// load reads a snapshot, its rows if it is to be whole.
func load(ctx context.Context, db string, whole bool, other *Contents) (*Contents, error) {
	s, err := openSnapshot(db)
	if err != nil {
		return nil, err
	}
	defer s.close()
	all, sealed := &Contents{}, errgroup.Group{}
	hash := ""
	sealed.Go(func() (err error) {
		hash, err = s.verify()
		return err
	})
	err = s.load(ctx, all, whole, other)
	// The seal's error comes first: rows of a damaged file may be wrong in any way.
	if err := sealed.Wait(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, atomicfile.Fail("load snapshot", s.path, err, "")
	}
	all.Info.Hash = hash
	return all, nil
}

func (s *snapshot) load(ctx context.Context, all *Contents, whole bool, other *Contents) error {
	c := s.conn
	_, base, err := readSettings(c)
	if err != nil {
		return err
	}
	all.Specs, all.Quarantine, all.Events = specs.read(c), quarantine.read(c), shrinkEvents.read(c)
	in := intake{index: panel.NewBuilder(base)}
	addReferences(c, in.index)
	gate := readGate(c, all.Specs, all.Quarantine)
	labels, scan := readLabels(c), newScanner(c, forIndex...)
	if whole {
		in.rows = panel.NewRowsBuilder(gate)
		if other != nil {
			in.rows.Share(other.Rows)
		}
		scan = newScanner(c)
	}
	if c.err != nil {
		return c.err
	}
	in.gates = labelGates(gate, labels)
	if err := scan.eachRun(ctx, in.take, c, s.next); err != nil {
		return err
	}
	if all.Panel, err = in.index.Build(); err != nil || !whole {
		return err
	}
	all.Rows = in.rows.Build()
	var first, last int64
	if n := all.Rows.Len(); n > 0 {
		first, last = all.Rows.UnixNano(0), all.Rows.UnixNano(n-1)
	}
	all.Info, err = s.info(int64(all.Rows.Len()), first, last)
	if err == nil {
		all.Info.Settings["base_week"] = all.Panel.BaseWeek().String()
	}
	return err
}

// intake takes in rows for the index and, if rows is set, whole.
type intake struct {
	index *panel.Builder
	rows  *panel.RowsBuilder
	gates []*panel.LabelGate // by the labels' ids
}

func (in *intake) take(run []storedRow) error {
	for i := range run {
		o := &run[i]
		if err := o.check(len(in.gates)); err != nil {
			return err
		}
		gate := in.gates[o.label]
		o.Listing = gate.Listing
		o.Verdict = gate.Judge(o.Store, o.ID, o.ObservedAt).Verdict
		if err := in.index.Observe(&o.Observation); err != nil {
			return err
		}
		if in.rows == nil {
			continue
		}
		if err := in.rows.Add(gate, &o.Observation); err != nil {
			return err
		}
	}
	return nil
}

func readGate(c *conn, specs []basket.Spec, entries []panel.Quarantine) *panel.Gate {
	return panel.NewGate(readCalendar(c), products.read(c), stores.read(c), listings.read(c), specs, entries)
}

// readCalendar returns the calendar of the settings.
func readCalendar(c *conn) (calendar panel.Calendar) {
	settings.each(c, func(s panel.Setting) (err error) {
		if s.Key == "time_zone" {
			calendar, err = panel.NewCalendar(s.Value)
		}
		return err
	})
	return calendar
}

func labelGates(gate *panel.Gate, labels []panel.Label) []*panel.LabelGate {
	gates := make([]*panel.LabelGate, len(labels))
	for i, l := range labels {
		gates[i] = gate.ForLabel(l)
	}
	return gates
}

func addReferences(c *conn, b *panel.Builder) {
	settings.each(c, b.AddSetting)
	if list := categories.read(c); list != nil && c.err == nil {
		c.err = b.AddCategories(list)
	}
	products.each(c, b.AddProduct)
	cities.each(c, b.AddCity)
	banners.each(c, b.AddBanner)
	stores.each(c, b.AddStore)
	listings.each(c, func(m panel.Listing) error {
		// The file keeps the scraped text. Readers get it repaired.
		m.Name, m.Brand = panel.Repair(m.Name), panel.Repair(m.Brand)
		return b.AddListing(m)
	})
	pilot.each(c, b.AddPilot)
	words.each(c, b.AddWord)
	matches.each(c, b.AddMatch)
}
