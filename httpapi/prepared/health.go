package prepared

import (
	"errors"
	"os"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel/sqlite"
)

// Health says what /readyz does of the snapshot. What only operators may know is added with
// admin: the file's name and its error in full.
func (s *Snapshots) Health(admin bool) wire.SnapshotHealth {
	status := s.Status()
	h := wire.SnapshotHealth{Swaps: status.Swaps, Refused: status.Refused, File: wire.FileHealth{Status: "served"}}
	if served := s.Current(); served != nil {
		h.Hash, h.LoadedAt = &served.Info.Hash, &status.LoadedAt
		h.Newest, h.Release = &served.Info.Last, served.Ref
	}
	if admin {
		h.File.Path = status.Path
	}
	if err := status.Err; err != nil {
		h.File.Status, h.File.Since, h.File.Reason = "refused", &status.FailedAt, refusalReason(err)
		if h.File.Reason == "missing" {
			h.File.Status = "missing"
		}
		if admin {
			h.File.Detail = err.Error()
		}
	}
	return h
}

// refusalReasons name the kinds of fault that a snapshot file may have.
var refusalReasons = []struct {
	is     error
	reason string
}{
	{errNotReleased, "not_released"},
	{errReleaseLog, "release_log_unreadable"},
	{os.ErrNotExist, "missing"},
	{os.ErrPermission, "permission_denied"},
	{sqlite.ErrNotSnapshot, "not_a_snapshot"},
	{sqlite.ErrVersion, "other_schema_version"},
	{sqlite.ErrLeftover, "opened_by_another_program"},
	{sqlite.ErrChanged, "changed_since_published"},
}

func refusalReason(err error) string {
	for _, x := range refusalReasons {
		if errors.Is(err, x.is) {
			return x.reason
		}
	}
	return "unreadable"
}
