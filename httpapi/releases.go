package httpapi

import (
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/releaselog"
)

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
