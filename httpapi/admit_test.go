package httpapi

import (
	"errors"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// A request with several faults is refused for the first one in the order 401,
// 403, 402, 429, 400, 500; the public index looks at the client's bucket before
// all of them.
func TestOrderOfChecks(t *testing.T) {
	const (
		unknown              = "larder_live_000000000000000000000000000000000000"
		standardOnly, public = "/api/v1/prices", "/api/public/index"
		bad                  = "?nosuch=1"
	)
	type key struct {
		tier                     state.Tier
		disabled, expired, spent bool // spent: the minute
		used                     bool // the month
	}
	for _, c := range []struct {
		name       string
		key        *key // nil: none
		secret     string
		address    string
		clientUsed bool // the client's bucket is empty
		noSnapshot bool
		status     int
		code       string
	}{
		{name: "everything right", key: &key{tier: state.Standard}, address: standardOnly, status: 200},
		{name: "500", key: &key{tier: state.Standard}, address: standardOnly, noSnapshot: true, status: 500, code: "internal_error"},
		{name: "400 before 500", key: &key{tier: state.Standard}, address: standardOnly + bad, noSnapshot: true, status: 400, code: "invalid_parameter"},
		{name: "429 month before 400, 500", key: &key{tier: state.Standard, used: true}, address: standardOnly + bad, noSnapshot: true, status: 429, code: "quota_exceeded"},
		{name: "429 minute before month", key: &key{tier: state.Standard, used: true, spent: true}, address: standardOnly + bad, status: 429, code: "rate_limited"},
		{name: "429 before 400, 500", key: &key{tier: state.Standard, spent: true}, address: standardOnly + bad, noSnapshot: true, status: 429, code: "rate_limited"},
		{name: "402 before 429, 400, 500", key: &key{tier: state.Research, spent: true, used: true}, address: standardOnly + bad, noSnapshot: true, status: 402, code: "tier_required"},
		{name: "403 before 402, 429, 400, 500", key: &key{tier: state.Research, disabled: true, spent: true}, address: standardOnly + bad, noSnapshot: true, status: 403, code: "key_disabled"},
		{name: "403 expired", key: &key{tier: state.Research, expired: true, spent: true}, address: standardOnly + bad, status: 403, code: "key_expired"},
		{name: "403 disabled before expired", key: &key{tier: state.Research, expired: true, disabled: true}, address: standardOnly, status: 403, code: "key_disabled"},
		{name: "401 before 400, 500", secret: unknown, address: standardOnly + bad, noSnapshot: true, status: 401, code: "unauthorized"},
		{name: "401 without a key", address: standardOnly + bad, noSnapshot: true, status: 401, code: "unauthorized"},
		{name: "404 before 401", address: "/api/v1/nosuch", status: 404, code: "not_found"},
		{name: "public: client before 401", secret: unknown, address: public + bad, clientUsed: true, noSnapshot: true, status: 429, code: "rate_limited"},
		{name: "public: client before 403", key: &key{tier: state.Research, disabled: true}, address: public + bad, clientUsed: true, status: 429, code: "rate_limited"},
		{name: "public: client before 200", key: &key{tier: state.Research}, address: public, clientUsed: true, status: 429, code: "rate_limited"},
		{name: "public: the key's minute", key: &key{tier: state.Research, spent: true}, address: public + bad, status: 429, code: "rate_limited"},
		{name: "public: the client's bucket is of the public index only", key: &key{tier: state.Standard}, address: standardOnly, clientUsed: true, status: 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, db := demo()
			if c.noSnapshot {
				db = t.TempDir() + "/none.db"
			}
			f := serveSnapshot(t, db, func(c *Config) { c.PublicPerMinute = 2 })
			if c.noSnapshot && !errors.Is(f.snapshots.Status().Err, os.ErrNotExist) {
				t.Fatal(f.snapshots.Status().Err)
			}
			secret := c.secret
			if k := c.key; k != nil {
				n := state.NewKey{Name: "test", Tier: k.tier, PerMinute: 2, PerMonth: 1000}
				if k.used {
					n.PerMonth = 1
				}
				if k.expired {
					n.Expires = testNow.Add(time.Second)
				}
				made, s, err := f.state.CreateKey(t.Context(), n)
				if err != nil {
					t.Fatal(err)
				}
				secret = s
				limit := bucketLimit{perMinute: 2}
				if k.used {
					r, err := f.state.Reserve(t.Context(), made)
					if err != nil {
						t.Fatal(err)
					}
					defer r.Cancel()
				}
				if k.spent {
					for f.server.keys.take(made.ID, limit, f.clock.Now()).ok {
					}
				}
				if k.disabled {
					if _, err := f.state.DisableKey(t.Context(), made.ID); err != nil {
						t.Fatal(err)
					}
				}
				if k.expired {
					f.clock.Advance(time.Second)
				}
			}
			if c.clientUsed {
				for range 2 {
					f.get(public, "")
				}
			}
			got := f.get(c.address, secret)
			code, _ := got.json(t)["code"].(string)
			if got.StatusCode != c.status || code != c.code {
				t.Errorf("%d %s, want %d %s", got.StatusCode, code, c.status, c.code)
			}
			if retry, err := strconv.Atoi(got.Header.Get("Retry-After")); c.status == 429 && (err != nil || retry < 1) {
				t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
			}
		})
	}
}

