package httpapi

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/panel/sqlite"
)

// Snapshots holds the snapshot that is served, and swaps it for the one that
// replaces its file. A reader of Current keeps what it got for its whole
// response. It is safe for concurrent use.
type Snapshots struct {
	path    string
	now     func() time.Time
	current atomic.Pointer[Served]

	loading sync.Mutex  // held while the file is looked at
	seen    os.FileInfo // the file when it was looked into; nil if it was not
	looked  time.Time   // when that was

	mu     sync.Mutex // of what follows
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
	Refused   int       // files refused; one that is missing is not
	RefusedAt time.Time // when a file was refused last
}

// NewSnapshots serves the snapshot in a file. Nothing is loaded before Refresh
// is called.
func NewSnapshots(path string, now func() time.Time) *Snapshots {
	return &Snapshots{path: path, now: now, status: SnapshotStatus{Path: path}}
}

// Current returns the snapshot to serve from; nil while there is none.
func (s *Snapshots) Current() *Served { return s.current.Load() }

// Status says what is served, and why the file is not if it is not.
func (s *Snapshots) Status() SnapshotStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// lookAgain is when a refused file is looked into again although it has not
// changed: the fault may have been none of its content, but a file beside it,
// its permissions or the disk.
const lookAgain = time.Minute

// Refresh looks at the file and, if it is another one than before, loads it,
// verifies it and serves it from then on. A file that can't be served is
// refused: what was served before is served on. The error is why. A file that
// was refused and is still the same is refused without another look for a
// minute, and the error is the same one.
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
		served, err := newServed(all)
		if err == nil {
			_, err = served.v2() // now, so that no reader waits for it
		}
		if err != nil {
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

// Reload is Refresh for an operator who asks for it: the file is looked into
// whether it has changed or not.
func (s *Snapshots) Reload(ctx context.Context) error {
	s.loading.Lock()
	s.seen = nil
	s.loading.Unlock()
	return s.Refresh(ctx)
}

// same reports whether the file is the one that was looked into last.
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
