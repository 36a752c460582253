package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

// usage tells a subscriber the key's limits and its use of a month, by default of
// this one. With the parameter month it adds the use by day. The answer changes with
// every request, so it has no tag and nobody may store it.
func (s *Server) usage(c *call, b []byte) ([]byte, error) {
	c.w.Header().Set("Cache-Control", "no-store")
	quota, err := s.State.Quota(c.r.Context(), c.key)
	if err != nil {
		return b, err
	}
	asked, err := c.month(quota.Month)
	if err != nil {
		return b, err
	}
	further := c.query.SomeOf("include", []string{"secrets"})
	if c.query.Err != nil {
		return b, c.query.Err
	}
	months, err := s.State.Usage(c.r.Context(), asked, c.key.ID)
	if err != nil {
		return b, err
	}
	u := wire.Usage{
		Meta: wire.UsageMeta{Version: apiVersion, Endpoint: c.path, GeneratedAt: c.generatedAt()},
		Key: wire.UsageKey{
			ID: c.key.ID, Name: c.key.Name, Prefix: c.key.Shown(), Tier: c.key.Tier.String(), ExpiresAt: orNever(c.key.Expires.UTC()),
		},
		Limits: wire.UsageLimits{PerMinute: c.key.Limits.PerMinute, PerMonth: orUnlimited(quota.Limit)},
		Month: wire.UsageMonth{
			Month: quota.Month.String(), Used: quota.Used, Remaining: orUnlimited(quota.Remaining()), ResetsAt: quota.Resets.UTC(),
		},
		Endpoints: []wire.UsageEndpoint{},
	}
	if asked != quota.Month {
		u.Month = wire.UsageMonth{Month: asked.String(), ResetsAt: (asked + 1).Start()}
	}
	if c.query.Value("month") != "" {
		days, err := s.State.Days(c.r.Context(), asked, c.key.ID)
		if err != nil {
			return b, err
		}
		list := []wire.UsageDay{}
		for _, d := range days {
			list = append(list, wire.UsageDay(d))
		}
		u.Days = &list
	}
	if len(further) > 0 {
		secrets, expiring := secretsOf(c.key, c.auth, c.now)
		u.Secrets, u.Expiring = &secrets, &expiring
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

// keyExpires is the header that announces when the secret that was sent will be
// refused. Responses have it from the first of noticeDays on.
const keyExpires = "Larder-Key-Expires"

// noticeDays are how many days ahead the end of a key or of an old secret is announced.
var noticeDays = []int{30, 7}

// noticeOf returns the least of noticeDays that an end is ahead by at most; 0 if it is
// further ahead, past, or never.
func noticeOf(end, now time.Time) (days int) {
	left := end.Sub(now)
	for _, n := range noticeDays {
		if !end.IsZero() && left > 0 && left <= time.Duration(n)*24*time.Hour {
			days = n
		}
	}
	return days
}

// announceEnd names the end of the key, or of its old secret, in the response. It logs
// each notice of a secret once.
func (s *Server) announceEnd(c *call) {
	end := c.key.Ends()
	days := noticeOf(end, c.now)
	if days == 0 {
		return
	}
	c.w.Header().Set(keyExpires, end.UTC().Format(http.TimeFormat))
	if _, before := s.noticed.LoadOrStore(notice{c.key.ID, end, days}, true); !before {
		s.Log.LogAttrs(c.r.Context(), slog.LevelWarn, "key ends soon", slog.Int64("key_id", c.key.ID), slog.String("secret", secretName(c.key.ByOld)),
			slog.Time("ends", end), slog.Int("within_days", days))
	}
}

// notice is a line of the log about the end of a secret.
type notice struct {
	key  int64
	end  time.Time
	days int
}

func secretName(old bool) string {
	if old {
		return "old"
	}
	return "current"
}

// keyEnd is the end of a key, or of its old secret, that is announced.
type keyEnd struct {
	what string // key or old_secret
	at   time.Time
	days int // of noticeDays
}

// endsOf returns what of a key ends soon.
func endsOf(k state.Key, now time.Time) (ends []keyEnd) {
	for _, e := range []keyEnd{{what: "key", at: k.Expires}, {what: "old_secret", at: k.Old.Until}} {
		if e.days = noticeOf(e.at, now); e.days > 0 {
			ends = append(ends, e)
		}
	}
	return ends
}

// secretsOf describes the live secrets of a key and what ends soon.
func secretsOf(k state.Key, auth state.Auth, now time.Time) (secrets []wire.UsageSecret, expiring []wire.UsageExpiring) {
	secrets = []wire.UsageSecret{{Prefix: k.Shown(), Secret: secretName(false), Sent: auth == state.AuthKey && !k.ByOld, EndsAt: orNever(k.Expires), LastUsedAt: orNever(k.Used)}}
	if k.Overlaps(now) {
		old := k
		old.ByOld = true
		secrets = append(secrets, wire.UsageSecret{Prefix: k.OldShown(), Secret: secretName(true), Sent: k.ByOld, EndsAt: orNever(old.Ends()), LastUsedAt: orNever(k.Old.Used)})
	}
	expiring = []wire.UsageExpiring{}
	for _, e := range endsOf(k, now) {
		expiring = append(expiring, wire.UsageExpiring{What: e.what, EndsAt: e.at, DaysLeft: int(e.at.Sub(now) / (24 * time.Hour)), WithinDays: e.days})
	}
	return secrets, expiring
}

// collectEnding sends how many keys and old secrets end soon. A state that can't be
// read sends nothing.
func (m servedMetrics) collectEnding(send func(kind prometheus.ValueType, name, help string, v float64, labels ...string)) {
	keys, err := m.s.State.Keys(context.Background())
	if err != nil {
		return
	}
	now := m.s.Now()
	count := map[keyEnd]float64{}
	for _, k := range keys {
		if k.Valid(now) != nil {
			continue
		}
		for _, e := range endsOf(k, now) {
			for _, days := range noticeDays {
				if e.days <= days {
					count[keyEnd{what: e.what, days: days}]++
				}
			}
		}
	}
	for _, what := range []string{"key", "old_secret"} {
		for _, days := range noticeDays {
			send(prometheus.GaugeValue, "larder_keys_ending", "Enabled keys that expire, and old secrets that end, within some days.",
				count[keyEnd{what: what, days: days}], "of", what, "within_days", strconv.Itoa(days))
		}
	}
}
