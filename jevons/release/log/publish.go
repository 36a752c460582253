package releaselog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

const copySuffix = ".release.tmp" // of the copy of Next beside Live

// ErrBusy is returned by Publish while another release or an import works on the same
// files.
var ErrBusy = errors.New("another release or import is running")

// Options says what is released.
type Options struct {
	Next   string      // the snapshot to release
	Rows   string      // CSV of rows that were computed elsewhere, of weeks of which Next has no prices; or empty
	Live   string      // the snapshot in service, which Next's copy replaces
	Log    string      // the release log; the first release makes it
	Note   string      // kept with the release: one line, may be empty
	Accept []Accepted  // ids, or beginnings of ids with a star, and reasons
	Origin string      // of a new log if Next's settings have no log_origin; empty: Signer's name, or DefaultOrigin
	Signer note.Signer // signs the checkpoint; nil leaves it unsigned
	DryRun bool        // compare and judge, and write nothing
	Now    time.Time   // the instant of the release
}

// Result says what Publish did.
type Result struct {
	Release  *Release          // the new release, or the last one if there was nothing left to do
	Next     *release.Snapshot // what is released; nil if there was nothing left to do
	Changes  []release.Change  // largest first
	Accepted []release.Finding // that would stop the release, and were accepted
	Warnings []release.Finding // that are not grave enough to stop it
	Done     bool              // the release was in the log, and Live is its snapshot, if it was not before
}

// MaxShown bounds the findings of a rule that a program shows. An id with a star accepts no others.
const MaxShown = 20

// Stopped is the error of Publish when stop rules fired that were not accepted. Nothing
// was changed.
type Stopped struct{ Stops []release.Finding }

