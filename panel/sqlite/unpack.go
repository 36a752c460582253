package sqlite

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// eachPacked reads the packed observations in order of id, and calls take with
// those of one row of the table after the other, in another goroutine. take must
// not keep them.
func eachPacked[T any](ctx context.Context, c *conn, columns string, unpack func(list []T, r row, n int) ([]T, error), take func(rows []T) error) error {
	const ahead = 4
	full, free := make(chan []T, ahead), make(chan []T, ahead+1)
	for range cap(free) {
		free <- make([]T, 0, packedRows)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(full)
		return c.each("SELECT last_id, rows, "+columns+" FROM packed ORDER BY last_id", func(r row) error {
			var list []T
			select {
			case list = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
			n := r.int(1)
			if n < 1 || n > packedRows {
				return fmt.Errorf("%w: %d rows up to id %d", errPacked, n, r.int(0))
			}
			list, err := unpack(list[:0], r, int(n))
			if err != nil {
				return fmt.Errorf("%w: those up to id %d", err, r.int(0))
			}
			select {
			case full <- list:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	g.Go(func() error {
		for rows := range full {
			if err := take(rows); err != nil {
				return err
			}
			free <- rows
		}
		return nil
	})
	return g.Wait()
}

// countPacked returns how many observations are packed. It believes no number that
// the blobs have no room for, and makes sure that the last observation is packed.
func countPacked(c *conn) (count int, err error) {
	const least = 5 // bytes of an observation in prices
	err = c.each("SELECT sum(rows), max(rows), min(rows), sum(length(prices)), max(last_id), (SELECT max(id) FROM observations) FROM packed", func(r row) error {
		if r.int(1) > packedRows || r.int(2) < 0 || r.int(0) > r.int(3)/least || r.null(4) != r.null(5) || r.int(4) != r.int(5) {
			return fmt.Errorf("%w: %d up to id %d, of those up to %d", errPacked, r.int(0), r.int(4), r.int(5))
		}
		count = int(r.int(0))
		return nil
	})
	return count, err
}

// eachPrice calls take with what the index needs of all observations.
func eachPrice(ctx context.Context, c *conn, take func(rows []priceRow) error) error {
	return eachPacked(ctx, c, "prices", func(list []priceRow, r row, n int) ([]priceRow, error) {
		return unpackPrices(list, r.blob(2), n)
	}, take)
}

// eachStored calls take with all that is stored of all observations.
func eachStored(ctx context.Context, c *conn, take func(rows []storedRow) error) error {
	prices := make([]priceRow, 0, packedRows)
	return eachPacked(ctx, c, "prices, rest", func(list []storedRow, r row, n int) (_ []storedRow, err error) {
		if prices, err = unpackPrices(prices[:0], r.blob(2), n); err != nil {
			return nil, err
		}
		for i := range prices {
			list = append(list, storedRow{priceRow: prices[i]})
		}
		return list, unpackRest(list, r.blob(3))
	}, take)
}
