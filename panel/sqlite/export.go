package sqlite

import (
	"context"
	"errors"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Export writes a snapshot as a panel directory: all rows, each table in the
// order of its ids or keys. Imported again, it gives the same rows; exported
// again from there, the same bytes. The folder must be new or empty. It is
// filled only when it is complete.
func Export(ctx context.Context, db, dir string) error {
	s, err := openWhole(db)
	if err != nil {
		return err
	}
	defer s.close()
	return csvdir.WriteDir(dir, func(w *csvdir.Writer) error { return s.export(ctx, w) })
}

func (s *snapshot) export(ctx context.Context, w *csvdir.Writer) error {
	for _, t := range tables {
		if t != observations { // which is too large for memory
			t.export(s.conn, w)
		}
	}
	if s.conn.err != nil {
		return atomicfile.Fail("export snapshot", s.path, s.conn.err, "")
	}
	return s.exportObservations(ctx, w)
}

func (t *table[T]) export(c *conn, w *csvdir.Writer) {
	list, currency := t.read(c), readCurrency(c)
	if c.err == nil {
		c.err = csvdir.WriteSorted(w, t.file.In(currency), list)
	}
}

var errStopped = errors.New("the writer has stopped")

func (s *snapshot) exportObservations(ctx context.Context, w *csvdir.Writer) error {
	labels := readLabels(s.conn)
	return csvdir.Write(w, observations.file, func(yield func(*panel.Observation, error) bool) {
		eachNamed(s.conn, "ORDER BY id", labels, func(o *panel.Observation) {
			s.conn.fail(ctx.Err())
			if !yield(o, nil) {
				s.conn.err = errStopped // ends the query; the writer has its reason
			}
		})
		if s.conn.err != nil && !errors.Is(s.conn.err, errStopped) {
			yield(nil, s.conn.err)
		}
	})
}