// Error names the rules.
func (s *Stopped) Error() string {
	var rules []string
	for _, x := range s.Stops {
		if !slices.Contains(rules, string(x.Rule)) {
			rules = append(rules, string(x.Rule))
		}
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
	result, err := p.load(ctx)
	if err != nil || result.Release != nil {
		return result, err
	}
	return p.publish(ctx)
}

// publisher is a release in the making.
type publisher struct {
	Options
	log       *Log
	last      *Release // the newest release; nil: none
	copy      string   // where the copy of Next is made; empty: Next is Live, or is only looked at
	next, old *sqlite.Contents
	unlocks   []func()
}

func (p *publisher) close() {
	if p.copy != "" {
		os.Remove(p.copy) // fails once it is renamed
	}
	for _, unlock := range slices.Backward(p.unlocks) {
		unlock()
	}
}

func fail(path string, err error, hint string) error {
	return atomicfile.Fail("release", path, err, hint)
}

func (p *publisher) prepare() (err error) {
	if p.Next, err = filepath.Abs(p.Next); err != nil {
		return err
	}
	if p.Live == p.Log || sameFile(p.Live, p.Log) {
		return fail(p.Log, errors.New("LIVE and LOG are the same file"), "give the release log a file of its own")
	}
	for _, path := range []*string{&p.Live, &p.Log} {
		if real, err := filepath.EvalSymlinks(*path); err == nil {
			*path = real
		} else if info, err := os.Lstat(*path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fail(*path, errors.New("it is a link that leads nowhere"),
				"remove it, or make the file it names possible")
		}
		if p.DryRun {
			continue
		}
		unlock, err := atomicfile.Lock(*path+".lock", 0o644)
		if errors.Is(err, atomicfile.ErrHeld) {
			err = ErrBusy
		}
		if err != nil {
			return fail(*path, atomicfile.Bare(err), "")
		}
		p.unlocks = append(p.unlocks, unlock)
	}
	if p.log, err = Open(p.Log); errors.Is(err, fs.ErrNotExist) {
		p.log = &Log{}
	} else if err != nil {
		return err
	}
	p.last = p.log.last()
	if p.last != nil && isSigned(p.last.Checkpoint) && p.Signer == nil && !p.DryRun {
		return fail(p.Log, fmt.Errorf("release %s is signed, and this one would not be", p.last.ID()), "give --key")
	}
	return nil
}

// load reads the snapshots. It ends a release that was killed before its snapshot was in service.
// The result has no release if there is one to make.
func (p *publisher) load(ctx context.Context) (done Result, err error) {
	last, live := cmp.Or(p.last, &Release{}), ""
	// Next may hold another snapshot by now, so the copy that was left may be the only one.
	left := p.Live + copySuffix
	if info, err := sqlite.Check(left); err == nil && info.Hash == last.Snapshot && !p.DryRun {
		if err := p.putInService(left); err != nil {
			return done, err
		}
	}
	var liveErr error
	if _, err := os.Lstat(p.Live); err == nil {
		if p.old, liveErr = sqlite.LoadAll(ctx, p.Live); liveErr == nil {
			live = p.old.Info.Hash
		}
	}
	if _, err := os.Stat(p.Next); errors.Is(err, fs.ErrNotExist) && last.File == p.Next && last.Snapshot == live {
		return Result{Release: last, Done: true}, nil
	}
	source := p.Next
	if !p.DryRun && !sameFile(p.Next, p.Live) {
		p.copy, source = left, left
		if err := copyFile(p.Next, left, p.Live); err != nil {
			return done, fail(p.Next, err, "")
		}
	}
	if p.next, err = sqlite.LoadAll(ctx, source); err != nil {
		if named, ok := errors.AsType[*atomicfile.Error](err); ok {
			named.Path = p.Next // the copy is not the reader's concern
		}
		return done, err
	}
	switch hash := p.next.Info.Hash; {
	case p.last != nil && hash == last.Snapshot && live != hash && !p.DryRun:
		return Result{Release: last, Done: true}, p.putInService(p.copy)
	case liveErr != nil:
		return done, liveErr
	case p.last == nil && live != "" && live != hash:
		return done, fail(p.Live, fmt.Errorf("it is in service, but %s has no release", p.Log),
			"name the right log, or release the snapshot in service first: give it as NEXT too")
	case p.last != nil && live != last.Snapshot:
		return done, fail(p.Live, fmt.Errorf("it is not the snapshot of release %s, %s", last.ID(), last.Snapshot),
			"release that snapshot again, which puts it back; then release the new one")
	case p.last != nil && p.old.Panel.About().Currency() != p.next.Panel.About().Currency():
		return done, fail(p.Next, fmt.Errorf("its prices are in %s, and those of release %s in %s",
			p.next.Panel.About().Currency(), last.ID(), p.old.Panel.About().Currency()),
			"a log has one currency: begin a new log and a new live snapshot")
	}
	return done, nil
}

// putInService renames a copy of a release's snapshot to Live. An empty name: it is there.
func (p *publisher) putInService(copy string) error {
	if copy == "" {
		return nil
	}
	if err := atomicfile.Replace(copy, p.Live); err != nil {
		return fail(p.Live, err, "run the same command again: the release is in the log")
	}
	return nil
}

func (p *publisher) publish(ctx context.Context) (Result, error) {
	released, err := p.log.replay(len(p.log.releases), p.next.Panel.Categories(), nil)
	if err != nil {
		return Result{}, err
	}
	table, err := p.table(released)
	if err != nil {
		return Result{}, err
	}
	next := SnapshotOf(p.next, table, panel.GateVersion, jevons.MethodVersion)
	next.Elsewhere = p.Rows != ""
	var old *release.Snapshot
	if last := p.last; last != nil {
		before := released.table(last.Base, last.Through)
		if last.Snapshot == p.next.Info.Hash && sameRows(table.Rows, before.Rows) { // else a week has closed since
			return Result{Release: last, Done: true}, nil
		}
		old = SnapshotOf(p.old, before, last.Gate, last.Method)
	}
	at, err := p.instant()
	if err == nil {
		err = p.checkOrigin()
	}
	if err != nil {
		return Result{}, err
	}
	r := &Release{
		At: at, Snapshot: p.next.Info.Hash, File: p.Next, Gate: next.Gate, Method: next.Method, Note: p.Note,
		Base: table.Options.Base, Through: table.Options.Through, Context: contextOf(p.next), Skipped: next.Skipped(),
	}
	result := Result{Release: r, Next: next, Changes: release.Diff(old, next)}
	stops := result.judge(release.Findings(old, next, result.Changes), p.Accept)
	if err := p.log.add(r, result.Changes, released.has, p.Signer); err != nil {
		return result, err
	}
	if stops != nil {
		return result, &Stopped{stops}
	}
	if err := ctx.Err(); p.DryRun || err != nil {
		return result, err
	}
	err = p.log.write(p.Log, func(written *Log) error {
		if _, err := written.verify(VerifyOptions{}); err != nil {
			return err
		}
		if got, err := written.Table(r.Number); err != nil || !sameRows(table.Rows, got.Rows) {
			return errors.Join(errors.New("the changes do not lead to the new table; please report this"), err)
		}
		return nil
	})
	if err != nil {
		return result, fail(p.Log, err, "")
	}
	return result, p.putInService(p.copy)
}

// checkOrigin names a new log, and refuses a key of another name.
func (p *publisher) checkOrigin() error {
	if p.last == nil {
		p.log.origin = cmp.Or(p.next.Panel.About().LogOrigin, p.Origin)
		if p.log.origin == "" && p.Signer != nil {
			p.log.origin = p.Signer.Name()
		}
	}
	if p.Signer == nil || p.Signer.Name() == p.log.origin {
		return nil
	}
	return fail(p.Log, fmt.Errorf("its origin is %s, and the key is that of %s", p.log.origin, p.Signer.Name()),
		"give its key")
}

// judge parts findings into warnings, what was accepted, and what stops the release, which it returns.
func (x *Result) judge(findings []release.Finding, accept []Accepted) (stops []release.Finding) {
	x.Release.Accepted = []Accepted{}
	seen := map[release.Rule]int{}
	for _, f := range findings {
		if !f.Stops {
			x.Warnings = append(x.Warnings, f)
			continue
		}
		seen[f.Rule]++
		i := slices.IndexFunc(accept, func(a Accepted) bool {
			begin, all := strings.CutSuffix(a.ID, "*")
			return a.ID == f.ID || all && strings.HasPrefix(f.ID, begin) && seen[f.Rule] <= MaxShown
		})
		if i < 0 {
			stops = append(stops, f)
			continue
		}
		x.Accepted = append(x.Accepted, f)
		x.Release.Accepted = append(x.Release.Accepted,
			Accepted{f.Rule, accept[i].Reason, f.ID, Points{f.Value}, Points{f.Low}, Points{f.High}, f.Unit})
	}
	return stops
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

// instant returns now in whole seconds. It fails when that is not after the last release.
func (p *publisher) instant() (time.Time, error) {
	now := p.Now.UTC().Truncate(time.Second)
	if p.last != nil && !now.After(p.last.At) {
		return now, fmt.Errorf("the clock says %s, but release %s was made at %s; set the clock right",
			now.Format(time.RFC3339), p.last.ID(), p.last.At.Format(time.RFC3339))
	}
	return now, nil
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// copyFile copies a file into a draft for a place. A file that was there before is replaced.
func copyFile(from, to, place string) error {
	in, err := os.Open(from)
	if err != nil {
		return atomicfile.Bare(err)
	}
	defer in.Close()
	return atomicfile.Write(to, atomicfile.DraftMode(place), func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}
