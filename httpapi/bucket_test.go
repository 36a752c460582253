package httpapi

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// A bucket grants its burst at once and its allowance over time, never more.
func TestBucket(t *testing.T) {
	b := newBuckets[int]()
	limit := bucketLimit{perMinute: 60}
	at := func(d time.Duration) time.Time { return testNow.Add(d) }
	granted := func(who int, tries int, now time.Time) (n int) {
		for range tries {
			if b.take(who, limit, now).ok {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name  string
		who   int
		after time.Duration
		want  int
	}{
		{"burst", 1, 0, 60},
		{"nothing more in the same moment", 1, 0, 0},
		{"just under a second", 1, time.Second - time.Microsecond, 0},
		{"a second", 1, time.Second, 1},
		{"half a minute", 1, 31 * time.Second, 30},
		{"somebody else", 2, 31 * time.Second, 60},
		{"an hour is no more than a minute", 1, time.Hour, 60},
	} {
		if got := granted(c.who, 100, at(c.after)); got != c.want {
			t.Errorf("%s: %d granted, want %d", c.name, got, c.want)
		}
	}
}

// Asked in another order than the moments are in, as happens when requests
// overtake each other, a bucket hands out no time twice: over all it grants no
// more than a burst and what the time allows.
func TestBucketOutOfOrder(t *testing.T) {
	for _, late := range []time.Duration{time.Millisecond, 2 * time.Second, time.Minute} {
		b := newBuckets[int]()
		const perMinute = 60
		granted := 0
		for i := range 10_000 {
			if b.take(1, bucketLimit{perMinute}, testNow.Add(late*time.Duration(i%2))).ok {
				granted++
			}
		}
		// One at the start; by the later moment the bucket is as full as it gets.
		if want := 1 + min(perMinute, perMinute-1+int(late/time.Second)); granted != want {
			t.Errorf("%s late: %d granted, want %d", late, granted, want)
		}
	}
}

// A limit that is changed holds from then on and gives nothing away.
func TestBucketChangedLimit(t *testing.T) {
	b := newBuckets[int]()
	count := func(limit int, now time.Time) (n int) {
		for range 200 {
			if b.take(1, bucketLimit{limit}, now).ok {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name  string
		limit int
		after time.Duration
		want  int
	}{
		{"first", 60, 0, 60},
		{"raised: no second burst", 120, 0, 0},
		{"raised: fills faster", 120, time.Second, 2},
		{"lowered: what there was is cut to the new burst", 10, time.Hour, 10},
	} {
		if got := count(c.limit, testNow.Add(c.after)); got != c.want {
			t.Errorf("%s: %d granted, want %d", c.name, got, c.want)
		}
	}
}

// What the headers say is when the next request passes.
func TestBucketRetry(t *testing.T) {
	for _, perMinute := range []int{1, 7, 60, 120, 3000} {
		b := newBuckets[int]()
		limit := bucketLimit{perMinute}
		now := testNow
		for b.take(1, limit, now).ok {
		}
		use := b.take(1, limit, now)
		if use.left != 0 || use.retry <= 0 {
			t.Fatalf("%d a minute: %+v", perMinute, use)
		}
		if b.take(1, limit, now.Add(use.retry-time.Microsecond)).ok {
			t.Errorf("%d a minute: passes before %s", perMinute, use.retry)
		}
		if !b.take(1, limit, now.Add(use.retry+time.Microsecond)).ok {
			t.Errorf("%d a minute: does not pass after %s", perMinute, use.retry)
		}
	}
}

// Buckets that are full again are dropped, others never.
func TestBucketSweep(t *testing.T) {
	b := newBuckets[int]()
	limit := bucketLimit{60}
	for who := range maxBuckets {
		b.take(who, limit, testNow)
	}
	for range 59 {
		b.take(7, limit, testNow)
	}
	b.take(-1, limit, testNow.Add(2*time.Second))
	if n := b.len(); n != 2 {
		t.Errorf("%d buckets are left", n)
	}
	if use := b.take(7, limit, testNow.Add(2*time.Second)); use.left != 1 {
		t.Errorf("the one that was used up has %d left", use.left)
	}
}

// burst sends requests from 64 clients at once on real connections and returns
// how many were answered with each status. The clock advances by step at each
// response.
func (f *fixture) burst(address string, each int, step time.Duration, keys ...string) map[int]int {
	f.t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var count [600]atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range 64 {
		wg.Go(func() {
			<-start
			for range each {
				got, err := request(client, f.http.URL+address, keys[i%len(keys)])
				if err != nil {
					f.t.Error(err)
					return
				}
				got.Body.Close()
				count[got.StatusCode].Add(1)
				f.clock.Advance(step)
				limited := got.StatusCode == http.StatusTooManyRequests
				if retry, err := strconv.Atoi(got.Header.Get("Retry-After")); limited != (err == nil && retry >= 1) {
					f.t.Errorf("%d with Retry-After %q", got.StatusCode, got.Header.Get("Retry-After"))
				}
				for _, name := range []string{"RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
					if got.Header.Get(name) == "" {
						f.t.Errorf("%d without %s", got.StatusCode, name)
					}
				}
			}
		})
	}
	close(start)
	wg.Wait()
	all := map[int]int{}
	for status := range count {
		if n := int(count[status].Load()); n > 0 {
			all[status] = n
		}
	}
	return all
}

// However many ask at once, the limits are kept to the request.
func TestLimitsUnderLoad(t *testing.T) {
	minute := func(n int64) func(*state.NewKey) { return func(k *state.NewKey) { k.PerMinute = n } }
	month := func(n int64) func(*state.NewKey) { return func(k *state.NewKey) { k.PerMonth = n } }
	for _, c := range []struct {
		name    string
		address string
		keys    func(f *fixture) []string
		advance time.Duration // then a second burst
		want    [2]int        // answered with 200
	}{
		{"a key's minute", "/api/v1/products", func(f *fixture) []string { return []string{f.key(state.Research, minute(50))} }, 12 * time.Second, [2]int{50, 10}},
		{"two keys' minutes", "/api/v1/products", func(f *fixture) []string {
			return []string{f.key(state.Research, minute(50)), f.key(state.Research, minute(30))}
		}, 6 * time.Second, [2]int{80, 8}},
		{"a client's minute", "/api/public/index?limit=1", func(f *fixture) []string { return []string{f.key(state.Enterprise), f.key(state.Enterprise)} }, 5 * time.Second, [2]int{60, 5}},
		{"a key's month", "/api/v1/products", func(f *fixture) []string { return []string{f.key(state.Research, month(77))} }, time.Hour, [2]int{77, 0}},
		{"a new month", "/api/v1/products", func(f *fixture) []string { return []string{f.key(state.Research, month(77))} }, 11 * 24 * time.Hour, [2]int{77, 77}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := serveDemo(t)
			keys := c.keys(f)
			const each = 4
			for i, want := range c.want {
				got := f.burst(c.address, each, 0, keys...)
				if got[200] != want || got[429] != 64*each-want || len(got) > 2 {
					t.Errorf("burst %d: %v, want %d times 200", i, got, want)
				}
				f.clock.Advance(c.advance)
			}
		})
	}
}

// With a clock that runs while they ask, no more is granted than a burst and
// what the time allows.
func TestLimitsWhileTimePasses(t *testing.T) {
	const each, step = 20, 10 * time.Millisecond
	f := serveDemo(t)
	key := f.key(state.Research, func(k *state.NewKey) { k.PerMinute = 60 })
	got := f.burst("/api/v1/products", each, step, key)
	passed := f.clock.Now().Sub(testNow)
	if passed != 64*each*step {
		t.Fatalf("%s have passed", passed)
	}
	if most := 60 + int(passed/time.Second); got[200] > most || got[200] < most-3 {
		t.Errorf("%d granted in %s, want %d or a few less", got[200], passed, most)
	}
}
