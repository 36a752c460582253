package prepared

import (
	"errors"
	"os"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel/sqlite"
)

// Health says what /readyz does of the snapshot. What only operators may know is added with
// admin: the file's name, its error in full, and the release that is loaded ahead.
func (s *Snapshots) Health(admin bool) wire.SnapshotHealth {
	status := s.Status()
	h := wire.SnapshotHealth{Swaps: status.Swaps, Refused: status.Refused, File: wire.FileHealth{Status: "served"}}
	if served := s.Current(); served != nil {
		h.Hash, h.LoadedAt, h.Newest, h.Release = &served.Info.Hash, &status.LoadedAt, &served.Info.Last, served.Ref
		h.Due = s.due(served)
	}
	if next := s.next.Load(); next != nil && admin {
		h.Next = next.Ref
	}
	if err := status.Err; err != nil {
		h.File.Status, h.File.Since = "refused", &status.FailedAt
		h.File.Reason = refusalReason(err)
		if h.File.Reason == "missing" {
			h.File.Status = "missing"
		}
		if admin {
			h.File.Detail = err.Error()
		}
	}
	if admin {
		h.File.Path = status.Path
	}
	return h
}

// due returns the release that is live although an earlier one is in service, since its snapshot
// has not come yet. Otherwise it returns nil.
func (s *Snapshots) due(inService *Served) *wire.ReleaseRef {
	if s.Releases == nil {
		return nil
	}
	live := s.Releases.live(s.now())
	if live <= inService.number {
		return nil
	}
	r := &s.Releases.log.Load().Releases()[live-1]
	return &wire.ReleaseRef{ID: r.ID(), ReleasedAt: r.At}
}

// refusalReason names the kind of fault that a snapshot file has.
func refusalReason(err error) string {
	for _, x := range []struct {
		is     error
		reason string
	}{
		{errNotReleased, "not_released"},
		{errReleaseLog, "release_log_unreadable"},
		{errNotLive, "not_live_yet"},
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
