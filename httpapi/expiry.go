package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

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
