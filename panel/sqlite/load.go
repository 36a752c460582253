package sqlite

import (
	"cmp"
	"context"
	"fmt"

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

// LoadReferences reads a snapshot without its rows, in milliseconds: a panel of its products, places and
// settings. It does not check the seal, so nothing that is published may come from it.
func LoadReferences(db string) (*panel.Panel, error) {
	s, err := openSnapshot(db)
	if err != nil {
		return nil, err
	}
	defer s.close()
	r, b := &reader{conn: s.conn}, panel.NewBuilder(0)
	if addReferences(r, b); r.err != nil {
		return nil, atomicfile.Fail("load snapshot", db, r.err, "")
	}
	return b.Build()
}

// load reads a snapshot, its rows if it is to be whole.
func load(ctx context.Context, db string, whole bool, other *Contents) (*Contents, error) {
	s, err := openSnapshot(db)
	if err != nil {
		return nil, err
	}
	defer s.close()
	verified := make(chan error, 1)
	var hash string
	go func() {
		var err error
		hash, err = s.verify()
		verified <- err
	}()
	all := &Contents{}
	err = s.load(ctx, all, whole, other)
	// The seal's error comes first: rows of a damaged file may be wrong in any way.
	if err := <-verified; err != nil {
		return nil, err
	}
	if err != nil {
		return nil, atomicfile.Fail("load snapshot", s.path, err, "")
	}
	all.Info.Hash = hash
	return all, nil
}

func (s *snapshot) load(ctx context.Context, all *Contents, whole bool, other *Contents) (err error) {
	if all.Info, err = s.info(); err != nil {
		return err
	}
	r := &reader{conn: s.conn}
	all.Specs, all.Quarantine, all.Events = readAll(r, specs), readAll(r, quarantine), readAll(r, shrinkEvents)
	b := panel.NewBuilder(all.Info.BaseWeek)
	addReferences(r, b)
	gate := readGate(r, all.Specs, all.Quarantine)
	if r.err != nil {
		return r.err
	}
	labels, err := readLabels(s.conn)
	if err != nil {
		return err
	}
	gates := labelGates(gate, labels)
	if whole {
		err = s.loadRows(ctx, all, panel.NewRowsBuilder(gate), b, gates, other)
	} else {
		err = newIndexScanner().eachRun(ctx, func(run []storedRow) error { return observe(b, gates, run) }, s.conn, s.next)
	}
	if err != nil {
		return err
	}
	if all.Panel, err = b.Build(); err == nil {
		all.Info.Settings["base_week"] = all.Panel.BaseWeek().String()
	}
	return err
}

// loadRows reads the rows whole, for all and for the index.
func (s *snapshot) loadRows(ctx context.Context, all *Contents, rows *panel.RowsBuilder, b *panel.Builder,
	gates []*panel.LabelGate, other *Contents) error {
	scan, err := newScanner(s.conn)
	if err != nil {
		return err
	}
	if other != nil {
		rows.Share(other.Rows)
	}
	err = scan.eachRun(ctx, func(run []storedRow) error {
		var g errgroup.Group // the rows are kept while the index takes them in
		g.Go(func() error { return keepRows(rows, gates, run) })
		err := observe(b, gates, run)
		return cmp.Or(err, g.Wait())
	}, s.conn, s.next)
	if err != nil {
		return err
	}
	all.Rows = rows.Build()
	if n := all.Rows.Len(); n > 0 {
		all.Info.observed(n, all.Rows.UnixNano(0), all.Rows.UnixNano(n-1))
	}
	return nil
}

func readGate(r *reader, specs []basket.Spec, entries []panel.Quarantine) *panel.Gate {
	return panel.NewGate(readAll(r, products), readAll(r, stores), readAll(r, listings), specs, entries)
}

func labelGates(gate *panel.Gate, labels []panel.Label) []*panel.LabelGate {
	gates := make([]*panel.LabelGate, len(labels))
	for i, l := range labels {
		gates[i] = gate.ForLabel(l)
	}
	return gates
}

func addReferences(r *reader, b *panel.Builder) {
	readEach(r, settings, b.AddSetting)
	readEach(r, products, b.AddProduct)
	readEach(r, cities, b.AddCity)
	readEach(r, banners, b.AddBanner)
	readEach(r, stores, b.AddStore)
	readEach(r, listings, func(m panel.Listing) error {
		// The file keeps the scraped text. Readers get it repaired.
		m.Name, m.Brand = panel.Repair(m.Name), panel.Repair(m.Brand)
		return b.AddListing(m)
	})
	readEach(r, pilot, b.AddPilot)
	readEach(r, annotations, b.AddAnnotation)
	readEach(r, words, b.AddWord)
	readEach(r, matches, b.AddMatch)
}

// observe has the builder take in rows for the index.
func observe(b *panel.Builder, gates []*panel.LabelGate, rows []storedRow) error {
	for i := range rows {
		r := &rows[i]
		if r.label < 1 || r.label >= int64(len(gates)) {
			return fmt.Errorf("observation %d: no label %d", r.ID, r.label)
		}
		gate := gates[r.label]
		o := panel.Observation{
			ID: r.ID, Listing: gate.Listing, Store: r.Store, Effective: r.Effective,
			ObservedAt: r.ObservedAt, Verdict: gate.Judge(r.Store, r.ID, r.ObservedAt).Verdict,
		}
		if err := b.Observe(&o); err != nil {
			return err
		}
	}
	return nil
}

// keepRows has the builder take in whole rows.
func keepRows(b *panel.RowsBuilder, gates []*panel.LabelGate, rows []storedRow) error {
	for i := range rows {
		o := &rows[i]
		if err := o.check(len(gates)); err != nil {
			return err
		}
		o.Listing = gates[o.label].Listing
		if err := b.Add(gates[o.label], &o.Observation); err != nil {
			return err
		}
	}
	return nil
}
