package prepared

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/release"
	releaselog "github.com/larder-index/larder/jevons/release/log"
)

// Releases are those of the release log beside a snapshot.
type Releases struct {
	path, snapshot string
	log            atomic.Pointer[releaselog.Log] // nil until the file can be read
}

var (
	errNotReleased = errors.New("the snapshot is not released")
	errReleaseLog  = errors.New("the release log can't be read")
)

// refresh reads the log if its file was replaced, and reports whether it has more releases
// than before.
func (l *Releases) refresh() (more bool, err error) {
	if l == nil {
		return false, nil
	}
	log, before := l.log.Load(), 0
	if log == nil {
		if log, err = releaselog.Open(l.path); errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("%w: %s does not exist; larder release NEXT --live %s --log %[2]s makes it",
				errNotReleased, l.path, l.snapshot)
		}
	} else {
		before = len(log.Releases())
		log, err = log.Refresh()
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", errReleaseLog, err)
	}
	l.log.Store(log)
	return len(log.Releases()) > before, nil
}

// find returns the release that a snapshot may be served as, in place of the one in service. It
// is the newest, or the one before: the publisher appends a release first and replaces the
// snapshot then. Without a log it is nil.
func (l *Releases) find(hash string, inService *Snapshot) (*releaselog.Release, error) {
	if l == nil {
		return nil, nil
	}
	log := l.log.Load()
	r, n := log.Of(hash), len(log.Releases())
	switch {
	case r == nil:
		return nil, fmt.Errorf("%w: %s has the hash %.16s..., which %s does not have; publish it by larder release "+
			"NEXT --live %[2]s --log %[4]s",
			errNotReleased, l.snapshot, hash, l.path)
	case r.Number < n-1 || inService != nil && r.Number < inService.number:
		return nil, fmt.Errorf("%w any more: %s is that of %s, and %s has been released since; put the newest "+
			"snapshot in its place",
			errNotReleased, l.snapshot, r.ID(), log.Releases()[n-1].ID())
	}
	return r, nil
}

// Past returns the index as a release published it; r is nil before the first.
func (*Releases) Past(inService *Snapshot, r *releaselog.Release) (*Snapshot, error) {
	if r != nil && r.Number == inService.number {
		return inService, nil
	}
	return inService.past(r)
}

// UpTo returns the releases up to the one in service, oldest first. The log has a later one
// while the publisher replaces the snapshot.
func (l *Releases) UpTo(inService *Snapshot) []releaselog.Release {
	return l.log.Load().Releases()[:inService.number]
}

// AsOf returns the release that a parameter names: by its id, or as the newest one at an
// instant. It is nil before the first. A release whose snapshot is not in service yet does
// not count.
func (l *Releases) AsOf(now time.Time, inService *Snapshot, name, text string) (*releaselog.Release, error) {
	log := l.log.Load()
	r, err := log.AsOf(text, now)
	if newest := inService.number; err == nil && r != nil && r.Number > newest {
		if r = &log.Releases()[newest-1]; strings.HasPrefix(text, "r") {
			return nil, reply.Invalid(name, nil, "%s: there is no release %s; the newest is %s", name,
				reply.Quote(text), r.ID())
		}
	}
	if err != nil {
		return nil, reply.Invalid(name, nil, "%s: %s", name, err)
	}
	return r, nil
}

// SizeOf returns how many cells a release changed.
func SizeOf(r *releaselog.Release) int { return r.CellsAdded + r.CellsRevised + r.CellsWithdrawn }

// Changes returns the cells that a release changed, in the order of release.Diff.
func (l *Releases) Changes(number int) ([]release.Change, error) { return l.log.Load().Changes(number) }

// ReleaseRow returns a release as a row of /api/v1/releases.
func ReleaseRow(r *releaselog.Release) wire.Release {
	row := wire.Release{
		ID: r.ID(), ReleasedAt: r.At, Snapshot: r.Snapshot, GateVersion: r.Gate, MethodVersion: r.Method,
		Note:       wire.Text(r.Note),
		WeeksAdded: r.WeeksAdded, CellsAdded: r.CellsAdded, CellsRevised: r.CellsRevised,
		CellsWithdrawn:  r.CellsWithdrawn,
		LargestRevision: wire.Number(r.LargestRevision.String()), Accepted: []wire.Accepted{},
	}
	for _, rule := range r.Skipped {
		row.Skipped = append(row.Skipped, string(rule))
	}
	for _, a := range r.Accepted {
		row.Accepted = append(row.Accepted, wire.Accepted{Rule: string(a.Rule), Reason: a.Reason, Found: wire.Found{
			ID: a.ID, Value: wire.Number(a.Value.String()), Low: wire.Number(a.Low.String()),
			High: wire.Number(a.High.String()), Unit: a.Unit,
		}})
	}
	return row
}
