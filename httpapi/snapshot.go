package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/panel/sqlite"
)

// Snapshots holds the snapshot that is served, and swaps it for the one that
// replaces its file. A caller of Current keeps what it got for its whole
// response. It is safe for concurrent use.
type Snapshots struct {
	path    string
	now     func() time.Time
	current atomic.Pointer[Served]

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

// Current returns the snapshot to serve from, or nil.
func (s *Snapshots) Current() *Served { return s.current.Load() }

// Notice says that the prices of the snapshot that is served are invented; empty if
// they are not, or nothing is served.
func (s *Snapshots) Notice() string { return s.Current().about().Notice() }

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
// with the same error, and is read anew after a minute.
func (s *Snapshots) Refresh(ctx context.Context) error {
	s.loading.Lock()
	defer s.loading.Unlock()
	info, err := os.Stat(s.path)
	if err != nil {
		return s.refuse(nil, fmt.Errorf("httpapi: snapshot: %w", err))
	}
	refused := s.Status().Err
	if s.same(info) && (refused == nil || s.now().Sub(s.looked) < lookAgain) {
		return refused
	}
	all, err := sqlite.LoadAll(ctx, s.path)
	if ctx.Err() != nil {
		return ctx.Err() // no fault of the file
	}
	if err != nil {
		return s.refuse(info, err)
	}
	old := s.current.Load()
	other := old == nil || old.Info.Hash != all.Info.Hash
	if other {
		served := newServed(all)
		if _, err := served.v2(); err != nil { // now, so that no reader waits for it
			return s.refuse(info, fmt.Errorf("httpapi: snapshot %s: %w", s.path, err))
		}
		s.current.Store(served)
	}
	now := s.now()
	s.seen, s.looked = info, now
	s.mu.Lock()
	defer s.mu.Unlock()
	if other {
		if old != nil {
			s.status.Swaps++
		}
		s.status.Hash, s.status.LoadedAt = all.Info.Hash, now
	}
	s.status.Err, s.status.FailedAt = nil, time.Time{}
	return nil
}

// same reports whether the file is the one that was last read.
func (s *Snapshots) same(info os.FileInfo) bool {
	return s.seen != nil && os.SameFile(s.seen, info) && s.seen.ModTime().Equal(info.ModTime()) && s.seen.Size() == info.Size()
}

// refuse notes why the file is not served, once for each file and fault.
func (s *Snapshots) refuse(info os.FileInfo, err error) error {
	known := info == nil && s.seen == nil || info != nil && s.same(info)
	now := s.now()
	s.seen, s.looked = info, now
	s.mu.Lock()
	defer s.mu.Unlock()
	if known && s.status.Err != nil && s.status.Err.Error() == err.Error() {
		return s.status.Err
	}
	s.status.Err, s.status.FailedAt = err, now
	if info != nil {
		s.status.Refused++
		s.status.RefusedAt = now
	}
	return err
}

// refusalReason names the kind of fault that a snapshot file has.
func refusalReason(err error) string {
	for _, x := range []struct {
		is     error
		reason string
	}{
		{os.ErrNotExist, "missing"},
		{os.ErrPermission, "permission_denied"},
		{sqlite.ErrNotSnapshot, "not_a_snapshot"},
		{sqlite.ErrVersion, "other_schema_version"},
		{sqlite.ErrLeftover, "opened_by_another_program"},
		{sqlite.ErrChanged, "changed_since_published"},
	} {
		if errors.Is(err, x.is) {
			return x.reason
		}
	}
	return "unreadable"
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
	case after.Err == nil && after.Hash != before.Hash:
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot served", path, hash,
			slog.String("before", before.Hash), slog.Time("newest_observation", s.Current().Info.Last))
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
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			s.Look(ctx, log, false)
		case <-signals:
			s.Look(ctx, log, true)
		}
	}
}
