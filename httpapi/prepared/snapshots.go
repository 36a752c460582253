package prepared

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel/sqlite"
)

// Snapshots holds the snapshot that is served, and swaps it for the one that
// replaces its file. A caller of Current keeps what it got for its whole
// response. It is safe for concurrent use.
type Snapshots struct {
	path     string
	now      func() time.Time
	Releases *Releases // nil without a release log
	Loaded   func()    // called after a snapshot was loaded; nil: nothing is
	current  atomic.Pointer[Snapshot]

	loading sync.Mutex  // held while the file is looked at
	seen    os.FileInfo // the file when it was last read; nil if it was not
	looked  time.Time   // when that was

	mu     sync.Mutex // of status
	status SnapshotStatus
}

// SnapshotStatus says what became of the file when it was last looked at.
type SnapshotStatus struct {
	Path      string
	Hash      string    // of the snapshot that is served; empty if none is
	Release   string    // id of its release; empty without a release log
	LoadedAt  time.Time // when it was loaded
	Err       error     // why the file as it is now is not served; nil if it is
	FailedAt  time.Time // since when
	Swaps     int       // snapshots loaded after the first
	Refused   int       // files refused; a missing one does not count
	RefusedAt time.Time // when a file was last refused
}

// NewSnapshots returns a holder of the snapshot in a file. Refresh or Look loads
// it.
func NewSnapshots(path string, now func() time.Time) *Snapshots {
	return &Snapshots{path: path, now: now, status: SnapshotStatus{Path: path}}
}

// NewReleasedSnapshots returns a holder that serves a snapshot only once it is released: its
// hash is in the release log. Any other file is left alone. The index is the one that was
// released. The log may be missing at first.
func NewReleasedSnapshots(path, log string, now func() time.Time) *Snapshots {
	s := NewSnapshots(path, now)
	s.Releases = &Releases{path: log, snapshot: path}
	return s
}

// Current returns the snapshot to serve from, or nil.
func (s *Snapshots) Current() *Snapshot { return s.current.Load() }

// Status says what is served, and why the file is not if it is not.
func (s *Snapshots) Status() SnapshotStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// lookAgain is how long a refused file that did not change is left alone. Its
// fault may be in a file beside it, its permissions or the disk.
const lookAgain = time.Minute

// Refresh looks at the file. If it is another one than before, Refresh loads,
// verifies and serves it. If it can't be served, the error says why and the old
// snapshot stays in service. A refused file that did not change is refused again
// with the same error, and is read anew after a minute. With a release log, Refresh looks
// at that first.
func (s *Snapshots) Refresh(ctx context.Context) error {
	s.loading.Lock()
	defer s.loading.Unlock()
	more, err := s.Releases.refresh()
	if err != nil {
		return s.refuse(nil, fmt.Errorf("httpapi: %w", err))
	}
	info, err := os.Stat(s.path)
	if err != nil {
		return s.refuse(nil, fmt.Errorf("httpapi: snapshot: %w", err))
	}
	var before *sqlite.Contents
	if served := s.Current(); served != nil {
		before = served.Contents
	}
	if s.same(info) {
		switch refused := s.Status().Err; {
		case refused == nil && more: // it may have been released again
			return s.serve(info, before)
		case refused == nil, !more && s.now().Sub(s.looked) < lookAgain:
			return refused
		}
	}
	all, err := sqlite.LoadBeside(ctx, s.path, before)
	if ctx.Err() != nil {
		return ctx.Err() // no fault of the file
	}
	if err != nil {
		return s.refuse(info, err)
	}
	if s.Loaded != nil {
		defer func() { go s.Loaded() }()
	}
	if _, err := s.Releases.refresh(); err != nil { // the file may have come after the first look
		return s.refuse(nil, fmt.Errorf("httpapi: %w", err))
	}
	return s.serve(info, all)
}

