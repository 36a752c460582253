package wire

import "time"

// Usage is the body of /api/v1/usage and /account/usage. A limit that does not
// exist, what is left of it, and the expiry of a key without one are null.
type Usage struct {
	Meta struct {
		Version     string `json:"version"`
		Endpoint    string `json:"endpoint"`
		GeneratedAt string `json:"generated_at"`
	} `json:"meta"`
	Key struct { // without its secret
		ID        int64      `json:"id"`
		Name      string     `json:"name"`
		Prefix    string     `json:"prefix"`
		Tier      string     `json:"tier"`
		ExpiresAt *time.Time `json:"expires_at"` // the first moment at which it is refused
	} `json:"key"`
	Limits struct {
		PerMinute int64  `json:"per_minute"` // requests of any outcome
		PerMonth  *int64 `json:"per_month"`  // requests answered with 2xx
	} `json:"limits"`
	Month struct { // in UTC
		Month     string    `json:"month"`     // YYYY-MM
		Used      int64     `json:"used"`      // of PerMonth
		Remaining *int64    `json:"remaining"` // null for a month that is over
		ResetsAt  time.Time `json:"resets_at"`
	} `json:"month"`
	Endpoints []UsageEndpoint `json:"endpoints"`      // by address, then class of status
	Days      *[]UsageDay     `json:"days,omitempty"` // only with the parameter month
}

// UsageDay sums the requests of one day in UTC. Days without requests are left out.
type UsageDay struct {
	Date     string `json:"date"` // YYYY-MM-DD
	Requests int64  `json:"requests"`
	Counted  int64  `json:"counted"` // against PerMonth
	Bytes    int64  `json:"bytes"`
}

// UsageEndpoint sums the month's requests of one address and class of status.
type UsageEndpoint struct {
	Endpoint    string `json:"endpoint"`
	StatusClass int    `json:"status_class"` // 2 for 200 to 299
	Requests    int64  `json:"requests"`
	Counted     int64  `json:"counted"` // of them, against PerMonth
	Bytes       int64  `json:"bytes"`
}

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
