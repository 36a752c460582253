package sqlite

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

const (
	loadConns  = 2    // more don't help: taking the rows takes its time too
	loadPieces = 64   // ranges of ids, for the connections to take in turn
	loadBatch  = 4096 // rows handed over at once
)

// readPieces reads the given columns of all observations over all connections,
// and calls take with a batch of scanned rows at a time, in one goroutine. The
// order they come in is any; take must not keep the batch.
func readPieces[T any](ctx context.Context, s *snapshot, columns string, scan func(r row) (T, error), take func(rows []T) error) error {
	bounds, err := splitIDs(s.conn[0])
	if err != nil {
		return err
	}
	p := &pieces[T]{
		query: "SELECT " + columns + " FROM observations WHERE id > ? AND id <= ?", scan: scan,
		full: make(chan []T, 4*loadConns), free: make(chan []T, 8*loadConns),
	}
	for range cap(p.free) {
		p.free <- make([]T, 0, loadBatch)
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
				if err := p.read(ctx, c, bounds[i-1], bounds[i]); err != nil {
					return err
				}
			}
		})
	}
	g.Go(func() error {
		readers.Wait()
		close(p.full)
		return nil
	})
	g.Go(func() error {
		for rows := range p.full {
			if err := take(rows); err != nil {
				return err
			}
			p.free <- rows[:0]
		}
		return nil
	})
	return g.Wait()
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

// pieces hands batches from the goroutines that read to the one that takes.
type pieces[T any] struct {
	query      string
	scan       func(r row) (T, error)
	full, free chan []T
}

// read reads the observations with ids above one bound up to the other.
func (p *pieces[T]) read(ctx context.Context, c *conn, above, to int64) error {
	var rows []T
	hand := func() error {
		select {
		case p.full <- rows:
			rows = nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := c.each(p.query, func(r row) error {
		if rows == nil {
			select {
			case rows = <-p.free:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		x, err := p.scan(r)
		if err != nil {
			return err
		}
		rows = append(rows, x)
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
