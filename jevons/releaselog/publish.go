package releaselog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/onefile"
	"github.com/larder-index/larder/panel/sqlite"
)

// ErrBusy is returned by Publish while another release or an import works on the same
// files.
var ErrBusy = errors.New("another release or import is running")

// Options says what is released.
type Options struct {
	Next   string // the snapshot to release
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
	Release  *Release         // the new release, or the last one if there was nothing left to do
	Changes  []release.Change // largest first
	Accepted []release.Stop   // stop rules that fired and were accepted
	Done     bool             // the release was complete before
	Resumed  bool             // the release was in the log, and now Live is its snapshot
}

// Stopped is the error of Publish when stop rules fired that were not accepted. Nothing
// was changed.
type Stopped struct{ Stops []release.Stop }

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

const copySuffix = ".release.tmp"

// publisher is a release in the making.
type publisher struct {
	Options
	log       *contents
	liveHash  string // empty: there is no Live, or it can't be read
	liveErr   error  // why it can't
	copy      string // where the copy of Next is made; empty: Next is Live, or is only looked at
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

// fail is an error about one of the files.
func fail(path string, err error, hint string) error { return onefile.Fail("release", path, err, hint) }

// prepare checks the options, locks the files, and reads the log.
func (p *publisher) prepare() (err error) {
	for _, text := range append([]Accepted{{Reason: cmp.Or(p.Note, "no note")}}, p.Accept...) {
		if !utf8.ValidString(text.Reason) || strings.ContainsAny(text.Reason, "\n\r") || strings.TrimSpace(text.Reason) == "" {
			return errors.New("releaselog: a note and a reason are one line of text")
		}
	}
	if p.Next, err = filepath.Abs(p.Next); err != nil {
		return err
	}
	for _, path := range []*string{&p.Live, &p.Log} {
		if real, err := filepath.EvalSymlinks(*path); err == nil {
			*path = real
		} else if info, err := os.Lstat(*path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fail(*path, errors.New("it is a link that leads nowhere"), "remove it, or make the file it names possible")
		}
		if p.DryRun {
			continue
		}
		unlock, err := onefile.Lock(*path+".lock", 0o644)
		if errors.Is(err, onefile.ErrHeld) {
			return fail(*path, ErrBusy, "")
		}
		if err != nil {
			return fail(*path, onefile.Bare(err), "")
		}
		p.unlocks = append(p.unlocks, unlock)
	}
	if p.log, err = read(p.Log); errors.Is(err, fs.ErrNotExist) {
		p.log = &contents{}
	} else if err != nil {
		return err
	}
	if last := p.log.last(); last != nil && isSigned(last.Checkpoint) && p.Signer == nil && !p.DryRun {
		return fail(p.Log, fmt.Errorf("release %s is signed, and this one would not be", last.ID()), "give --key")
	}
	return nil
}

// load reads the snapshots. If the last release is of Next already, it finishes that and
// returns what it did.
func (p *publisher) load(ctx context.Context) (done Result, err error) {
	last := p.log.last()
	if _, err := os.Lstat(p.Live); err == nil {
		switch p.old, p.liveErr = sqlite.LoadAll(ctx, p.Live); {
		case p.liveErr == nil:
			p.liveHash = p.old.Info.Hash
		case errors.Is(p.liveErr, sqlite.ErrVersion) && last != nil:
			// An older larder put it there. This one can't read it or tell its hash.
			p.liveHash, p.liveErr = last.Snapshot, nil
		}
	}
	if _, err := os.Stat(p.Next); errors.Is(err, fs.ErrNotExist) && last != nil && last.File == p.Next {
		return p.finish(ctx)
	}
	source := p.Next
	if !p.DryRun && !sameFile(p.Next, p.Live) {
		p.copy = p.Live + copySuffix
		source = p.copy
		if err := copyFile(p.Next, p.copy, p.Live); err != nil {
			return done, fail(p.Next, err, "")
		}
	}
	if p.next, err = sqlite.LoadAll(ctx, source); err != nil {
		if named, ok := errors.AsType[*onefile.Error](err); ok {
			named.Path = p.Next // the copy is not the reader's concern
		}
		return done, err
	}
	hash := p.next.Info.Hash
	switch {
	case p.liveErr != nil && (last == nil || hash != last.Snapshot):
		return done, p.liveErr
	case last == nil && p.liveHash != "" && p.liveHash != hash:
		return done, fail(p.Live, fmt.Errorf("it is in service, but %s has no release", p.Log),
			"name the right log, or release the snapshot in service first: give it as NEXT too")
	case last == nil || hash != last.Snapshot && p.liveHash == last.Snapshot:
		return done, nil
	case hash == last.Snapshot && p.liveHash != hash:
		return p.resume()
	case hash != last.Snapshot:
		return done, fail(p.Live, fmt.Errorf("it is not the snapshot of release %s, %s", last.ID(), last.Snapshot),
			"release that snapshot again, which puts it back; then release the new one")
	}
	// The same snapshot again: a week may have closed since.
	table, err := p.table()
	if err != nil {
		return done, err
	}
	released, err := p.log.table(len(p.log.releases))
	if err != nil {
		return done, err
	}
	if slices.EqualFunc(table.Rows, released.Rows, sameRow) {
		return Result{Release: last, Done: true}, nil
	}
	return done, nil
}

// finish ends a release whose file is gone. An earlier run may have left its copy.
func (p *publisher) finish(ctx context.Context) (Result, error) {
	last := p.log.last()
	if p.liveHash == last.Snapshot {
		return Result{Release: last, Done: true}, nil
	}
	left := p.Live + copySuffix
	if info, err := sqlite.Check(left); err == nil && info.Hash == last.Snapshot && !p.DryRun && ctx.Err() == nil {
		p.copy = left
		return p.resume()
	}
	return Result{}, fail(p.Next, fs.ErrNotExist, fmt.Sprintf("release %s is in the log, but not in service: put the snapshot %s back there", last.ID(), last.Snapshot))
}

// resume puts the last release's snapshot in service.
func (p *publisher) resume() (Result, error) {
	if !p.DryRun {
		if err := p.replace(); err != nil {
			return Result{}, err
		}
	}
	return Result{Release: p.log.last(), Resumed: true}, nil
}

// replace renames the copy of Next to Live.
func (p *publisher) replace() error {
	if p.copy == "" {
		return nil // it is there
	}
	if err := onefile.Replace(p.copy, p.Live); err != nil {
		return fail(p.Live, err, "run the same command again: the release is in the log")
	}
	return nil
}

// table returns the table of Next as of now.
func (p *publisher) table() (*jevons.Table, error) {
	return jevons.Compute(p.next.Panel, jevons.Options{Through: panel.LastClosed(p.Now)})
}

func sameRow(a, b jevons.Row) bool {
	return a.Week == b.Week && a.Base == b.Base && *a.Cell == *b.Cell && sameFigures(&a, &b)
}

// publish compares, judges, appends and replaces.
func (p *publisher) publish(ctx context.Context) (Result, error) {
	table, err := p.table()
	if err != nil {
		return Result{}, err
	}
	last := p.log.last()
	next := SnapshotOf(p.next, table, panel.GateVersion, jevons.MethodVersion)
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
	at, err := instant(p.Now, last)
	if err != nil {
		return Result{}, err
	}
	r := &Release{
		At: at, Snapshot: p.next.Info.Hash, File: p.Next, Gate: next.Gate, Method: next.Method, Note: p.Note,
		Base: table.Options.Base, Through: table.Options.Through, Context: contextOf(p.next),
	}
	changes := release.Diff(old, next)
	result := Result{Release: r, Changes: changes}
	s, err := p.log.follow(r, changes)
	if err == nil && !slices.EqualFunc(s.rows(r.Base), table.Rows, sameRow) {
		err = errors.New("the changes do not lead to the new table")
	}
	if err != nil {
		return result, fmt.Errorf("releaselog: %w; please report this", err)
	}
	var stopped []release.Stop
	for _, stop := range release.Stops(old, next, changes) {
		i := slices.IndexFunc(p.Accept, func(a Accepted) bool { return a.Rule == stop.Rule })
		if i < 0 {
			stopped = append(stopped, stop)
			continue
		}
		r.Accepted = append(r.Accepted, p.Accept[i])
		result.Accepted = append(result.Accepted, stop)
	}
	if stopped != nil {
		return result, &Stopped{stopped}
	}
	if p.DryRun {
		return result, nil
	}
	if err := p.log.seal(r, changes, p.Signer); err != nil {
		return result, err
	}
	if err := ctx.Err(); err != nil {
		return result, err
	}
	if err := p.log.write(p.Log, r, s); err != nil {
		return result, fail(p.Log, err, "")
	}
	return result, p.replace()
}

// SnapshotOf returns a loaded snapshot with a table of it, and the versions of the gate and
// the method behind that table.
func SnapshotOf(all *sqlite.Contents, table *jevons.Table, gate, method string) *release.Snapshot {
	return &release.Snapshot{
		Table: table, Panel: all.Panel, Rows: all.Rows, Quarantine: all.Quarantine, Gate: gate, Method: method,
	}
}

// instant returns when a release is made: now in whole seconds, unless another release was
// made in that second. It fails when that is not after the last release.
func instant(now time.Time, last *Release) (time.Time, error) {
	for _, at := range []time.Time{now.UTC().Truncate(time.Second), now.UTC()} {
		if last == nil || at.After(last.At) {
			return at, nil
		}
	}
	return now, fmt.Errorf("the clock says %s, but release %s was made at %s; set the clock right",
		now.UTC().Format(time.RFC3339), last.ID(), last.At.Format(time.RFC3339))
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
