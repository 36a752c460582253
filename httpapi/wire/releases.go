package wire

import (
	"encoding/json"
	"time"
)

// ReleaseRef names the release that an answer was made from. Without an id it is null:
// nothing was released by then.
type ReleaseRef struct {
	ID         string    `json:"id"`
	ReleasedAt time.Time `json:"released_at"`
}

// MarshalJSON implements json.Marshaler.
func (r *ReleaseRef) MarshalJSON() ([]byte, error) {
	if r.ID == "" {
		return []byte("null"), nil
	}
	type plain ReleaseRef
	return json.Marshal((*plain)(r))
}

// Release is one row of /api/v1/releases.
type Release struct {
	ID              string     `json:"id"`
	ReleasedAt      time.Time  `json:"released_at"`
	Snapshot        string     `json:"snapshot"` // hash of the snapshot
	GateVersion     string     `json:"gate_version"`
	MethodVersion   string     `json:"method_version"`
	Note            Text       `json:"note"`
	WeeksAdded      int        `json:"weeks_added"`
	CellsAdded      int        `json:"cells_added"`
	CellsRevised    int        `json:"cells_revised"`
	CellsWithdrawn  int        `json:"cells_withdrawn"`
	LargestRevision Number     `json:"largest_revision"` // index points; null if no row was revised
	Accepted        []Accepted `json:"accepted"`
}

// Accepted is a stop rule that a release went past, and why.
type Accepted struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}
