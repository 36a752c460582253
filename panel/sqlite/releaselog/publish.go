package releaselog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// ErrBusy is returned by Publish while another release or an import works on the same
// files.
var ErrBusy = errors.New("another release or import is running")

// Options says what is released.
type Options struct {
	Next   string // the snapshot to release
	Rows   string // rows that were computed elsewhere, as CSV, of weeks of which Next has no prices; empty: Next's prices give the rows
	Live   string // the snapshot in service, which Next's copy replaces
	Log    string // the release log; the first release makes it
	Note   string // kept with the release: one line, may be empty
	Accept []Accepted
	Signer note.Signer // signs the checkpoint; nil leaves it unsigned
	DryRun bool        // compare and judge, and write nothing
	Now    time.Time   // the instant of the release
}

// Result says what Publish did.
type Result struct {
	Release  *Release          // the new release, or the last one if there was nothing left to do
	Changes  []release.Change  // largest first
	Accepted []release.Finding // of stop rules that fired and were accepted
	Done     bool              // the release was complete before
	Resumed  bool              // the release was in the log, and now Live is its snapshot
}

// Stopped is the error of Publish when stop rules fired that were not accepted. Nothing
// was changed.
type Stopped struct{ Stops []release.Finding }

// Error names the rules.
func (s *Stopped) Error() string {
	var rules []string
	for _, x := range s.Stops {
		rules = append(rules, string(x.Rule))
	}
	return "stopped by " + strings.Join(rules, ", ") + "; nothing was released"
}

// Publish releases a snapshot. It copies Next beside Live and checks its seal, compares its
// table with the last release, applies the stop rules, appends the release to the log and
// renames the copy to Live. A run that is killed before the append has changed nothing.
// After it, a second run renames; once that is done, a further one reports Done. Next is
// left where it is.
//
// The error is a *Stopped when a rule stops the release. Then Result has the changes and
// the release as it would have been.
func Publish(ctx context.Context, o Options) (Result, error) {
	p := &publisher{Options: o}
	defer p.close()
	if err := p.prepare(); err != nil {
		return Result{}, err
	}
	done, err := p.load(ctx)
	if err != nil || done.Release != nil {
		return done, err
	}
	return p.publish(ctx)
}

// table returns the table of Next as of now.
func (p *publisher) table() (*jevons.Table, error) {
	if p.Rows != "" {
		return p.computedTable()
	}
	return jevons.Compute(p.next.Panel, jevons.Options{Through: panel.LastClosed(p.Now)})
}

// publish compares, judges, appends and replaces.
func (p *publisher) publish(ctx context.Context) (Result, error) {
	table, err := p.table()
	if err != nil {
		return Result{}, err
	}
	last := p.log.last()
	next := SnapshotOf(p.next, table, panel.GateVersion, jevons.MethodVersion)
	next.Elsewhere = p.Rows != ""
	var old *release.Snapshot
	if last != nil {
		released, err := p.log.table(last.Number)
		if err != nil {
			return Result{}, err
		}
		old = SnapshotOf(cmp.Or(p.old, p.next), released, last.Gate, last.Method)
		if p.old == nil { // nobody can say which rows changed: the program did
			old.Method += " with another schema"
		}
	}
	at, err := p.instant(last)
	if err != nil {
		return Result{}, err
	}
	r := &Release{
		At: at, Snapshot: p.next.Info.Hash, File: p.Next, Gate: next.Gate, Method: next.Method, Note: p.Note, Accepted: []Accepted{},
		Base: table.Options.Base, Through: table.Options.Through, Context: contextOf(p.next), Skipped: next.Skipped(),
	}
	changes := release.Diff(old, next)
	result := Result{Release: r, Changes: changes}
	var stopped []release.Finding
	for _, stop := range release.Stops(old, next, changes) {
		i := slices.IndexFunc(p.Accept, func(a Accepted) bool { return a.Rule == stop.Rule })
		if i < 0 {
			stopped = append(stopped, stop)
			continue
		}
		r.Accepted = append(r.Accepted, p.Accept[i])
		result.Accepted = append(result.Accepted, stop)
	}
	had := map[panel.Week]bool{}
	if old != nil {
		for i := range old.Table.Rows {
			had[old.Table.Rows[i].Week] = true
		}
	}
	if err := p.log.add(r, changes, func(w panel.Week) bool { return had[w] }, p.Signer); err != nil {
		return result, err
	}
	if stopped != nil {
		return result, &Stopped{stopped}
	}
	if p.DryRun {
		return result, nil
	}
	if err := ctx.Err(); err != nil {
		return result, err
	}
	err = p.log.write(p.Log, func(written *contents) error {
		if _, err := written.verify(VerifyOptions{}); err != nil {
			return err
		}
		if got, err := written.table(r.Number); err != nil || !sameRows(table.Rows, got.Rows) {
			return errors.Join(errors.New("the changes do not lead to the new table; please report this"), err)
		}
		return nil
	})
	if err != nil {
		return result, fail(p.Log, err, "")
	}
	return result, p.putInService(p.copy)
}

// sameRows reports whether tables have the same rows with the same bases.
func sameRows(a, b []jevons.Row) bool {
	return slices.EqualFunc(a, b, func(a, b jevons.Row) bool { return a.Same(&b) && a.Base == b.Base })
}

// SnapshotOf returns a loaded snapshot with a table of it, and the versions of the gate and
// the method behind that table.
func SnapshotOf(all *sqlite.Contents, table *jevons.Table, gate, method string) *release.Snapshot {
	return &release.Snapshot{
		Table: table, Panel: all.Panel, Rows: all.Rows, Quarantine: all.Quarantine, Gate: gate, Method: method,
	}
}

// instant returns now in whole seconds, unless another release was made in that second. It
// fails when that is not after the last release.
func (o *Options) instant(last *Release) (time.Time, error) {
	now := o.Now.UTC()
	for _, at := range []time.Time{now.Truncate(time.Second), now} {
		if last == nil || at.After(last.At) {
			return at, nil
		}
	}
	return now, fmt.Errorf("the clock says %s, but release %s was made at %s; set the clock right",
		now.Format(time.RFC3339), last.ID(), last.At.Format(time.RFC3339))
}
