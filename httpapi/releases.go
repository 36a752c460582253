package httpapi

import (
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/releaselog"
)

// releases are those of the release log beside a snapshot.
type releases struct {
	path, snapshot string
	log            atomic.Pointer[releaselog.Log] // nil until the file can be read
	vintages       *kept[*vintage]
}

// maxVintageRows bounds the vintages in memory. A row takes about 600 bytes, so they take
// 300 MB at most, beside the one in service.
const maxVintageRows = 500_000

var (
	errNotReleased = errors.New("the snapshot is not released")
	errReleaseLog  = errors.New("the release log can't be read")
)

func newReleases(path, snapshot string) *releases {
	return &releases{path: path, snapshot: snapshot, vintages: newKept(maxVintageRows, func(v *vintage) int {
		rows, _ := v.v2() // it was made before it is kept
		return len(rows.rows)
	})}
}

// refresh reads the log if its file is another one than before, and reports whether it has
// more releases than before.
func (l *releases) refresh() (more bool, err error) {
	if l == nil {
		return false, nil
	}
	log, before := l.log.Load(), 0
	if log == nil {
		if log, err = releaselog.Open(l.path); errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("%w: %s does not exist; larder release NEXT --live %s --log %[2]s makes it", errNotReleased, l.path, l.snapshot)
		}
	} else {
		before = len(log.Releases())
		err = log.Refresh()
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", errReleaseLog, err)
	}
	l.log.Store(log)
	return len(log.Releases()) > before, nil
}

// find returns the release that a snapshot may be served as, in place of the one in
// service. It may be the newest, or the one before: the publisher appends a release first
// and replaces the snapshot then. Without a log it is nil.
func (l *releases) find(hash string, inService *Served) (*releaselog.Release, error) {
	if l == nil {
		return nil, nil
	}
	log := l.log.Load()
	all := log.Releases()
	r := log.Of(hash)
	switch {
	case r == nil:
		return nil, fmt.Errorf("%w: %s has the hash %.16s..., which %s does not have; publish it by larder release NEXT --live %[2]s --log %[4]s",
			errNotReleased, l.snapshot, hash, l.path)
	case r.Number < len(all)-1, inService != nil && r.Number < inService.number:
		return nil, fmt.Errorf("%w any more: %s is that of %s, and %s has been released since; put the newest snapshot in its place",
			errNotReleased, l.snapshot, r.ID(), all[len(all)-1].ID())
	}
	return r, nil
}

// vintage returns the index as a release published it; r is nil before the first. The one in
// service is at hand, and others are kept for the next who asks.
func (l *releases) vintage(inService *Served, r *releaselog.Release) (*vintage, error) {
	number := 0
	if r != nil {
		number = r.Number
	}
	if number == inService.number {
		return inService.vintage, nil
	}
	return l.vintages.get(number, func() (*vintage, error) {
		v := releasedVintage(l.log.Load(), r)
		_, err := v.v2()
		return v, err
	})
}

// ReleaseRow returns a release as a row of /api/v1/releases.
func ReleaseRow(r *releaselog.Release) wire.Release {
	row := wire.Release{
		ID: r.ID(), ReleasedAt: r.At, Snapshot: r.Snapshot, GateVersion: r.Gate, MethodVersion: r.Method, Note: wire.Text(r.Note),
		WeeksAdded: r.WeeksAdded, CellsAdded: r.CellsAdded, CellsRevised: r.CellsRevised, CellsWithdrawn: r.CellsWithdrawn,
		LargestRevision: wire.Number(r.LargestRevision.String()), Accepted: []wire.Accepted{},
	}
	for _, a := range r.Accepted {
		row.Accepted = append(row.Accepted, wire.Accepted{Rule: string(a.Rule), Reason: a.Reason})
	}
	return row
}
