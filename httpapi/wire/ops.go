package wire

import "time"

// Readiness is the body of /readyz. Status is "ready"; "degraded" if requests
// are answered from another snapshot than the file as it is now; or
// "unavailable", with an error and its code.
type Readiness struct {
	Status    string         `json:"status"`
	Error     string         `json:"error,omitempty"`
	Code      string         `json:"code,omitempty"`
	RequestID string         `json:"requestId,omitempty"`
	Snapshot  SnapshotHealth `json:"snapshot"`
	State     struct {       // whether it can be written to
		Status string `json:"status"`           // ok or unavailable
		Empty  bool   `json:"empty,omitempty"`  // no key was ever made
		Detail string `json:"detail,omitempty"` // on the admin address only
	} `json:"state"`
}

// SnapshotHealth says what is served.
type SnapshotHealth struct {
	Hash     *string     `json:"hash"` // null if nothing is served
	LoadedAt *time.Time  `json:"loaded_at"`
	Newest   *time.Time  `json:"newest_observation"`
	Swaps    int         `json:"swaps"`   // snapshots loaded after the first
	Refused  int         `json:"refused"` // files that could not be served
	File     FileHealth  `json:"file"`
	Release  *ReleaseRef `json:"release,omitempty"` // of the snapshot; absent without a release log
}

// FileHealth says what became of the snapshot file as it is now. Path and Detail
// are on the admin address only.
type FileHealth struct {
	Status string     `json:"status"` // served, missing or refused
	Reason string     `json:"reason,omitempty"`
	Since  *time.Time `json:"since,omitempty"`
	Path   string     `json:"path,omitempty"`
	Detail string     `json:"detail,omitempty"`
}
