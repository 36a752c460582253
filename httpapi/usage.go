package httpapi

import (
	"encoding/json"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// usageResponse is what /api/v1/usage answers. A limit that there is not, what
// is left of it, and the expiry of a key that has none are null.
type usageResponse struct {
	Meta      usageMeta       `json:"meta"`
	Key       usageKey        `json:"key"`
	Limits    usageLimits     `json:"limits"`
	Month     usageMonth      `json:"month"`
	Endpoints []usageEndpoint `json:"endpoints"` // by address, then class
}

type usageMeta struct {
	Version     string `json:"version"`
	Endpoint    string `json:"endpoint"`
	GeneratedAt string `json:"generated_at"`
}

// usageKey says which key it is, without its secret.
type usageKey struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Prefix    string  `json:"prefix"`
	Tier      string  `json:"tier"`
	ExpiresAt *string `json:"expires_at"` // the first moment at which it is refused
}

type usageLimits struct {
	PerMinute int64  `json:"per_minute"` // every request
	PerMonth  *int64 `json:"per_month"`  // requests answered 2xx
}

// usageMonth is the use of the calendar month, in UTC.
type usageMonth struct {
	Month     string `json:"month"`
	Used      int64  `json:"used"` // of per_month, with the requests under way
	Remaining *int64 `json:"remaining"`
	ResetsAt  string `json:"resets_at"`
}

// usageEndpoint is what the month's log has of one address and class of status.
type usageEndpoint struct {
	Endpoint    string `json:"endpoint"`
	StatusClass int    `json:"status_class"` // 2 for 200 to 299
	Requests    int64  `json:"requests"`
	Counted     int64  `json:"counted"` // of them, against per_month
	Bytes       int64  `json:"bytes"`
}

// usage tells a subscriber what the key may do and has done. It is of this very
// moment, so it has no tag and is kept by nobody.
func (s *Server) usage(c *call, b []byte) ([]byte, error) {
	c.w.Header().Set("Cache-Control", "no-store")
	quota, err := s.State.Quota(c.r.Context(), c.key)
	if err != nil {
		return b, err
	}
	months, err := s.State.Usage(c.r.Context(), quota.Month, c.key.ID)
	if err != nil {
		return b, err
	}
	u := usageResponse{
		Meta: usageMeta{Version: apiVersion, Endpoint: c.path, GeneratedAt: c.generatedAt()},
		Key: usageKey{
			ID: c.key.ID, Name: c.key.Name, Prefix: c.key.Prefix, Tier: c.key.Tier.String(), ExpiresAt: momentOrNull(c.key.Expires),
		},
		Limits: usageLimits{PerMinute: c.key.Limits.PerMinute, PerMonth: limitOrNull(quota.Limit)},
		Month: usageMonth{
			Month: quota.Month.String(), Used: quota.Used, Remaining: limitOrNull(quota.Remaining()),
			ResetsAt: quota.Resets.UTC().Format(time.RFC3339),
		},
		Endpoints: []usageEndpoint{},
	}
	for _, month := range months {
		for _, x := range month.Lines {
			u.Endpoints = append(u.Endpoints, usageEndpoint{x.Endpoint, x.StatusClass, x.Requests, x.Counted, x.Bytes})
		}
	}
	text, err := json.Marshal(&u)
	return append(append(b, text...), '\n'), err
}

// limitOrNull returns a limit, or what is left of it; nil if there is none.
func limitOrNull(n int64) *int64 {
	if n == state.Unlimited {
		return nil
	}
	return &n
}

// momentOrNull writes a moment; nil for none.
func momentOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format(time.RFC3339Nano)
	return &text
}
