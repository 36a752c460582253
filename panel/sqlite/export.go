package sqlite

import (
	"context"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/onefile"
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
// again from there, the same bytes. The folder must be new or empty. A new one
// is there only when it is complete; one that is filled has no observations.csv
// before that.
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

func (s *snapshot) export(ctx context.Context, w *csvdir.Writer, progress func(done, total int64)) (err error) {
	c := s.conn
	exportTable(c, &err, w, csvdir.Settings, settings)
	exportTable(c, &err, w, csvdir.Products, products)
	exportTable(c, &err, w, csvdir.Cities, cities)
	exportTable(c, &err, w, csvdir.Banners, banners)
	exportTable(c, &err, w, csvdir.Stores, stores)
	exportTable(c, &err, w, csvdir.Listings, listings)
	exportTable(c, &err, w, csvdir.Specs, specs)
	exportTable(c, &err, w, csvdir.QuarantineEntries, quarantine)
	exportTable(c, &err, w, csvdir.ShrinkEvents, shrinkEvents)
	exportTable(c, &err, w, csvdir.Pilot, pilot)
	if err != nil {
		return onefile.Fail("export snapshot", s.path, err, "")
	}
	return s.exportObservations(ctx, w, progress)
}

func exportTable[T any](c *conn, err *error, w *csvdir.Writer, file *csvdir.Table[T], t *table[T]) {
	if *err != nil {
		return
	}
	var list []T
	if list, *err = t.read(c); *err == nil {
		*err = csvdir.WriteSorted(w, file, list)
	}
}

func (s *snapshot) exportObservations(ctx context.Context, w *csvdir.Writer, progress func(done, total int64)) error {
	c := s.conn
	labels, err := readLabels(c)
	if err != nil {
		return err
	}
	total, err := c.int("SELECT count(*) FROM observations")
	if err != nil {
		return err
	}
	scan, err := newScanner(c)
	if err != nil {
		return err
	}
	return csvdir.Write(w, csvdir.Observations, func(yield func(*panel.Observation, error) bool) {
		var done int64
		stopped := false
		var stored storedRow
		err := c.each(scan.query("ORDER BY id"), func(r row) error {
			scan.row(r, &stored)
			err := stored.named(labels)
			if done++; err == nil && done%batchRows == 0 {
				err = ctx.Err()
				if progress != nil {
					progress(done, total)
				}
			}
			if err == nil && !yield(&stored.Observation, nil) {
				stopped = true
				err = context.Canceled // ends the query; the caller has its reason
			}
			return err
		})
		switch {
		case stopped:
		case err != nil:
			yield(nil, err)
		case progress != nil:
			progress(total, total)
		}
	})
}
