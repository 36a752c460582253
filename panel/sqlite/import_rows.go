package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/larder-index/larder/panel/csvdir"
)

// refusal is an error that rejects a row; other errors end the import.
type refusal string

func (r refusal) Error() string { return string(r) }

// followed is a refusal of a row that refers to a rejected one.
type followed string

func (f followed) Error() string { return string(f) }

func refuse(format string, a ...any) error { return refusal(fmt.Sprintf(format, a...)) }

// batch is a run of rows of a file on the way from the goroutine that reads them
// to the one that stores them.
type batch[T any] struct {
	rows    []fileRow[T]
	rejects []csvdir.Reject
	bad     []T // the records of the rejects, as far as they could be read
	offset  int64
}

type fileRow[T any] struct {
	record T
	line   int
	text   string // of the row in the file
}

const batchRows = 512

// eachRow reads a file and calls f for every good row. A refusal of f rejects
// the row; any other error ends the import. prepare changes a row in the goroutine that reads.
// eachRow calls lost with every rejected row, as far as it could be read.
func eachRow[T any](im *importer, file *csvdir.Table[T], name string, prepare, lost func(v *T), f func(c *Counts, v *T) error) error {
	r, err := csvdir.Read(im.dir, file)
	if err != nil {
		return err
	}
	defer r.Close()
	c, columns := im.count(name), file.Columns()
	err = relay(im.ctx, func(swap func(batch[T]) (batch[T], error)) error {
		var b batch[T]
		for more := true; more; {
			b.rows, b.rejects, b.bad = b.rows[:0], b.rejects[:0], b.bad[:0]
			more = b.fill(r, prepare)
			var err error
			if b, err = swap(b); err != nil {
				return err
			}
		}
		return r.Err()
	}, func(b batch[T]) error {
		im.report(im.done + b.offset)
		return b.take(im, c, r.File(), columns, lost, f)
	})
	im.done += r.Offset()
	return err
}

// fill reads the next rows. It returns false at the end of the file or at an
// error.
func (b *batch[T]) fill(r *csvdir.Reader[T], prepare func(v *T)) bool {
	for len(b.rows) < batchRows && len(b.rejects) < batchRows && r.Next() {
		if reject := r.Reject(); reject != nil {
			b.rejects, b.bad = append(b.rejects, *reject), append(b.bad, *r.Record())
			continue
		}
		b.rows = append(b.rows, fileRow[T]{*r.Record(), r.Line(), r.Text()})
		prepare(&b.rows[len(b.rows)-1].record)
	}
	b.offset = r.Offset()
	return len(b.rows) == batchRows || len(b.rejects) == batchRows
}

// take calls f for the rows of a batch and notes its rejects, by line.
func (b *batch[T]) take(im *importer, c *Counts, file string, columns []string, lost func(v *T), f func(c *Counts, v *T) error) error {
	for i := range b.bad {
		lost(&b.bad[i])
	}
	for i := range b.rows {
		row := &b.rows[i]
		err := f(c, &row.record)
		if err == nil {
			continue
		}
		_, isRefused := errors.AsType[refusal](err)
		_, isFollowed := errors.AsType[followed](err)
		if !isRefused && !isFollowed {
			return fmt.Errorf("sqlite: %s, line %d: %w", file, row.line, err)
		}
		lost(&row.record)
		reject := csvdir.NewReject(file, row.line, err.Error(), row.text, len(row.text))
		reject.Followed = isFollowed
		b.rejects = append(b.rejects, *reject)
	}
	slices.SortFunc(b.rejects, func(x, y csvdir.Reject) int { return x.Line - y.Line })
	for i := range b.rejects {
		if err := im.reject(c, &b.rejects[i], columns); err != nil {
			return err
		}
	}
	return nil
}

// relay runs produce in one goroutine and consume in another. produce gives each
// full buffer to swap and gets an empty one for it, which may have been used
// before. Its first buffer is the zero value.
func relay[T any](ctx context.Context, produce func(swap func(T) (T, error)) error, consume func(T) error) error {
	const ahead = 4
	full, free := make(chan T, ahead), make(chan T, ahead+2)
	for range ahead + 1 {
		var empty T
		free <- empty
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(full)
		return produce(func(b T) (T, error) {
			select {
			case full <- b:
			case <-ctx.Done():
				return b, ctx.Err()
			}
			select {
			case b = <-free:
				return b, nil
			case <-ctx.Done():
				return b, ctx.Err()
			}
		})
	})
	g.Go(func() error {
		for b := range full {
			if err := consume(b); err != nil {
				return err
			}
			free <- b
		}
		return ctx.Err()
	})
	return g.Wait()
}
