package httpapi_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestOrderOfChecks sends requests with several faults. They are refused for the first one
// in the order 401, 403, 402, 429, 400, 500. The public index checks the client's bucket
// before that.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	const (
		unknown              = apitest.UnknownKey
		standardOnly, public = "/api/v1/prices", "/api/public/index"
		bad                  = "?nosuch=1"
	)
	type key struct {
		tier                     state.Tier
		disabled, expired, spent bool // spent: the minute
		used                     bool // the month
	}
	two := func(c *httpapi.Config) { c.PublicPerMinute = 2 }
	f, none, client := apitest.Serve(t, two, apitest.BehindProxy), apitest.ServeFile(t, t.TempDir()+"/none.db", two, apitest.BehindProxy), 0
	for _, c := range []struct {
		name       string
		key        *key // nil: no key
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
		{name: "402 before 429, 400, 500", key: &key{tier: state.Research, spent: true, used: true}, address: standardOnly + bad, noSnapshot: true, status: 402, code: "tier_required"},
		{name: "403 before 402, 429, 400, 500", key: &key{tier: state.Research, disabled: true, spent: true}, address: standardOnly + bad, noSnapshot: true, status: 403, code: "key_disabled"},
		{name: "403 expired", key: &key{tier: state.Research, expired: true, spent: true}, address: standardOnly + bad, status: 403, code: "key_expired"},
		{name: "403 disabled before expired", key: &key{tier: state.Research, expired: true, disabled: true}, address: standardOnly, status: 403, code: "key_disabled"},
		{name: "401 before 400, 500", secret: unknown, address: standardOnly + bad, noSnapshot: true, status: 401, code: "unauthorized"},
		{name: "401 without a key", address: standardOnly + bad, noSnapshot: true, status: 401, code: "unauthorized"},
		{name: "404 before 401", address: "/api/v1/nosuch", status: 404, code: "not_found"},
		{name: "public: client before 401", secret: unknown, address: public + bad, clientUsed: true, noSnapshot: true, status: 429, code: "rate_limited"},
		{name: "public: the key's minute", key: &key{tier: state.Research, spent: true}, address: public + bad, status: 429, code: "rate_limited"},
		{name: "public: the client's bucket is of the public index only", key: &key{tier: state.Standard}, address: standardOnly, clientUsed: true, status: 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := f.For(t)
			if c.noSnapshot {
				f = none.For(t)
			}
			client++
			from := apitest.AsClient(client)
			secret := c.secret
			if k := c.key; k != nil {
				n := state.NewKey{Name: "test", Tier: k.tier, PerMinute: 2, PerMonth: 1000}
				if k.used {
					n.PerMonth = 1
				}
				if k.expired {
					n.Expires = f.Clock.Now().Add(time.Second)
				}
				made, s, err := f.State.CreateKey(t.Context(), n)
				if err != nil {
					t.Fatal(err)
				}
				secret = s
				if k.used {
					e := state.Entry{KeyID: made.ID, Auth: state.AuthKey, Endpoint: "/api/v1/products", Status: 200}
					if err := f.State.Count(t.Context(), e, 1); err != nil {
						t.Fatal(err)
					}
				}
				if k.spent {
					for f.Get("/api/v1/usage", secret).StatusCode != http.StatusTooManyRequests {
					}
				}
				if k.disabled {
					if _, err := f.State.DisableKey(t.Context(), made.ID); err != nil {
						t.Fatal(err)
					}
				}
				if k.expired {
					f.Clock.Advance(time.Second)
				}
			}
			if c.clientUsed {
				for range 2 {
					f.Get(public, "", from)
				}
			}
			got := f.Get(c.address, secret, from)
			code, _ := got.JSON(t)["code"].(string)
			if got.StatusCode != c.status || code != c.code {
				t.Errorf("%d %s, want %d %s", got.StatusCode, code, c.status, c.code)
			}
			if retry, err := strconv.Atoi(got.Header.Get("Retry-After")); c.status == 429 && (err != nil || retry < 1) {
				t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
			}
		})
	}
}

