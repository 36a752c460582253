//go:build linux && torture

package torture

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// years is a snapshot from July 2026 until after both changes of the clocks in
// Toronto and a year of 53 weeks have passed.
func years(t *testing.T) string {
	return snapshot(t, "years", "--weeks", "36", "--through", "2027-03-19")
}

// beforehand starts a server shortly before a moment and runs ask, which must be
// done before that comes: else all of it is done again, with more time. It
// returns when the moment is not yet over.
func beforehand(t *testing.T, moment string, ask func(now string) *server) (s *server, over time.Time) {
	t.Helper()
	comes, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		t.Fatal(err)
	}
	for soon := 4 * time.Second; ; soon *= 2 {
		over = time.Now().Add(soon) // the server's clock begins later than this
		s = ask(comes.Add(-soon).Format(time.RFC3339))
		if time.Now().Before(over) {
			return s, over
		}
		s.kill()
	}
}

// At midnight in Toronto only answers to queries with a default day get another ETag.
func TestClockKeepsTags(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	key := newKey(t, state)
	stays := map[string]bool{
		"/api/v1/products": true,
		"/api/v1/index?from=2026-11-01&to=2026-11-15":  true,
		"/api/v1/prices?from=2026-11-16&to=2026-11-18": true,
		"/api/v1/prices?to=2026-11-18":                 false, // from is 30 days before today
		"/api/v1/shrinkflation":                        false, // so is this, 90 days
	}
	tags := map[string]string{}
	s, _ := beforehand(t, "2026-11-21T05:00:00Z", func(now string) *server {
		s := serve(t, small(t, "1"), state, at(now))
		for path := range stays {
			tags[path] = s.mustGet(t, path, key).header.Get("ETag")
		}
		return s
	})
	const events = "/api/v1/shrinkflation"
	eventually(t, "another tag of the events", func() bool { return s.mustGet(t, events, key).header.Get("ETag") != tags[events] })
	for path, same := range stays {
		if now := s.mustGet(t, path, key).header.Get("ETag"); now == "" || (now == tags[path]) != same {
			t.Errorf("%s: %s became %s", path, tags[path], now)
		}
	}
	t.Log("promised: an ETag changes with the day only where a default of the query does; seen: so over a midnight in Toronto")
}

// A week is published when it is over in Toronto, whatever its clocks did that
// Sunday, and the year's 53rd like any other: not a second before.
func TestClockClosesWeeks(t *testing.T) {
	for name, c := range map[string]struct{ moment, last, next string }{
		"clocks go back":    {"2026-11-02T05:00:00Z", "2026-10-25", "2026-11-01"},
		"an ordinary week":  {"2026-11-09T05:00:00Z", "2026-11-01", "2026-11-08"},
		"week 53":           {"2027-01-04T05:00:00Z", "2026-12-27", "2027-01-03"},
		"clocks go forward": {"2027-03-15T04:00:00Z", "2027-03-07", "2027-03-14"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := filepath.Join(t.TempDir(), "state.db")
			key := newKey(t, state)
			var before, after *index
			s, over := beforehand(t, c.moment, func(now string) *server {
				s := serve(t, years(t), state, at(now))
				before = s.index(t, key)
				return s
			})
			if before.last != c.last {
				t.Errorf("before, the last week is %s", before.last)
			}
			eventually(t, c.next+" is published", func() bool { after = s.index(t, key); return after.last != c.last })
			if early := time.Until(over); after.last != c.next || early > 0 || after.etag == before.etag {
				t.Errorf("then it is %s, %s early; tags %s and %s", after.last, early, before.etag, after.etag)
			}
			for date, row := range before.rows {
				if after.rows[date] != row {
					t.Errorf("the row of %s changed from %s to %s", date, row, after.rows[date])
				}
			}
			t.Logf("promised: published when the Sunday is over in Toronto; seen: %s, then %s at %s", before.last, after.last, c.moment)
		})
	}
}

// index is the national headline, by date.
type index struct {
	last, etag string
	rows       map[string]string
}

func (s *server) index(t *testing.T, key string) *index {
	t.Helper()
	got := s.mustGet(t, "/api/v1/index?level=national&category=overall&from=2026-07-19", key)
	var body struct{ Observations []json.RawMessage }
	if err := json.Unmarshal(got.body, &body); err != nil || got.status != http.StatusOK || len(body.Observations) == 0 {
		t.Fatalf("%v, %d %s", err, got.status, got.body)
	}
	x := &index{etag: got.header.Get("ETag"), rows: map[string]string{}}
	for _, row := range body.Observations {
		var named struct{ Date string }
		if err := json.Unmarshal(row, &named); err != nil {
			t.Fatal(err)
		}
		x.last, x.rows[named.Date] = named.Date, string(row)
	}
	return x
}

// A month's quota is that of the month in UTC, to the second, at a year's end
// too; and a clock that is set back, by a month or by years, gives nobody a quota
// twice and loses none.
func TestClockMonths(t *testing.T) {
	for name, moment := range map[string]string{"a month's end": "2026-11-01T00:00:00Z", "a year's end": "2027-01-01T00:00:00Z"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const quota = 3
			var state, key, now string
			var seen []string
			use := func(s *server, want ...int) {
				t.Helper()
				for _, status := range want {
					got := s.mustGet(t, "/api/v1/products", key)
					seen = append(seen, strconv.Itoa(got.status))
					if got.status != status || status == 429 && !strings.Contains(string(got.body), `"quota_exceeded"`) {
						t.Errorf("%d %s, want %d", got.status, got.body, status)
					}
				}
			}
			s, _ := beforehand(t, moment, func(early string) *server {
				seen, now, state = nil, early, filepath.Join(t.TempDir(), "state.db")
				key = newKey(t, state, "--per-month", strconv.Itoa(quota))
				s := serve(t, years(t), state, at(now))
				for range quota {
					use(s, 200)
				}
				got := s.mustGet(t, "/api/v1/products", key)
				if wait, _ := strconv.Atoi(got.header.Get("Retry-After")); got.status == 429 && (wait < 1 || wait > 60) {
					t.Errorf("Retry-After %d s", wait)
				}
				seen = append(seen, strconv.Itoa(got.status))
				return s
			})
			if seen[quota] != "429" {
				t.Errorf("above the quota: %v", seen)
			}
			seen = append(seen, "over:")
			eventually(t, "the next month", func() bool { return s.mustGet(t, "/api/v1/products", key).status == 200 })
			use(s, 200)
			for _, jump := range []struct {
				to   string
				want []int
			}{
				{now, []int{429}},                              // back into the old month: it is used up
				{"2026-08-01T00:00:00Z", []int{200}},           // months back: that one is not
				{moment, []int{200, 429}},                      // forward again: one was left
				{"2029-02-28T23:59:59Z", []int{200}},           // years on
				{"2026-08-15T00:00:00Z", []int{200, 200, 429}}, // and back
			} {
				s.kill()
				s = serve(t, years(t), state, at(jump.to))
				seen = append(seen, jump.to+":")
				use(s, jump.want...)
			}
			s.kill()
			if n := query(t, state, "SELECT max(n) FROM (SELECT sum(counted) n FROM monthly_usage GROUP BY month)"); n != strconv.Itoa(quota) {
				t.Errorf("in a month %s were counted", n)
			}
			in := readLog(t, state)
			if in.counted != in.summed {
				t.Errorf("the log counts %d, the sums %d", in.counted, in.summed)
			}
			t.Logf("promised: %d a month in UTC, whatever the clock does; seen: %s", quota, strings.Join(seen, " "))
		})
	}
}
