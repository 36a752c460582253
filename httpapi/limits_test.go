package httpapi_test

import (
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestLimitsUnderLoad asks 128 times at once. The limits hold to the request.
func TestLimitsUnderLoad(t *testing.T) {
	t.Parallel()
	for address, c := range map[string]struct {
		change  func(*state.NewKey)
		advance time.Duration // then again
		want    [2]int        // answered with 200
	}{
		"/api/v1/products":                            {func(k *state.NewKey) { k.PerMinute = 50 }, 12 * time.Second, [2]int{50, 10}},
		"/api/v1/releases":                            {func(k *state.NewKey) { k.PerMonth = 77 }, 11 * 24 * time.Hour, [2]int{77, 77}},
		"/api/public/index?limit=1":                   {func(*state.NewKey) {}, 5 * time.Second, [2]int{60, 5}},
		"/api/shopper/compare?city=toronto&items=1x2": {func(*state.NewKey) {}, 4 * time.Second, [2]int{30, 2}},
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
						switch page(f, address, key, false).StatusCode {
						case http.StatusOK:
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

// TestRetryAfter waits as long as Retry-After says. A millisecond sooner the request is
// refused. An hour's rest fills no more than a minute's bucket.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	for _, perMinute := range []int64{1, 7, 60, 120} {
		key := f.Key(state.Research, func(n *state.NewKey) { n.PerMinute = perMinute })
		r := f.Get("/api/v1/usage", key)
		for n := perMinute; r.StatusCode == http.StatusOK; n-- {
			if r.Header.Get("X-RateLimit-Remaining") != strconv.FormatInt(n-1, 10) {
				t.Errorf("%d a minute: %s are left, want %d", perMinute, r.Header.Get("X-RateLimit-Remaining"), n-1)
			}
			r = f.Get("/api/v1/usage", key)
		}
		wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
		if err != nil || wait != int(math.Ceil(60/float64(perMinute))) {
			t.Errorf("%d a minute: Retry-After %q", perMinute, r.Header.Get("Retry-After"))
		}
		f.Clock.Advance(time.Minute/time.Duration(perMinute) - time.Millisecond)
		apitest.WantStatus(t, f.Get("/api/v1/usage", key), http.StatusTooManyRequests)
		f.Clock.Advance(2 * time.Millisecond)
		apitest.WantStatus(t, f.Get("/api/v1/usage", key), http.StatusOK)
		f.Clock.Advance(time.Hour)
		for range perMinute {
			apitest.WantStatus(t, f.Get("/api/v1/usage", key), http.StatusOK)
		}
		apitest.WantStatus(t, f.Get("/api/v1/usage", key), http.StatusTooManyRequests)
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

// TestBucketRefusalIsTheKeys asks for the public index until the bucket of the address is
// empty. Refusals are logged for the key and count in its minute.
func TestBucketRefusalIsTheKeys(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.PublicPerMinute = 1 })
	key := f.Key(state.Research, func(n *state.NewKey) { n.PerMinute = 10 })
	for _, want := range []int{200, 429, 429} {
		apitest.WantStatus(t, f.Get("/api/public/index?limit=1", key), want)
	}
	apitest.WantStatus(t, f.Get("/api/public/index?limit=1", f.SignIn(key).Value), 429) // an unknown key is not logged
	apitest.WantStatus(t, f.Get("/api/public/index?limit=1", "", apitest.WithCookie(f.SignIn(key))), 429)
	if left := f.Get("/api/v1/usage", key).Header.Get("X-RateLimit-Remaining"); left != "5" {
		t.Errorf("%s are left in the key's minute, want 5 of 10", left)
	}
	got := f.Column("SELECT auth || ' ' || status FROM requests WHERE endpoint = '/api/public/index' ORDER BY rowid")
	if want := []string{"key 200", "key 429", "key 429", "session 429"}; !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
	if n := f.Metric(`larder_limited_requests_total{limit="client_minute"}`); n != "4" {
		t.Errorf("%s refusals of the address", n)
	}
}

// TestRefusalsInTheLog asks often with a limited and a disabled key. The log has entries
// for 20 refusals a minute, with the ids of their responses, and counts the others.
func TestRefusalsInTheLog(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	limited, disabled := f.Key(state.Standard, func(n *state.NewKey) { n.PerMinute = 1 }), f.Key(state.Standard)
	f.Disable(disabled)
	var ids []string
	for _, key := range []string{limited, disabled} {
		for range 51 {
			ids = append(ids, f.Get("/api/v1/products", key).Header.Get("X-Request-Id"))
		}
	}
	logged := f.Column("SELECT request_id FROM requests ORDER BY rowid")
	if want := slices.Concat(ids[:21], ids[51:71]); !slices.Equal(logged, want) {
		t.Errorf("%d entries, want %d, with the ids of their responses", len(logged), len(want))
	}
	if got := f.Column("SELECT requests FROM daily_usage WHERE status_class = 4 ORDER BY key_id"); !slices.Equal(got, []string{"50", "51"}) {
		t.Errorf("counted: %q", got)
	}
}

// TestHeadersOfBothLimits asks for the public index, whose headers tell the limits of the
// key and of the address. The older headers tell the limit with fewer requests left.
func TestHeadersOfBothLimits(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.PublicPerMinute = 4 })
	wide := f.Key(state.Research, func(n *state.NewKey) { n.PerMinute, n.PerMonth = 120, 9 })
	narrow := f.Key(state.Research, func(n *state.NewKey) { n.PerMinute = 2 })
	for _, c := range []struct {
		name, key, left, limit, remaining, reset string
	}{
		{"the address is tighter", wide, `"minute";r=119;t=1, "month";r=8;t=889200, "address";r=3;t=15`, "4", "3", "15"},
		{"the key is tighter", narrow, `"minute";r=1;t=30, "month";r=4999;t=889200, "address";r=2;t=30`, "2", "1", "30"},
		{"the key has none left", narrow, `"minute";r=0;t=30, "month";r=4998;t=889200, "address";r=1;t=45`, "2", "0", "60"},
		{"no key", "", "", "", "", ""},
		{"the address refuses", wide, `"minute";r=118;t=1, "address";r=0;t=15`, "4", "0", "60"},
		{"the address refuses a stranger", "", `"address";r=0;t=15`, "4", "0", "60"},
	} {
		h := f.Get("/api/public/index?limit=1", c.key).Header
		got := []string{h.Get("RateLimit"), h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"), h.Get("X-RateLimit-Reset")}
		if want := []string{c.left, c.limit, c.remaining, c.reset}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
	if policy := f.Get("/api/v1/usage", wide).Header.Get("RateLimit-Policy"); policy != `"minute";q=120;w=60, "month";q=9;w=2592000` {
		t.Errorf("elsewhere: %s", policy)
	}
}

// TestOverloaded asks while no response fits any more. The refusal is not counted and has
// no header of the response that it replaces.
func TestOverloaded(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	key := f.Key(state.Standard)
	session := apitest.WithCookie(f.SignIn(key))
	id, err := f.State.Lookup(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
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
			case x.Licensed && !strings.Contains(x.Path, "/bulk/"): // a file is not in memory
				apitest.WantError(t, x.Path, f.Get(x.Path, key), c.status, c.code)
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
