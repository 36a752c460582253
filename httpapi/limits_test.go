package httpapi_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestLimitsUnderLoad asks 128 times at once. The limits hold to the request.
func TestLimitsUnderLoad(t *testing.T) {
	t.Parallel()
	for address, c := range map[string]struct {
		change  func(*state.NewKey)
		advance time.Duration // then again
		want    [2]int        // not refused for a limit
		body    string        // of a POST
	}{
		"/api/v1/products":                            {func(k *state.NewKey) { k.PerMinute = 50 }, 12 * time.Second, [2]int{50, 10}, ""},
		"/api/v1/releases":                            {func(k *state.NewKey) { k.PerMonth = 77 }, 11 * 24 * time.Hour, [2]int{77, 77}, ""},
		"/api/public/index?limit=1":                   {func(*state.NewKey) {}, 5 * time.Second, [2]int{60, 5}, ""},
		"/api/shopper/compare?city=toronto&items=1x2": {func(*state.NewKey) {}, 4 * time.Second, [2]int{30, 2}, ""},
		"/account/session":                            {func(*state.NewKey) {}, 12 * time.Second, [2]int{10, 2}, `{"key": "` + apitest.UnknownKey + `"}`},
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			f := apitest.ServeReleased(t)
			key := f.Key(state.Research, c.change)
			for i, want := range c.want {
				var wg sync.WaitGroup
				var answered, refused atomic.Int64
				for range 128 {
					wg.Go(func() {
						switch page(f, address, key, c.body).StatusCode {
						case http.StatusOK, http.StatusUnauthorized:
							answered.Add(1)
						case http.StatusTooManyRequests:
							refused.Add(1)
						}
					})
				}
				wg.Wait()
				if n := int(answered.Load()); n != want || int(refused.Load()) != 128-want {
					t.Errorf("burst %d: %d answered and %d refused, want %d times 200", i, n, refused.Load(), want)
				}
				f.Clock.Advance(c.advance)
			}
		})
	}
}

func TestClient(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ff::/48")}
	for _, c := range []struct {
		name      string
		remote    string
		forwarded []string
		want      string
	}{
		{"IPv4", "203.0.113.7:4711", nil, "203.0.113.7/32"},
		{"IPv6: its /64", "[2001:db8:1:2:3:4:5:6]:4711", nil, "2001:db8:1:2::/64"},
		{"IPv6 with a zone", "[fe80::1%eth0]:4711", nil, "fe80::/64"},
		{"no proxy is trusted here", "203.0.113.7:4711", []string{"198.51.100.1"}, "203.0.113.7/32"},
		{"a trusted proxy", "10.0.0.1:4711", []string{"198.51.100.1"}, "198.51.100.1/32"},
		{"a trusted proxy over IPv6", "[2001:db8:ff::1]:4711", []string{"2001:db8:9:9:9::1"}, "2001:db8:9:9::/64"},
		{"forwarded with a port", "10.0.0.1:4711", []string{"198.51.100.1:555"}, "198.51.100.1/32"},
		{"forwarded with brackets and port", "10.0.0.1:4711", []string{"[2001:db8:9:9::1]:555"}, "2001:db8:9:9::/64"},
		{"two proxies", "10.0.0.1:4711", []string{"198.51.100.1, 10.0.0.2"}, "198.51.100.1/32"},
		{"spoofed: the client wrote the left one", "10.0.0.1:4711", []string{"192.0.2.9, 198.51.100.1"}, "198.51.100.1/32"},
		{"spoofed as a proxy", "10.0.0.1:4711", []string{"192.0.2.9, 10.9.9.9, 198.51.100.1, 10.0.0.2"}, "198.51.100.1/32"},
		{"garbage from the proxy: the proxy itself", "10.0.0.1:4711", []string{"198.51.100.1, unknown"}, "10.0.0.1/32"},
		{"garbage before an inner proxy: that one", "10.0.0.1:4711", []string{"198.51.100.1, _hidden, 10.0.0.2"}, "10.0.0.2/32"},
		{"no header", "10.0.0.1:4711", nil, "10.0.0.1/32"},
		{"proxies only", "10.0.0.1:4711", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3/32"},
		{"a remote that is no address", "@", nil, "invalid Prefix"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
			if got := httpapi.ClientOf(trusted, r).String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestOverloaded asks while no response fits any more. The refusal is not counted and has
// no header of the response that it replaces.
func TestOverloaded(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	key := f.Key(state.Standard)
	session := apitest.WithCookie(f.SignIn(key))
	id := must(f.State.Lookup(t.Context(), key))
	for _, c := range []struct {
		of     int64
		status int
		code   string
	}{{0, http.StatusInternalServerError, "overloaded"}, {id.ID, http.StatusTooManyRequests, "too_many_in_flight"}} {
		release := f.API.HoldFor(c.of)
		refused := 0
		for _, packed := range []string{"identity", "gzip"} {
			got := f.Get("/api/v1/prices", key, apitest.Header("Accept-Encoding", packed))
			refused++
			apitest.WantError(t, c.code, got, c.status, c.code)
			if h := got.Header; h.Get("Retry-After") != "5" || h.Get("ETag") != "" || h.Get("Content-Encoding") != "" || !strings.Contains(h.Get("RateLimit"), `"month";r=50000`) {
				t.Errorf("%s: %v", c.code, h)
			}
		}
		for _, x := range f.API.Routes() {
			switch {
			case x.SessionOnly:
				apitest.WantError(t, x.Path, f.Get(x.Path, "", session), c.status, c.code)
			case x.Licensed && !strings.Contains(x.Path, "/files/"): // a file is not in memory
				apitest.WantError(t, x.Path, f.Get(strings.Replace(x.Path, "{id}", "r1", 1), key), c.status, c.code)
			default:
				continue
			}
			refused++
		}
		release()
		if c.of == 0 {
			continue // only refusals of the key's share are counted
		}
		if n := f.Metric(`larder_limited_requests_total{limit="key_in_flight"}`); n != strconv.Itoa(refused) {
			t.Errorf("%s refusals of the key's share are counted, want %d", n, refused)
		}
	}
	apitest.WantStatus(t, f.Get("/api/v1/prices", key), http.StatusOK)
}

// TestOnPostgreSQL runs the tests of keys, sessions and limits on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	t.Parallel()
	pgtest.Again(t, "^Test(Scripts|LimitsUnderLoad)$", "Replaced")
}

// TestStateHangs takes away the answers of the state's database. A request is refused within the
// patience of the state, also where many wait, and answered when the database is there again.
func TestStateHangs(t *testing.T) {
	t.Parallel()
	hole, silence := pgtest.BlackHole(t, pgtest.Database(t, pgtest.Start(t, "fsync=off")))
	f := apitest.ServeState(t, hole)
	key := f.Key(state.Standard)
	apitest.WantStatus(t, f.Get("/api/v1/products", key), http.StatusOK)
	silence(true)
	began, answers := time.Now(), make(chan *apitest.Response)
	const requests = 20 // more than there are connections
	for range requests {
		go func() { answers <- f.Get("/api/v1/products", key) }()
	}
	for range requests {
		r := <-answers
		apitest.WantError(t, "a database that hangs", r, http.StatusInternalServerError, "state_unavailable")
		if took := time.Since(began); took < 4*time.Second || took > 8*time.Second || r.Header.Get("Retry-After") != "5" {
			t.Errorf("refused after %s: %v", took, r.Header)
		}
	}
	silence(false)
	back := func() bool { return f.Get("/api/v1/products", key).StatusCode == http.StatusOK }
	if !eventually(back) {
		t.Error("no answer when the database is there again")
	}
}
