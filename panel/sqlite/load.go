package sqlite

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/panel"
	"golang.org/x/sync/errgroup"
)

// Load reads a snapshot into a panel. The file is opened read-only and must be
// byte for byte as it was published; nothing is left open.
//
// Every observation gets the verdict that the quality gate reaches with the
// snapshot's specs and quarantine entries (see panel.Gate).
func Load(ctx context.Context, db string) (*panel.Panel, error) {
	s, err := openSnapshot(db, loadConns)
	if err != nil {
		return nil, err
	}
	defer s.close()
	// The seal is checked while the rows are read. What is wrong with it comes
	// first: rows of a damaged file may be wrong in any way.
	verified := make(chan error, 1)
	go func() {
		_, err := s.verify()
		verified <- err
	}()
	p, err := s.load(ctx)
	if e := <-verified; e != nil {
		return nil, e
	}
	if err != nil {
		return nil, &fileError{"load snapshot", db, err, ""}
	}
	return p, nil
}

const (
	loadConns  = 2    // more don't help: adding to the builder takes its time too
	loadPieces = 64   // ranges of ids, for the connections to take in turn
	loadBatch  = 4096 // rows handed over at once
)

func (s *snapshot) load(ctx context.Context) (*panel.Panel, error) {
	base, err := baseWeek(s.conn[0])
	if err != nil {
		return nil, err
	}
	b := panel.NewBuilder(base)
	if err := addReferences(s.conn[0], b); err != nil {
		return nil, err
	}
	screens, err := readScreens(s.conn[0])
	if err != nil {
		return nil, err
	}
	if err := s.observe(ctx, b, screens); err != nil {
		return nil, err
	}
	return b.Build()
}

func addReferences(c *conn, b *panel.Builder) (err error) {
	addAll(c, &err, products, b.AddProduct)
	addAll(c, &err, cities, b.AddCity)
	addAll(c, &err, banners, b.AddBanner)
	addAll(c, &err, stores, b.AddStore)
	addAll(c, &err, mappings, func(m panel.Mapping) error {
		// The file keeps what was scraped; readers get what was meant.
		m.Name, m.Brand = panel.Repair(m.Name), panel.Repair(m.Brand)
		return b.AddMapping(m)
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

// priceRow is what the index needs of an observation.
type priceRow struct{ id, listing, store, effective, at int64 }

// priceColumns are the columns of a priceRow.
const priceColumns = "id, listing_id, store_id, effective_price, observed_at"

func scanPrice(r row) priceRow { return priceRow{r.int(0), r.int(1), r.int(2), r.int(3), r.int(4)} }

// observe reads the observations over all connections and adds them in one
// goroutine. The order they come in does not matter: the panel has its own.
func (s *snapshot) observe(ctx context.Context, b *panel.Builder, screens []*panel.Screen) error {
	bounds, err := splitIDs(s.conn[0])
	if err != nil {
		return err
	}
	full, free := make(chan []priceRow, 4*loadConns), make(chan []priceRow, 8*loadConns)
	for range cap(free) {
		free <- make([]priceRow, 0, loadBatch)
	}
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int32
	var readers sync.WaitGroup
	for _, c := range s.conn {
		readers.Add(1)
		g.Go(func() error {
			defer readers.Done()
			for {
				i := int(next.Add(1))
				if i >= len(bounds) {
					return nil
				}
				if err := readPrices(ctx, c, bounds[i-1], bounds[i], full, free); err != nil {
					return err
				}
			}
		})
	}
	g.Go(func() error {
		readers.Wait()
		close(full)
		return nil
	})
	g.Go(func() error {
		for rows := range full {
			if err := observeAll(b, screens, rows); err != nil {
				return err
			}
			free <- rows[:0]
		}
		return nil
	})
	return g.Wait()
}

func observeAll(b *panel.Builder, screens []*panel.Screen, rows []priceRow) error {
	for i := range rows {
		r := &rows[i]
		if r.listing < 1 || r.listing >= int64(len(screens)) {
			return fmt.Errorf("observation %d: no listing %d", r.id, r.listing)
		}
		screen := screens[r.listing]
		o := panel.Observation{
			ID: r.id, Mapping: screen.Mapping, Store: r.store, Effective: panel.Price(r.effective),
			ObservedAt: time.Unix(0, r.at), Verdict: screen.Verdict(r.store, r.id),
		}
		if err := b.Observe(&o); err != nil {
			return err
		}
	}
	return nil
}

// splitIDs returns the bounds of ranges that cover all ids: each is from above
// one bound up to the next, included.
func splitIDs(c *conn) (bounds []int64, err error) {
	low, err := c.int("SELECT min(id) FROM observations")
	if err != nil {
		return nil, err
	}
	high, err := c.int("SELECT max(id) FROM observations")
	if err != nil || high == 0 {
		return nil, err
	}
	step := (high-low)/loadPieces + 1
	bounds = append(bounds, low-1)
	for at := low - 1; at < high; {
		at += min(step, high-at)
		bounds = append(bounds, at)
	}
	return bounds, nil
}

// readPrices reads the observations with ids above one bound up to the other.
func readPrices(ctx context.Context, c *conn, above, to int64, full chan<- []priceRow, free <-chan []priceRow) error {
	const query = "SELECT " + priceColumns + " FROM observations WHERE id > ? AND id <= ?"
	var rows []priceRow
	hand := func() error {
		select {
		case full <- rows:
			rows = nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := c.each(query, func(r row) error {
		if rows == nil {
			select {
			case rows = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		rows = append(rows, scanPrice(r))
		if len(rows) < loadBatch {
			return nil
		}
		return hand()
	}, above, to)
	if err != nil || len(rows) == 0 {
		return err
	}
	return hand()
}