// serve puts a loaded snapshot in service, unless it or its release is in service already.
func (s *Snapshots) serve(info os.FileInfo, all *sqlite.Contents) error {
	old := s.Current()
	r, err := s.Releases.find(all.Info.Hash, old)
	if err != nil {
		return s.refuse(info, fmt.Errorf("httpapi: %w", err))
	}
	served, err := s.prepare(all, r, old)
	if err != nil {
		return s.refuse(info, fmt.Errorf("httpapi: snapshot %s: %w", s.path, err))
	}
	s.current.Store(served)
	s.seen, s.looked = info, s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.Hash != served.Info.Hash {
		if old != nil {
			s.status.Swaps++
		}
		s.status.Hash, s.status.LoadedAt = served.Info.Hash, s.looked
	}
	if r != nil {
		s.status.Release = r.ID()
	}
	s.status.Err, s.status.FailedAt = nil, time.Time{}
	return nil
}

// prepare returns what is served of a snapshot as a release; r is nil without a release log. It
// makes nothing anew that is at hand.
func (s *Snapshots) prepare(all *sqlite.Contents, r *releaselog.Release, old *Snapshot) (served *Snapshot, err error) {
	same := old != nil && old.Info.Hash == all.Info.Hash
	if same && (r == nil || r.Number == old.number) {
		return old, nil
	}
	if same {
		again := *old
		served = &again
	} else {
		served = newSnapshot(all)
	}
	if r != nil {
		served.setRelease(s.Releases.log.Load(), r)
		served.Products = served.products()
		served.remember(s.Releases.log.Load())
	}
	rows, err := served.V2() // now, so that no reader waits for it
	if err == nil {
		rows.write()
	}
	return served, err
}

func (s *Snapshots) same(info os.FileInfo) bool {
	return s.seen != nil && os.SameFile(s.seen, info) && s.seen.ModTime().Equal(info.ModTime()) &&
		s.seen.Size() == info.Size()
}

// refuse notes why the file is not served, once for each file and fault.
func (s *Snapshots) refuse(info os.FileInfo, err error) error {
	known := info == nil || s.same(info)
	s.seen, s.looked = info, s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if known && s.status.Err != nil && s.status.Err.Error() == err.Error() {
		return s.status.Err
	}
	s.status.Err, s.status.FailedAt = err, s.looked
	if info != nil {
		s.status.Refused++
		s.status.RefusedAt = s.looked
	}
	return err
}

// WatchEvery is how often a server looks at its snapshot file and its state file.
const WatchEvery = 2 * time.Second

// Look refreshes once and logs what is new: a snapshot that is now served, a file
// that is refused, one that is good again. It does not repeat what was logged.
// With reload it reads the file even if that did not change.
func (s *Snapshots) Look(ctx context.Context, log *slog.Logger, reload bool) {
	before := s.Status()
	if reload {
		s.loading.Lock()
		s.seen = nil
		s.loading.Unlock()
	}
	if err := s.Refresh(ctx); ctx.Err() != nil && err != nil {
		return
	}
	after := s.Status()
	path, hash := slog.String("path", after.Path), slog.String("hash", after.Hash)
	switch {
	case after.Err == nil && (after.Hash != before.Hash || after.Release != before.Release):
		attrs := []slog.Attr{path, hash, slog.String("before", before.Hash),
			slog.Time("newest_observation", s.Current().Info.Last)}
		if after.Release != "" {
			attrs = append(attrs, slog.String("release", after.Release))
		}
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot served", attrs...)
	case after.Err == nil && before.Err != nil:
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot file is the one served again", path, hash)
	case after.Err != before.Err: //nolint:errorlint // the very same error was logged before
		served := "nothing"
		if after.Hash != "" {
			served = after.Hash
		}
		log.LogAttrs(ctx, slog.LevelError, "snapshot refused", path, slog.String("reason", refusalReason(after.Err)),
			slog.String("error", after.Err.Error()), slog.String("served_on", served))
	case reload:
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot as before", path, hash)
	}
}

// Watch looks at the file at each tick, and reads it at each signal, until the
// context is done.
func (s *Snapshots) Watch(ctx context.Context, log *slog.Logger, ticks <-chan time.Time, signals <-chan os.Signal) {
	for reload := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			reload = false
		case <-signals:
			reload = true
		}
		s.Look(ctx, log, reload)
	}
}
