package sqlite

import (
	"context"
	"errors"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// ExportOptions say how a snapshot is exported.
type ExportOptions struct {
	// Gzip writes every file as x.csv.gz.
	Gzip bool
	// Progress, if set, is called now and then with the observations written
	// and those to be written in all.
	Progress func(done, total int64)
}

// Export writes a snapshot as a panel directory: all rows, each table in the
// order of its ids or keys. Imported again, it gives the same rows; exported
// again from there, the same bytes. The folder must be new or empty. It is
// filled only when it is complete.
func Export(ctx context.Context, db, dir string, opts ExportOptions) error {
	s, err := openSnapshot(db)
	if err != nil {
		return err
	}
	defer s.close()
	if _, err := s.verify(); err != nil {
		return err
	}
	w, err := csvdir.Create(dir, csvdir.WriteOptions{Gzip: opts.Gzip})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := s.export(ctx, w, opts.Progress); err != nil {
		return err
	}
	return w.Commit()
}

func (s *snapshot) export(ctx context.Context, w *csvdir.Writer, progress func(done, total int64)) error {
	r := &reader{conn: s.conn}
	exportTable(r, w, settings)
	exportTable(r, w, products)
	exportTable(r, w, cities)
	exportTable(r, w, banners)
	exportTable(r, w, stores)
	exportTable(r, w, listings)
	exportTable(r, w, specs)
	exportTable(r, w, quarantine)
	exportTable(r, w, shrinkEvents)
	exportTable(r, w, pilot)
	exportTable(r, w, annotations)
	if r.err != nil {
		return atomicfile.Fail("export snapshot", s.path, r.err, "")
	}
	return s.exportObservations(ctx, w, progress)
}

func exportTable[T any](r *reader, w *csvdir.Writer, t *table[T]) {
	list := readAll(r, t)
	if r.err == nil {
		r.err = csvdir.WriteSorted(w, t.file, list)
	}
}

var errStopped = errors.New("the writer has stopped")

func (s *snapshot) exportObservations(ctx context.Context, w *csvdir.Writer, progress func(done, total int64)) error {
	labels, err := readLabels(s.conn)
	if err != nil {
		return err
	}
	total, err := s.conn.int("SELECT count(*) FROM observations")
	if err != nil {
		return err
	}
	if progress == nil {
		progress = func(_, _ int64) {}
	}
	return csvdir.Write(w, observations.file, func(yield func(*panel.Observation, error) bool) {
		var done int64
		err := eachNamed(s.conn, "ORDER BY id", labels, func(o *panel.Observation) error {
			if done++; done%batchRows == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
				progress(done, total)
			}
			if !yield(o, nil) {
				return errStopped // ends the query; the writer has its reason
			}
			return nil
		})
		switch err {
		case errStopped:
		case nil:
			progress(total, total)
		default:
			yield(nil, err)
		}
	})
}
