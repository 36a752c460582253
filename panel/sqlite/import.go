package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// ImportOptions say how a panel directory is imported.
type ImportOptions struct {
	// Strict loads nothing when there is a single reject.
	Strict bool
	// Rejects is the path of the rejects file; empty: the snapshot's path with
	// ".rejects.csv". It lists 10,000 rejects and counts the others by file. An import
	// without rejects removes the file. If another kind of file is there, the import fails.
	Rejects string
	// Correct, if set, is why rows that contradict stored ones (of the same
	// listing, store and time) take their place: one line of at most 1000 bytes,
	// kept with the quarantine entries of the stored rows. Without it such rows
	// are rejects.
	Correct string
	// Accept names rules of the quality gate that may set a large part of the rows aside, or is AnyRule.
	Accept []string
	// Now is the time of corrections, which need it, and of entries that the
	// import withdraws. Zero: these have the newest row's time.
	Now time.Time
	// Detect, if set, returns the events of packs that got smaller that the rows of a listing show, such as
	// shrink.Detect. Nil: the events stay as they are.
	Detect func(p basket.Product, listing int64, rows []panel.Observation) []panel.ShrinkEvent
	// Progress, if set, is called now and then with the bytes read of the
	// folder and those to be read in all.
	Progress func(done, total int64)
}

// AnyRule stands for all rules in ImportOptions.Accept: of rows that were published already.
const AnyRule = "*"

// Import reads a panel directory into a snapshot. It makes the snapshot if the
// file is missing, unless every row is a reject.
//
// A file that is missing or has the wrong columns fails the import. Into a snapshot that is there,
// observations.csv alone can be imported, or any of the optional files alone. A bad row is a reject: Import
// writes it to the rejects file and leaves it out. With opts.Strict a single reject fails the import with
// ErrRejected. A rule of the quality gate that sets aside a large part of the rows that would be added (see
// panel.Mass) fails it with ErrMass, unless opts.Accept names the rule. The package doc says what becomes of rows
// that are there already, and what is derived.
//
// Wherever the import is killed, the snapshot's file is the one from before or
// the one from after. If there is nothing new, it is not touched.
func Import(ctx context.Context, dir, db string, opts ImportOptions) (Summary, error) {
	src, err := csvdir.Open(dir)
	if err != nil {
		return Summary{}, err
	}
	if opts.Rejects == "" {
		opts.Rejects = db + ".rejects.csv"
	}
	if opts.Correct != "" {
		if opts.Correct, err = checkNote(opts.Correct, opts.Now); err != nil {
			return Summary{}, err
		}
	}
	rejects := rejectsFile{path: opts.Rejects, db: db}
	if err := rejects.check(); err != nil {
		return Summary{}, err
	}
	w, err := begin(db)
	if err != nil {
		return Summary{}, err
	}
	defer w.abandon()
	if w.old == nil {
		if err := src.Complete(); err != nil {
			return Summary{}, err
		}
	}
	im := &importer{
		ctx: ctx, opts: opts, dir: src, size: src.Size(), rejects: rejects,
		work: w, conn: w.conn, refs: readRefs(w.conn),
	}
	for _, step := range im.steps() {
		err := step()
		if err = cmp.Or(w.conn.err, err, ctx.Err()); err != nil {
			return Summary{}, err
		}
	}
	im.report(im.size)
	return im.finish()
}

// importer is one run of Import.
type importer struct {
	ctx     context.Context
	dir     *csvdir.Dir
	work    *work
	conn    *conn // the draft
	refs    refs
	rejects rejectsFile
	summary Summary
	opts    ImportOptions
	done    int64 // bytes of the finished files
	size    int64 // of all files

	settled bool  // derived entries changed
	added   idSet // the observations that are added
}

// finish writes the rejects and publishes the draft if it changed.
func (im *importer) finish() (Summary, error) {
	s := &im.summary
	total := s.Total()
	if total.Rejected > 0 {
		s.Rejects = im.rejects.path
	}
	if im.opts.Strict && total.Rejected > 0 {
		if err := im.rejects.publish(); err != nil {
			return Summary{}, err
		}
		return *s, fmt.Errorf("sqlite: nothing imported: %w: %d, listed in %s", ErrRejected, total.Rejected, s.Rejects)
	}
	s.None = im.work.old == nil && total.Added == 0 && total.Rejected > 0
	if im.changed() {
		if err := im.ctx.Err(); err != nil {
			return Summary{}, err
		}
		if err := im.work.publish(); err != nil {
			return Summary{}, err
		}
		s.Changed = true
		for _, p := range im.refs.products {
			if p.Active {
				s.Items++
			}
		}
		for _, b := range im.refs.banners {
			if b.InShopper {
				s.Chains++
			}
		}
	}
	// Last: rejects of an earlier run are true as long as nothing was loaded.
	return *s, im.rejects.publish()
}

// changed reports whether the draft differs from the snapshot.
func (im *importer) changed() bool {
	total := im.summary.Total()
	return im.work.old == nil && !im.summary.None || im.settled || total.Added+total.Corrected+total.Updated > 0
}

// count returns the counts of a table, to be added to.
func (im *importer) count(table string) *Counts {
	tables := im.summary.Tables
	if n := len(tables); n > 0 && tables[n-1].Table == table {
		return &tables[n-1].Counts
	}
	im.summary.Tables = append(tables, TableCounts{Table: table})
	return &im.summary.Tables[len(tables)].Counts
}

func (im *importer) report(done int64) {
	if im.opts.Progress != nil {
		im.opts.Progress(min(done, im.size), im.size)
	}
}