// TestWhatCounts asks for answers of every kind with a key and in its session. Each call
// counts in the key's minute. Only 2xx of data count in its month.
func TestWhatCounts(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, key := f.Created(state.NewKey{Tier: state.Standard, PerMinute: 14, PerMonth: 4})
	other := f.Key(state.Standard)
	session := apitest.WithCookie(f.SignIn(key))
	with := func(change ...apitest.Change) []apitest.Change { return change }
	tag := apitest.Header("If-None-Match", f.Get("/api/v1/products", key).Header.Get("ETag"))
	for _, c := range []struct {
		name, method, address string
		change                []apitest.Change
		status                int
		minute                string // left after it; "" if not said
		month                 int
		logged                string
	}{
		{"304", "GET", "/api/v1/products", with(tag), 304, "12", 3, "key 304"},
		{"400", "GET", "/api/v1/index?from=x", nil, 400, "11", 3, "key 400"},
		{"usage is free", "GET", "/api/v1/usage", nil, 200, "10", 3, "key 200"},
		{"404 is nobody's", "GET", "/api/v1/nosuch", nil, 404, "", 3, ""},
		{"405 is nobody's", "POST", "/api/v1/products", nil, 405, "", 3, ""},
		{"HEAD", "HEAD", "/api/v1/products", nil, 200, "9", 2, "key 200"},
		{"session", "GET", "/account/shrinkflation", with(session), 200, "8", 1, "session 200"},
		{"session, 304", "GET", "/api/public/index?limit=1", with(session, apitest.Header("If-None-Match", "*")), 304, "7", 1, "session 304"},
		{"session, 400", "GET", "/api/public/index?limit=0", with(session), 400, "6", 1, "session 400"},
		{"session, usage", "GET", "/account/usage", with(session), 200, "5", 1, "session 200"},
		{"nobody's: who is signed in", "GET", "/account/session", with(session), 200, "", 1, ""},
		{"the last one", "GET", "/api/public/index?limit=1", with(session), 200, "4", 0, "session 200"},
		{"none left for the key", "GET", "/api/v1/products", nil, 429, "3", 0, "key 429"},
		{"nor in the session", "GET", "/account/shrinkflation", with(session), 429, "2", 0, "session 429"},
		{"both sent: the key pays", "GET", "/api/public/index?limit=1", with(session, apitest.Header("Authorization", "Bearer "+other)), 200, "", 0, "key 200"},
		{"the minute", "GET", "/account/usage", with(session), 200, "1", 0, "session 200"},
		{"the last of the minute", "GET", "/account/usage", with(session), 200, "0", 0, "session 200"},
		{"no minute left for the key", "GET", "/api/v1/usage", nil, 429, "0", 0, "key 429"},
		{"nor in the session", "GET", "/account/usage", with(session), 429, "0", 0, "session 429"},
	} {
		secret := key
		if c.change != nil && c.name != "304" {
			secret = ""
		}
		before := len(f.Column("SELECT id FROM requests"))
		got := f.Do(c.method, c.address, secret, "", c.change...)
		if got.StatusCode != c.status {
			t.Errorf("%s: %d %s", c.name, got.StatusCode, got.Content)
		}
		quota, err := f.State.Quota(t.Context(), k)
		if err != nil || quota.Remaining() != int64(c.month) {
			t.Errorf("%s: %+v, %v, want %d left in the month", c.name, quota, err, c.month)
		}
		if left := got.Header.Get("X-RateLimit-Remaining"); c.minute != "" && left != c.minute {
			t.Errorf("%s: %s left in the minute, want %s", c.name, left, c.minute)
		}
		if said := got.Header.Get("RateLimit"); c.minute != "" && c.status != 429 && !strings.Contains(said, fmt.Sprintf(`"month";r=%d;`, c.month)) {
			t.Errorf("%s: RateLimit %s, want %d of the month", c.name, said, c.month)
		}
		if logged := strings.Join(f.Column("SELECT auth || ' ' || status FROM requests ORDER BY id")[before:], ", "); logged != c.logged {
			t.Errorf("%s: logged %q, want %q", c.name, logged, c.logged)
		}
	}
}
