package httpapi

import (
	"time"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// usageBody is the body of /api/v1/usage and /account/usage. A limit that does not
// exist, what is left of it, and the expiry of a key without one are null.
type usageBody struct {
	Meta struct {
		Version     string `json:"version"`
		Endpoint    string `json:"endpoint"`
		GeneratedAt string `json:"generated_at"`
	} `json:"meta"`
	Key struct {
		ID        int64      `json:"id"`
		Name      string     `json:"name"`
		Prefix    string     `json:"prefix"`
		Tier      state.Tier `json:"tier"`
		ExpiresAt *time.Time `json:"expires_at"`
	} `json:"key"`
	Limits struct {
		PerMinute int64  `json:"per_minute"`
		PerMonth  *int64 `json:"per_month"`
	} `json:"limits"`
	Month struct {
		Month     state.Month `json:"month"`
		Used      int64       `json:"used"`
		Remaining *int64      `json:"remaining"` // null for a month that is over, too
		ResetsAt  time.Time   `json:"resets_at"`
	} `json:"month"`
	Endpoints []state.Usage    `json:"endpoints"`
	Days      []state.DayUsage `json:"days,omitzero"` // only with the parameter month
}

// usage tells a subscriber the key's limits and its use of a month, by default of
// this one. With the parameter month it adds the use by day. The answer changes with
// every request, so it has no tag and nobody may store it.
func (s *Server) usage(c *call, b []byte) ([]byte, error) {
	c.w.Header().Set("Cache-Control", "no-store")
	ctx, key := c.r.Context(), c.payer.key
	quota, err := s.State.Quota(ctx, key)
	if err != nil {
		return b, err
	}
	var u usageBody
	u.Meta.Version, u.Meta.Endpoint, u.Meta.GeneratedAt = apiVersion, c.path, c.generatedAt()
	u.Key.ID, u.Key.Name = key.ID, key.Name
	u.Key.Prefix, u.Key.Tier = key.Shown(), key.Tier
	u.Key.ExpiresAt = orNull(key.Expires, time.Time{})
	u.Limits.PerMinute, u.Limits.PerMonth = key.Limits.PerMinute, orNull(quota.Limit, state.Unlimited)
	month := quota.Month
	if v := c.query.Value("month"); v != "" {
		if month, err = state.ParseMonth(v); err != nil || month > quota.Month {
			return b, reply.Invalid("month", []string{"YYYY-MM"},
				"month: %s is not a month up to this one, written YYYY-MM, such as %s", reply.Quote(v), quota.Month)
		}
		if u.Days, err = s.State.Days(ctx, month, key.ID); err != nil {
			return b, err
		}
	}
	if u.Endpoints, err = s.State.Usage(ctx, month, key.ID); err != nil {
		return b, err
	}
	u.Month.Month, u.Month.ResetsAt = month, month.Next().Start()
	for i := range u.Endpoints {
		u.Month.Used += u.Endpoints[i].Counted
		u.Endpoints[i].First, u.Endpoints[i].Last = time.Time{}, time.Time{} // the log's, not the answer's
	}
	if month == quota.Month {
		u.Month.Used, u.Month.Remaining = quota.Used, orNull(quota.Remaining(), state.Unlimited)
	}
	return reply.AppendJSON(b, u)
}

// orNull returns a value; nil for the one that means none.
func orNull[T comparable](x, none T) *T {
	if x == none {
		return nil
	}
	return &x
}
