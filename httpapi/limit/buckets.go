// Package limit bounds what clients may take: requests in a minute, and memory for responses
// on their way.
package limit

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// maxBuckets is how many buckets are kept, those of the last to ask: any other is most likely
// full again.
const maxBuckets = 1 << 16

// Wide is how many times the allowance of a /64 its /48 has, which may be one subscriber's too.
const Wide = 16

// Buckets hold a token bucket for each client or key. A bucket holds the allowance of a minute, or of
// another window, and fills up again in it. A client in a /64 of IPv6 also takes from a bucket of its /48.
type Buckets[K comparable] struct {
	window time.Duration
	policy string // the limit's name in headers
	name   string // and in metrics; or empty

	mu  sync.Mutex
	all *simplelru.LRU[K, *rate.Limiter]
	now time.Time // the latest moment at which a token was asked for
}

// New returns buckets of a limit with that name in headers, and in metrics if they count it.
func New[K comparable](policy, name string) *Buckets[K] {
	all, _ := simplelru.NewLRU[K, *rate.Limiter](maxBuckets, nil) // the size is above 0
	return &Buckets[K]{window: time.Minute, policy: policy, name: name, all: all}
}

// NewDaily returns buckets that fill up again in a day.
func NewDaily[K comparable](policy, name string) *Buckets[K] {
	b := New[K](policy, name)
	b.window = 24 * time.Hour
	return b
}

// Use is the outcome of taking one token.
type Use struct {
	policy    string // the limit's name in headers
	name      string // and in metrics
	OK        bool
	perMinute int
	left      int           // whole tokens
	Retry     time.Duration // until there is one
	full      time.Duration // until all are there
	Quota     *state.Quota  // of the month; nil for a client without a key
	Also      *Use          // out of another bucket that the request counts against; nil if there is one bucket
}

// Take takes a token if there is one. A changed limit holds at once.
func (b *Buckets[K]) Take(who K, perMinute int, now time.Time) Use {
	return b.TakeN(who, perMinute, 1, now)
}

// TakeN takes so many tokens, all at once, if they are there: at most the whole bucket, and with
// 0 none.
func (b *Buckets[K]) TakeN(who K, perMinute, n int, now time.Time) Use {
	n = min(n, perMinute)
	b.mu.Lock()
	defer b.mu.Unlock()
	// A limiter that is asked at an earlier moment would hand out the time in between a
	// second time.
	if now.Before(b.now) {
		now = b.now
	}
	b.now = now
	use := b.take(who, perMinute, n, now)
	if wide, ok := network(who); ok && use.OK {
		if all := b.take(wide, Wide*perMinute, n, now); !all.OK {
			b.give(who, n, now)
			return all
		}
	}
	return use
}

// network returns the /48 of a client in a /64 of IPv6.
func network[K comparable](who K) (wide K, ok bool) {
	x, ok := any(who).(netip.Prefix)
	if !ok || x.Bits() != 64 {
		return wide, false
	}
	x, _ = x.Addr().Prefix(48)
	return any(x).(K), true
}

// take takes tokens out of one bucket.
func (b *Buckets[K]) take(who K, perMinute, n int, now time.Time) Use {
	perSecond := rate.Limit(float64(perMinute) / b.window.Seconds())
	x, known := b.all.Get(who)
	switch {
	case !known:
		x = rate.NewLimiter(perSecond, perMinute)
		b.all.Add(who, x)
	case x.Burst() != perMinute:
		x.SetLimitAt(now, perSecond)
		x.SetBurstAt(now, perMinute)
	}
	t := Use{policy: b.policy, name: b.name, OK: x.AllowN(now, n), perMinute: perMinute}
	tokens := min(x.TokensAt(now), float64(perMinute))
	t.left = max(0, int(tokens))
	wait := func(want float64) time.Duration {
		return time.Duration(math.Ceil(max(0, want-tokens) / float64(perSecond) * float64(time.Second)))
	}
	t.Retry, t.full = wait(float64(max(n, 1))), wait(float64(perMinute))
	return t
}

// GiveBack undoes one take. The limiter keeps to its burst by itself.
func (b *Buckets[K]) GiveBack(who K, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.give(who, 1, now)
	if wide, ok := network(who); ok {
		b.give(wide, 1, now)
	}
}

func (b *Buckets[K]) give(who K, n int, now time.Time) {
	if x, known := b.all.Get(who); known {
		x.AllowN(now, -n)
	}
}

// Len returns the number of buckets.
func (b *Buckets[K]) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Len()
}

// SetHeaders tells a client what it may still do, in the form of the IETF draft
// and in the older one, which has only the limit with the fewest requests left.
func (t Use) SetHeaders(h http.Header, now time.Time) {
	var policies, left []string
	add := func(name string, quota, window, remaining int64, wait time.Duration) {
		policies = append(policies, fmt.Sprintf("%q;q=%d;w=%d", name, quota, window))
		left = append(left, fmt.Sprintf("%q;r=%d;t=%d", name, remaining, reply.WholeSeconds(wait)))
	}
	tightest := &t
	for x := &t; x != nil; x = x.Also {
		wait := x.Retry
		if x.left > 0 {
			wait = x.full
		}
		add(x.policy, int64(x.perMinute), 60, int64(x.left), wait)
		if x.left < tightest.left {
			tightest = x
		}
		if q := x.Quota; q != nil && q.Limit != state.Unlimited {
			add("month", q.Limit, int64(q.Resets.Sub(q.Month.Start())/time.Second), q.Remaining(), q.Resets.Sub(now))
		}
	}
	h.Set("RateLimit-Policy", strings.Join(policies, ", "))
	h.Set("RateLimit", strings.Join(left, ", "))
	h.Set("X-RateLimit-Limit", strconv.Itoa(tightest.perMinute))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(tightest.left))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(tightest.full.Seconds())), 10))
}

// TooMany refuses a request for want of a token. The format takes the tokens of a minute.
func (t Use) TooMany(format string) *reply.Error {
	e := reply.Refuse("rate_limited", fmt.Sprintf(format+"; try again in %d s", t.perMinute, reply.WholeSeconds(t.Retry))).After(t.Retry)
	e.Limit = t.name
	return e
}