// Every authenticated call to a resource counts in the key's minute, whatever
// its answer; only 2xx count in the month.
func TestWhatCounts(t *testing.T) {
	f := serveDemo(t)
	key := f.key(state.Standard, func(k *state.NewKey) { k.PerMinute, k.PerMonth = 100, 10 })
	keys, err := f.state.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tag := f.get("/api/v1/products", key).Header.Get("ETag")
	for _, c := range []struct {
		name, method, address string
		change                []func(*http.Request)
		status, minute, month int // left after it
	}{
		{name: "200", method: "GET", address: "/api/v1/products", status: 200, minute: 98, month: 8},
		{name: "HEAD", method: "HEAD", address: "/api/v1/products", status: 200, minute: 97, month: 7},
		{name: "304", method: "GET", address: "/api/v1/products", change: []func(*http.Request){header("If-None-Match", tag)}, status: 304, minute: 96, month: 7},
		{name: "400", method: "GET", address: "/api/v1/index?from=x", status: 400, minute: 95, month: 7},
		{name: "usage is free", method: "GET", address: "/api/v1/usage", status: 200, minute: 94, month: 7},
		{name: "404 is nobody's", method: "GET", address: "/api/v1/nosuch", status: 404, minute: 94, month: 7},
		{name: "405 is nobody's", method: "POST", address: "/api/v1/products", status: 405, minute: 94, month: 7},
	} {
		if got := f.do(c.method, c.address, key, "", c.change...); got.StatusCode != c.status {
			t.Errorf("%s: %d %s", c.name, got.StatusCode, got.body)
		}
		quota, err := f.state.Quota(t.Context(), keys[0])
		if err != nil || quota.Remaining() != int64(c.month) || quota.Pending != 0 {
			t.Errorf("%s: %+v, %v, want %d left in the month", c.name, quota, err, c.month)
		}
		f.server.keys.mu.Lock()
		left := int(f.server.keys.all[keys[0].ID].TokensAt(f.clock.Now()))
		f.server.keys.mu.Unlock()
		if left != c.minute {
			t.Errorf("%s: %d left in the minute, want %d", c.name, left, c.minute)
		}
	}
}

// What does not count against the month is not taken out of what the headers
// say is left of it.
func TestMonthInHeaders(t *testing.T) {
	f := serveDemo(t)
	key := f.key(state.Research, func(n *state.NewKey) { n.PerMonth = 10 })
	left := func(r *response) string {
		_, month, _ := strings.Cut(r.Header.Get("RateLimit"), `"month";r=`)
		left, _, _ := strings.Cut(month, ";")
		return left
	}
	const path = "/api/v1/products"
	first := f.get(path, key)
	for _, c := range []struct {
		name   string
		got    *response
		status int
		want   string
	}{
		{"the first", first, http.StatusOK, "9"},
		{"not modified", f.get(path, key, header("If-None-Match", first.Header.Get("ETag"))), http.StatusNotModified, "9"},
		{"refused", f.get(path+"?x=1", key), http.StatusBadRequest, "9"},
		{"the second", f.get(path, key), http.StatusOK, "8"},
	} {
		if c.got.StatusCode != c.status || left(c.got) != c.want {
			t.Errorf("%s: %d, %s left of the month, want %d and %s", c.name, c.got.StatusCode, left(c.got), c.status, c.want)
		}
	}
}

// A quota whose rest is held by requests under way is not used up: whoever waits
// a second may still get it.
func TestQuotaUnderWay(t *testing.T) {
	f := serveDemo(t)
	secret := f.key(state.Research, func(n *state.NewKey) { n.PerMonth = 1 })
	k, err := f.state.Lookup(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	underWay, err := f.state.Reserve(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	r := f.get("/api/v1/products", secret)
	if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "1" || r.json(t)["code"] != "quota_exceeded" {
		t.Errorf("while a request is under way: %d, Retry-After %q, %s", r.StatusCode, r.Header.Get("Retry-After"), r.body)
	}
	underWay.Cancel()
	if r := f.get("/api/v1/products", secret); r.StatusCode != http.StatusOK {
		t.Errorf("when it came to nothing: %d", r.StatusCode)
	}
	if r := f.get("/api/v1/products", secret); r.StatusCode != http.StatusTooManyRequests || len(r.Header.Get("Retry-After")) < 5 {
		t.Errorf("used up: %d, Retry-After %q", r.StatusCode, r.Header.Get("Retry-After"))
	}
}
