package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
	// Now is the time of corrections, which need it, and of entries that the
	// import withdraws. Zero: these have the newest row's time.
	Now time.Time
	// Detect, if set, returns the events of packs that got smaller that the rows of a listing show, such as
	// shrink.Detect. Nil: the events stay as they are.
	Detect func(p basket.Product, listing int64, rows []panel.Observation) []panel.ShrinkEvent
	// More, if set, makes another folder when the rows of the first are in, from what the draft then has. Its
	// rows are imported next, in the same transaction. The first folder may then have any of the files, or be "".
	// reject lists a row of another file among the rejects, for one of its columns or "".
	More func(known Known, reject func(r *csvdir.Reject, column string)) (More, error)
	// Progress, if set, is called now and then with the bytes read of the
	// folder and those to be read in all.
	Progress func(done, total int64)
}

// Known is what a snapshot has besides observations.
type Known struct {
	Panel  *panel.Panel // without observations
	Specs  []basket.Spec
	Priced map[int64]bool // the listings that have observations
}

// More is a folder that a program made from other files.
type More struct {
	Dir    string
	Origin func(line int) (file string, at int) // where a row of its observations comes from
}

// Import reads a panel directory into a snapshot. It makes the snapshot if the
// file is missing, unless every row is a reject.
//
// A file that is missing or has the wrong columns fails the import. Into a snapshot that is there,
// observations.csv alone can be imported, or any of the optional files alone. A bad row is a reject: Import
// writes it to the rejects file and leaves it out. With opts.Strict a single reject fails the import with
// ErrRejected. The package doc says what becomes of rows that are there already, and what is derived.
//
// Wherever the import is killed, the snapshot's file is the one from before or
// the one from after. If there is nothing new, it is not touched.
func Import(ctx context.Context, dir, db string, opts ImportOptions) (Summary, error) {
	src, err := openSource(dir, opts.More != nil)
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
	if w.old == nil && opts.More == nil {
		if err := src.Complete(); err != nil {
			return Summary{}, err
		}
	}
	im := &importer{
		ctx: ctx, opts: opts, dir: src, size: src.Size(), rejects: rejects,
		work: w, conn: w.conn, refs: readRefs(w.conn),
	}
	if err = im.run(im.steps()...); err == nil && opts.More != nil {
		err = im.more()
	}
	if err == nil {
		err = im.run(im.derive)
	}
	if err != nil {
		return Summary{}, err
	}
	im.report(im.size)
	return im.finish()
}

// openSource opens a folder that may be incomplete if another follows.
func openSource(dir string, part bool) (*csvdir.Dir, error) {
	switch {
	case part && dir == "":
		return &csvdir.Dir{}, nil
	case part:
		return csvdir.OpenPart(dir)
	}
	return csvdir.Open(dir)
}

// run takes steps up to an error.
func (im *importer) run(steps ...func() error) error {
	for _, step := range steps {
		err := step()
		if err = cmp.Or(im.conn.err, err, im.ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// more imports the folder that ImportOptions.More makes.
func (im *importer) more() error {
	_, base, err := readSettings(im.conn)
	if err != nil {
		return err
	}
	b := panel.NewBuilder(base)
	addReferences(im.conn, b)
	known := Known{Specs: specs.read(im.conn), Priced: map[int64]bool{}}
	im.conn.each("SELECT DISTINCT retailer_product_id FROM labels", func(r row) { known.Priced[r.int(0)] = true })
	if known.Panel, err = b.Build(); err != nil || im.conn.err != nil {
		return cmp.Or(im.conn.err, err)
	}
	made, err := im.opts.More(known, im.reject)
	if err != nil {
		return err
	}
	if im.dir, err = csvdir.Open(made.Dir); err != nil {
		return err
	}
	im.origin = made.Origin
	im.size += im.dir.Size()
	return im.run(im.steps()...)
}

// reject counts a row that is rejected and lists it.
func (im *importer) reject(r *csvdir.Reject, column string) {
	im.count("offers").Rejected++
	im.summary.addReject(r, column)
	im.rejects.add(r)
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

	settled bool                                 // derived entries changed
	origin  func(line int) (file string, at int) // of the rows of observations.csv; nil: it is there
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
	s := &im.summary
	at := slices.IndexFunc(s.Tables, func(t TableCounts) bool { return t.Table == table })
	if at < 0 {
		at = len(s.Tables)
		s.Tables = append(s.Tables, TableCounts{Table: table})
	}
	return &s.Tables[at].Counts
}

func (im *importer) report(done int64) {
	if im.opts.Progress != nil {
		im.opts.Progress(min(done, im.size), im.size)
	}
}
