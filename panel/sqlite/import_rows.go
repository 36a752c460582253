package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/larder-index/larder/panel/csvdir"
)

// refusal is an error that rejects a row; other errors end the import.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, a ...any) error { return refusal(fmt.Sprintf(format, a...)) }

// fileRow is a row of a file on the way from the goroutine that reads to the one that stores.
type fileRow[T any] struct {
	record T
	line   int
	text   string // of the row in the file
	reject *csvdir.Reject
}

const batchRows = 512

// eachRow reads a file and calls f for every good row, in another goroutine. A refusal of f rejects the row;
// any other error ends the import.
func eachRow[T any](im *importer, t *table[T], f func(c *Counts, v *T) error) error {
	r, err := csvdir.Read(im.dir, t.file)
	if err != nil {
		return err
	}
	defer r.Close()
	type batch struct {
		rows   []fileRow[T]
		offset int64
	}
	batches := make(chan batch, 4)
	g, ctx := errgroup.WithContext(im.ctx)
	g.Go(func() error {
		defer close(batches)
		for {
			b := batch{rows: make([]fileRow[T], 0, batchRows)}
			for len(b.rows) < batchRows && r.Next() {
				b.rows = append(b.rows, fileRow[T]{*r.Record(), r.Line(), r.Text(), r.Reject()})
			}
			if len(b.rows) == 0 {
				return r.Err()
			}
			b.offset = r.Offset()
			select {
			case batches <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	c, columns, reasons := im.count(t.name), t.file.Columns(), len(im.summary.Reasons)
	g.Go(func() error {
		for b := range batches {
			im.report(im.done + b.offset)
			for i := range b.rows {
				row := &b.rows[i]
				if row.reject == nil {
					err := f(c, &row.record)
					err = cmp.Or(im.conn.err, err)
					refused, is := errors.AsType[refusal](err)
					switch {
					case err == nil:
						continue
					case !is:
						return fmt.Errorf("sqlite: %s, line %d: %w", r.File(), row.line, err)
					}
					file, line := r.File(), row.line
					if im.origin != nil && t.name == observations.name {
						file, line = im.origin(line)
					}
					row.reject = csvdir.NewReject(file, line, string(refused), row.text, len(row.text))
				}
				c.Rejected++
				im.summary.addReject(row.reject, faulty(row.reject.Reason, columns))
				im.rejects.add(row.reject)
			}
		}
		return ctx.Err()
	})
	err = g.Wait()
	slices.SortStableFunc(im.summary.Reasons[reasons:], func(a, b RejectReason) int { return b.Rows - a.Rows })
	im.done += r.Offset()
	return err
}
