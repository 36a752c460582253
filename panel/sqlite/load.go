package sqlite

import (
	"context"
	"fmt"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/onefile"
)

// Load reads a snapshot into a panel. It opens the file read-only, leaves nothing
// open, and returns ErrChanged if the file is not as it was published.
//
// Every observation gets the verdict that the quality gate reaches with the
// snapshot's specs and quarantine entries (see panel.Gate).
func Load(ctx context.Context, db string) (*panel.Panel, error) {
	s, err := openSnapshot(db)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var p *panel.Panel
	if _, err = s.whileVerified(func() error { p, err = s.load(ctx); return err }); err != nil {
		return nil, err
	}
	return p, nil
}

// whileVerified checks the seal while the rows are read. The seal's error comes
// first: rows of a damaged file may be wrong in any way.
func (s *snapshot) whileVerified(read func() error) (sum hash, err error) {
	verified := make(chan error, 1)
	go func() {
		var err error
		sum, err = s.verify()
		verified <- err
	}()
	err = read()
	if e := <-verified; e != nil {
		return hash{}, e
	}
	if err != nil {
		return hash{}, onefile.Fail("load snapshot", s.path, err, "")
	}
	return sum, nil
}

func (s *snapshot) load(ctx context.Context) (*panel.Panel, error) {
	base, err := baseWeek(s.conn)
	if err != nil {
		return nil, err
	}
	b := panel.NewBuilder(base)
	if err := addReferences(s.conn, b); err != nil {
		return nil, err
	}
	screens, err := readScreens(s.conn)
	if err != nil {
		return nil, err
	}
	if _, err := countPacked(s.conn); err != nil {
		return nil, err
	}
	err = eachPacked(ctx, s.conn, false, func(rows []storedRow) error { return observeAll(b, screens, rows) })
	if err != nil {
		return nil, err
	}
	return b.Build()
}

func addReferences(c *conn, b *panel.Builder) (err error) {
	addAll(c, &err, products, b.AddProduct)
	addAll(c, &err, cities, b.AddCity)
	addAll(c, &err, banners, b.AddBanner)
	addAll(c, &err, stores, b.AddStore)
	addAll(c, &err, listings, func(m panel.Listing) error {
		// The file keeps the scraped text. Readers get it repaired.
		m.Name, m.Brand = panel.Repair(m.Name), panel.Repair(m.Brand)
		return b.AddListing(m)
	})
	addAll(c, &err, pilot, b.AddPilot)
	return err
}

func addAll[T any](c *conn, err *error, t *table[T], add func(T) error) {
	if *err != nil {
		return
	}
	var list []T
	list, *err = t.read(c)
	for _, v := range list {
		if *err == nil {
			*err = add(v)
		}
	}
}

// observeAll has the builder take in rows for the index.
func observeAll(b *panel.Builder, screens []*panel.Screen, rows []storedRow) error {
	for i := range rows {
		r := &rows[i]
		if r.label < 1 || r.label >= int64(len(screens)) {
			return fmt.Errorf("observation %d: no label %d", r.ID, r.label)
		}
		screen := screens[r.label]
		o := panel.Observation{
			ID: r.ID, Listing: screen.Listing, Store: r.Store, Effective: r.Effective,
			ObservedAt: r.ObservedAt, Verdict: screen.Verdict(r.Store, r.ID),
		}
		if err := b.Observe(&o); err != nil {
			return err
		}
	}
	return nil
}
