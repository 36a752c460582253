package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/larder-index/larder/httpapi/state"
)

// maxBuckets is how many buckets are kept before full ones, which say nothing,
// are dropped.
const maxBuckets = 10_000

// buckets are token buckets by whom they limit. A bucket holds a minute's
// allowance and fills up again in a minute.
type buckets[K comparable] struct {
	policy string // the limit's name in headers

	mu  sync.Mutex
	all map[K]*rate.Limiter
	cap int       // sweep at this many
	now time.Time // the latest moment at which a token was asked for
}

func newBuckets[K comparable](policy string) *buckets[K] {
	return &buckets[K]{policy: policy, all: map[K]*rate.Limiter{}, cap: maxBuckets}
}

// taken is the outcome of taking one token.
type taken struct {
	policy    string // the limit's name in headers
	ok        bool
	perMinute int
	left      int           // whole tokens
	retry     time.Duration // until there is one
	full      time.Duration // until all are there
	quota     *state.Quota  // of the month; nil for a client without a key
	also      *taken        // out of another bucket that the request counts against; nil if there is one bucket
}

// take takes a token if there is one. A changed limit holds at once.
func (b *buckets[K]) take(who K, perMinute int, now time.Time) taken {
	b.mu.Lock()
	defer b.mu.Unlock()
	// A limiter that is asked at an earlier moment would hand out the time in between a
	// second time.
	if now.Before(b.now) {
		now = b.now
	}
	b.now = now
	perSecond := rate.Limit(float64(perMinute) / 60)
	x := b.all[who]
	switch {
	case x == nil:
		b.sweep(now)
		x = rate.NewLimiter(perSecond, perMinute)
		b.all[who] = x
	case x.Burst() != perMinute:
		x.SetLimitAt(now, perSecond)
		x.SetBurstAt(now, perMinute)
	}
	t := taken{policy: b.policy, ok: x.AllowN(now, 1), perMinute: perMinute}
	tokens := min(x.TokensAt(now), float64(perMinute))
	t.left = max(0, int(tokens))
	wait := func(want float64) time.Duration {
		return time.Duration(math.Ceil(max(0, want-tokens) / float64(perSecond) * float64(time.Second)))
	}
	t.retry, t.full = wait(1), wait(float64(perMinute))
	return t
}

// giveBack undoes one take. The limiter keeps to its burst by itself.
func (b *buckets[K]) giveBack(who K, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.all[who]; x != nil {
		x.AllowN(now, -1)
	}
}

func (b *buckets[K]) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all)
}

// sweep drops the buckets that are full again. The next sweep is due at twice as
// many as are left, so sweeping costs little per bucket.
func (b *buckets[K]) sweep(now time.Time) {
	if len(b.all) < b.cap {
		return
	}
	for who, x := range b.all {
		if x.TokensAt(now) >= float64(x.Burst()) {
			delete(b.all, who)
		}
	}
	b.cap = max(maxBuckets, 2*len(b.all))
}

// setHeaders tells a client what it may still do, in the form of the IETF draft
// and in the older one, which has only the limit with the fewest requests left.
func (t taken) setHeaders(h http.Header, now time.Time) {
	var policies, left []string
	add := func(name string, quota, window, remaining int64, wait time.Duration) {
		policies = append(policies, fmt.Sprintf("%q;q=%d;w=%d", name, quota, window))
		left = append(left, fmt.Sprintf("%q;r=%d;t=%d", name, remaining, wholeSeconds(wait)))
	}
	tightest := &t
	for x := &t; x != nil; x = x.also {
		wait := x.retry
		if x.left > 0 {
			wait = x.full
		}
		add(x.policy, int64(x.perMinute), 60, int64(x.left), wait)
		if x.left < tightest.left {
			tightest = x
		}
		if q := x.quota; q != nil && q.Limit != state.Unlimited {
			add("month", q.Limit, int64(q.Resets.Sub(q.Month.Start())/time.Second), q.Remaining(), q.Resets.Sub(now))
		}
	}
	h.Set("RateLimit-Policy", strings.Join(policies, ", "))
	h.Set("RateLimit", strings.Join(left, ", "))
	h.Set("X-RateLimit-Limit", strconv.Itoa(tightest.perMinute))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(tightest.left))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(tightest.full.Seconds())), 10))
}

// tooMany refuses a request for want of a token. The message says what the limit
// is.
func tooMany(t taken, format string, a ...any) *apiError {
	return refuse("rate_limited", fmt.Sprintf(format, a...)+fmt.Sprintf("; try again in %d s", wholeSeconds(t.retry))).after(t.retry)
}

// Bounds of the memory of licensed responses. The largest page of prices takes
// some 6.5 MB in a buffer of up to 9 MB, so one key may have seven on their way.
const (
	maxMaking = 16        // responses being made; more wait for their turn
	maxHeld   = 256 << 20 // bytes that clients have not yet taken
	shareOf   = 4         // a key may have one part in so many of what the others leave
)

// outgoing bounds the memory of responses until their clients, which may be slow,
// have taken them. Bytes that a response shares with the snapshot don't count.
type outgoing struct {
	making chan struct{} // one element for each response that is being made

	mu    sync.Mutex
	bytes int64
	ofKey map[int64]int64 // by the id of the key that pays; only where above 0
}

func newOutgoing() *outgoing {
	return &outgoing{making: make(chan struct{}, maxMaking), ofKey: map[int64]int64{}}
}

// hold reserves n bytes for key. It fails with errKeyInFlight if the key would have
// more than a quarter of what the other keys leave, and with errInFlight if the bytes
// are more than is left. A key's first response fits the key's share, and the first
// response of all always fits. So a few keys can't take all the room.
func (o *outgoing) hold(key int64, n int) *apiError {
	o.mu.Lock()
	defer o.mu.Unlock()
	mine := o.ofKey[key]
	switch {
	case mine > 0 && mine+int64(n) > (maxHeld-(o.bytes-mine))/shareOf:
		return errKeyInFlight
	case o.bytes > 0 && o.bytes+int64(n) > maxHeld:
		return errInFlight
	}
	o.bytes += int64(n)
	o.ofKey[key] += int64(n)
	return nil
}

// release gives back what hold reserved.
func (o *outgoing) release(key int64, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes -= int64(n)
	if o.ofKey[key] -= int64(n); o.ofKey[key] == 0 {
		delete(o.ofKey, key)
	}
}

func (o *outgoing) held() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}
