package httpapi

import (
	"time"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

// usage tells a subscriber the key's limits and its use of a month, by default of
// this one. With the parameter month it adds the use by day. The answer changes with
// every request, so it has no tag and nobody may store it.
func (s *Server) usage(c *call, b []byte) ([]byte, error) {
	c.w.Header().Set("Cache-Control", "no-store")
	ctx, key := c.r.Context(), c.key
	quota, err := s.State.Quota(ctx, key)
	if err != nil {
		return b, err
	}
	asked, err := c.month(quota.Month)
	if err != nil {
		return b, err
	}
	months, err := s.State.Usage(ctx, asked, key.ID)
	if err != nil {
		return b, err
	}
	u := wire.Usage{Endpoints: []wire.UsageEndpoint{}}
	u.Meta.Version, u.Meta.Endpoint, u.Meta.GeneratedAt = apiVersion, c.path, c.generatedAt()
	u.Key.ID, u.Key.Name, u.Key.Prefix, u.Key.Tier = key.ID, key.Name, key.Shown(), key.Tier.String()
	u.Key.ExpiresAt = orNever(key.Expires.UTC())
	u.Limits.PerMinute, u.Limits.PerMonth = key.Limits.PerMinute, orUnlimited(quota.Limit)
	u.Month.Month, u.Month.ResetsAt = asked.String(), (asked + 1).Start()
	if asked == quota.Month {
		u.Month.Used, u.Month.Remaining = quota.Used, orUnlimited(quota.Remaining())
	}
	if c.query.Value("month") != "" {
		days, err := s.State.Days(ctx, asked, key.ID)
		if err != nil {
			return b, err
		}
		list := []wire.UsageDay{}
		for _, d := range days {
			list = append(list, wire.UsageDay(d))
		}
		u.Days = &list
	}
	for _, month := range months {
		if asked != quota.Month {
			u.Month.Used = month.Total.Counted
		}
		for _, x := range month.Lines {
			u.Endpoints = append(u.Endpoints, wire.UsageEndpoint{
				Endpoint: x.Endpoint, StatusClass: x.StatusClass, Requests: x.Requests, Counted: x.Counted, Bytes: x.Bytes,
			})
		}
	}
	return reply.AppendJSON(b, u)
}

// month returns the month that the query names, or the current one. A later month
// is refused.
func (c *call) month(current state.Month) (state.Month, error) {
	v := c.query.Value("month")
	if v == "" {
		return current, nil
	}
	m, err := state.ParseMonth(v)
	if err != nil || m > current {
		return 0, reply.Invalid("month", []string{"YYYY-MM"}, "month: %s is not a month up to this one, written YYYY-MM, such as %s", reply.Quote(v), current)
	}
	return m, nil
}

// orUnlimited returns a limit, or what is left of it; nil if there is no limit.
func orUnlimited(n int64) *int64 {
	if n == state.Unlimited {
		return nil
	}
	return &n
}

// orNever returns a moment; nil for the zero one.
func orNever(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
