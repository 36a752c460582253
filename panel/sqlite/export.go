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
	s, err := openSnapshot(db)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.verifyWhole(); err != nil {
		return err
	}
	return csvdir.WriteDir(dir, func(w *csvdir.Writer) error { return s.export(ctx, w) })
}

func (s *snapshot) export(ctx context.Context, w *csvdir.Writer) error {
	r := &reader{conn: s.conn}
	for _, t := range tables {
		if t != observations { // which is too large for memory
			t.export(r, w)
		}
	}
	if r.err != nil {
		return atomicfile.Fail("export snapshot", s.path, r.err, "")
	}
	return s.exportObservations(ctx, w)
}

func (t *table[T]) export(r *reader, w *csvdir.Writer) {
	list := readAll(r, t)
	if r.err == nil {
		r.err = csvdir.WriteSorted(w, t.file, list)
	}
}

var errStopped = errors.New("the writer has stopped")

func (s *snapshot) exportObservations(ctx context.Context, w *csvdir.Writer) error {
	labels, err := readLabels(s.conn)
	if err != nil {
		return err
	}
	return csvdir.Write(w, observations.file, func(yield func(*panel.Observation, error) bool) {
		err := eachNamed(s.conn, "ORDER BY id", labels, func(o *panel.Observation) error {
			if !yield(o, nil) {
				return errStopped // ends the query; the writer has its reason
			}
			return ctx.Err()
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	})
}
