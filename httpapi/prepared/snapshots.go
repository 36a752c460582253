package prepared

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

// Snapshots holds the snapshot that is served, and swaps it for the one that
// replaces its file. A caller of Current keeps what it got for its whole
// response. It is safe for concurrent use.
type Snapshots struct {
	path     string
	now      func() time.Time
	Releases *Releases // nil without a release log
	Loaded   func()    // called after a snapshot was loaded; nil: nothing is
	current  atomic.Pointer[Served]

	loading    sync.Mutex  // held while the file is looked at
	seen       os.FileInfo // the file when it was last read; nil if it was not
	looked     time.Time   // when that was
	unreleased string      // hash of that file if it was left alone since it is not released

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
	s.Releases = newReleases(log, path)
	return s
}

// Current returns the snapshot to serve from, or nil.
func (s *Snapshots) Current() *Served { return s.current.Load() }

// Notice says that the prices of the snapshot that is served are invented; empty if
// they are not, or nothing is served.
func (s *Snapshots) Notice() string { return s.Current().About().Notice() }

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
	if s.same(info) {
		refused := s.Status().Err
		switch {
		case refused == nil && more: // it may have been released again
			return s.serve(info, s.current.Load().Contents)
		case refused == nil, !more && s.now().Sub(s.looked) < lookAgain:
			return refused
		case s.unreleased != "":
			if _, err := s.Releases.find(s.unreleased, s.current.Load()); err != nil {
				return s.refuse(info, fmt.Errorf("httpapi: %w", err))
			}
		}
	}
	var before *sqlite.Contents
	if old := s.current.Load(); old != nil {
		before = old.Contents
	}
	all, err := sqlite.LoadBeside(ctx, s.path, before)
	if ctx.Err() != nil {
		return ctx.Err() // no fault of the file
	}
	if err != nil {
		return s.refuse(info, err)
	}
	if _, err := s.Releases.refresh(); err != nil { // the file may have come after the first look
		return s.refuse(nil, fmt.Errorf("httpapi: %w", err))
	}
	err = s.serve(info, all)
	if s.Loaded != nil {
		go s.Loaded()
	}
	return err
}

// serve puts a loaded snapshot in service, unless it or its release is in service already.
func (s *Snapshots) serve(info os.FileInfo, all *sqlite.Contents) error {
	r, err := s.Releases.find(all.Info.Hash, s.current.Load())
	if err != nil {
		err = s.refuse(info, fmt.Errorf("httpapi: %w", err))
		s.unreleased = all.Info.Hash
		return err
	}
	served, err := s.prepare(all, r)
	if err != nil {
		return s.refuse(info, fmt.Errorf("httpapi: snapshot %s: %w", s.path, err))
	}
	now := s.now()
	old := s.current.Swap(served)
	s.seen, s.looked, s.unreleased = info, now, ""
	s.mu.Lock()
	defer s.mu.Unlock()
	if old == nil || old.Info.Hash != served.Info.Hash {
		if old != nil {
			s.status.Swaps++
		}
		s.status.Hash, s.status.LoadedAt = served.Info.Hash, now
	}
	if r != nil {
		s.status.Release = r.ID()
	}
	s.status.Err, s.status.FailedAt = nil, time.Time{}
	return nil
}

// prepare returns what is served of a snapshot as a release; r is nil without a release log. It
// makes nothing anew that is at hand.
func (s *Snapshots) prepare(all *sqlite.Contents, r *releaselog.Release) (served *Served, err error) {
	old := s.current.Load()
	same := old != nil && old.Info.Hash == all.Info.Hash
	switch {
	case same && (r == nil || r.Number == old.number):
		return old, nil
	case same:
		served = old.rereleased(releasedVintage(s.Releases.log.Load(), r, old.Panel))
	case r == nil:
		served = newServed(all, newVintage(all))
	default:
		served = newServed(all, releasedVintage(s.Releases.log.Load(), r, all.Panel))
	}
	rows, err := served.V2() // now, so that no reader waits for it
	if err == nil {
		rows.write()
	}
	return served, err
}

// same reports whether the file is the one that was last read.
func (s *Snapshots) same(info os.FileInfo) bool {
	return s.seen != nil && os.SameFile(s.seen, info) && s.seen.ModTime().Equal(info.ModTime()) && s.seen.Size() == info.Size()
}

// refuse notes why the file is not served, once for each file and fault.
func (s *Snapshots) refuse(info os.FileInfo, err error) error {
	known := info == nil && s.seen == nil || info != nil && s.same(info)
	now := s.now()
	if s.seen, s.looked = info, now; !errors.Is(err, errNotReleased) {
		s.unreleased = ""
	}
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
