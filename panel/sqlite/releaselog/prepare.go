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
	"unicode/utf8"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel/sqlite"
)

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
func fail(path string, err error, hint string) error {
	return atomicfile.Fail("release", path, err, hint)
}

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
	if p.Live == p.Log || sameFile(p.Live, p.Log) {
		return fail(p.Log, errors.New("LIVE and LOG are the same file"), "give the release log a file of its own")
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
		unlock, err := atomicfile.Lock(*path+".lock", 0o644)
		if errors.Is(err, atomicfile.ErrHeld) {
			return fail(*path, ErrBusy, "")
		}
		if err != nil {
			return fail(*path, atomicfile.Bare(err), "")
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

// load reads the snapshots. It ends a release that was killed. If the last release is of
// Next already, it returns what it did.
func (p *publisher) load(ctx context.Context) (done Result, err error) {
	last := p.log.last()
	goneOn, err := p.goOn()
	if err != nil {
		return done, err
	}
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
		if p.liveHash != last.Snapshot {
			return done, fail(p.Next, fs.ErrNotExist, fmt.Sprintf("release %s is in the log, but not in service: put the snapshot %s back there", last.ID(), last.Snapshot))
		}
		return Result{Release: last, Done: !goneOn, Resumed: goneOn}, nil
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
		if named, ok := errors.AsType[*atomicfile.Error](err); ok {
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
	if sameRows(table.Rows, released.Rows) {
		return Result{Release: last, Done: !goneOn, Resumed: goneOn}, nil
	}
	return done, nil
}

// goOn ends a release that was killed before its copy of the snapshot was in service, and
// reports whether it did. Next may hold another snapshot by now, so that copy may be the
// only one.
func (p *publisher) goOn() (bool, error) {
	last, left := p.log.last(), p.Live+copySuffix
	if last == nil || p.DryRun {
		return false, nil
	}
	if info, err := sqlite.Check(left); err != nil || info.Hash != last.Snapshot {
		return false, nil
	}
	if err := p.putInService(left); err != nil {
		return false, err
	}
	return true, nil
}

// resume puts the last release's snapshot in service.
func (p *publisher) resume() (Result, error) {
	if !p.DryRun {
		if err := p.putInService(p.copy); err != nil {
			return Result{}, err
		}
	}
	return Result{Release: p.log.last(), Resumed: true}, nil
}

// putInService renames a copy of a release's snapshot to Live.
func (p *publisher) putInService(copy string) error {
	if copy == "" {
		return nil // it is there
	}
	if err := atomicfile.Replace(copy, p.Live); err != nil {
		return fail(p.Live, err, "run the same command again: the release is in the log")
	}
	return nil
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// copyFile copies a file, with the permissions of the model if that exists, and syncs the
// copy. A file that was there before is replaced.
func copyFile(from, to, model string) error {
	in, err := os.Open(from)
	if err != nil {
		return atomicfile.Bare(err)
	}
	defer in.Close()
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(model); err == nil {
		mode = info.Mode().Perm()
	}
	os.Remove(to) // a killed run may have left it
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return atomicfile.Bare(err)
	}
	_, err = io.Copy(out, in)
	return atomicfile.Bare(errors.Join(err, out.Chmod(mode), out.Sync(), out.Close()))
}
