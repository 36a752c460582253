// Package limit bounds what clients may take: requests in a minute, and memory for answers on
// their way.
package limit

import (
	"container/list"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// maxBuckets is how many buckets are kept, those of the last to ask: any other is most likely
// full again.
const maxBuckets = 1 << 16

// Wide is how many times the allowance of a /64 its /48 has, which may be one subscriber's too.
const Wide = 16

// Reader is whom a limit is for: a key or, without one, a client.
type Reader struct {
	Key    int64 // id; 0 for none
	Client netip.Prefix
}

// Limit is a limit of requests.
type Limit struct {
	Policy    string        // its name in headers
	Metric    string        // its name in metrics; empty: it is not counted
	Window    time.Duration // in which a bucket fills up
	Allowance int           // of a window, unless the reader has one of its own
	Refusal   string        // what who asks too often is told; it takes the allowance
}

// Buckets hold a token bucket for each reader. A client in a /64 of IPv6 also takes from a bucket
// of its /48.
type Buckets struct {
	Limit

	mu     sync.Mutex
	of     map[Reader]*list.Element
	latest list.List // of *bucket, the last to ask in front
	now    time.Time // the latest moment at which a token was asked for
}

type bucket struct {
	who Reader
	*rate.Limiter
}

// New returns full buckets.
func New(l Limit) *Buckets { return &Buckets{Limit: l, of: map[Reader]*list.Element{}} }

// Use is the outcome of taking tokens.
type Use struct {
	of        *Limit
	OK        bool
	allowance int
	left      int           // whole tokens
	Retry     time.Duration // until there is one
	full      time.Duration // until all are there
	Quota     *state.Quota  // of the month; nil for a client without a key
	Also      *Use          // out of another bucket that the request counts against; nil if there is one bucket
}

// Take takes n tokens, all at once, if they are there: at most the whole bucket, and with 0 none. A
// changed allowance holds at once.
func (b *Buckets) Take(who Reader, allowance, n int, now time.Time) Use {
	n = min(n, allowance)
	b.mu.Lock()
	defer b.mu.Unlock()
	// A limiter that is asked at an earlier moment would hand out the time in between a
	// second time.
	if now.Before(b.now) {
		now = b.now
	}
	b.now = now
	use := b.take(who, allowance, n, now)
	if wide, ok := who.network(); ok && use.OK {
		if all := b.take(wide, Wide*allowance, n, now); !all.OK {
			b.give(who, n, now)
			return all
		}
	}
	return use
}

// network returns the /48 of a client in a /64 of IPv6.
func (r Reader) network() (wide Reader, ok bool) {
	if r.Client.Bits() != 64 {
		return wide, false
	}
	wide.Client, _ = r.Client.Addr().Prefix(48)
	return wide, true
}

// take takes tokens out of one bucket.
func (b *Buckets) take(who Reader, allowance, n int, now time.Time) Use {
	perSecond := rate.Limit(float64(allowance) / b.Window.Seconds())
	x := b.bucket(who, perSecond, allowance)
	if x.Burst() != allowance {
		x.SetLimitAt(now, perSecond)
		x.SetBurstAt(now, allowance)
	}
	t := Use{of: &b.Limit, OK: x.AllowN(now, n), allowance: allowance}
	tokens := min(x.TokensAt(now), float64(allowance))
	t.left = max(0, int(tokens))
	wait := func(want float64) time.Duration {
		return time.Duration(math.Ceil(max(0, want-tokens) / float64(perSecond) * float64(time.Second)))
	}
	t.Retry, t.full = wait(float64(max(n, 1))), wait(float64(allowance))
	return t
}

func (b *Buckets) bucket(who Reader, perSecond rate.Limit, allowance int) *rate.Limiter {
	if x, ok := b.of[who]; ok {
		b.latest.MoveToFront(x)
		return x.Value.(*bucket).Limiter
	}
	if len(b.of) == maxBuckets {
		delete(b.of, b.latest.Remove(b.latest.Back()).(*bucket).who)
	}
	x := &bucket{who, rate.NewLimiter(perSecond, allowance)}
	b.of[who] = b.latest.PushFront(x)
	return x.Limiter
}

// GiveBack undoes the take of one token. The limiter keeps to its burst by itself.
func (b *Buckets) GiveBack(who Reader, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.give(who, 1, now)
	if wide, ok := who.network(); ok {
		b.give(wide, 1, now)
	}
}

func (b *Buckets) give(who Reader, n int, now time.Time) {
	if x, ok := b.of[who]; ok {
		x.Value.(*bucket).AllowN(now, -n)
	}
}

// Len returns the number of buckets.
func (b *Buckets) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.of)
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
		add(x.of.Policy, int64(x.allowance), int64(x.of.Window/time.Second), int64(x.left), wait)
		if x.left < tightest.left {
			tightest = x
		}
		if q := x.Quota; q != nil && q.Limit != state.Unlimited {
			month := int64(q.Resets.Sub(q.Month.Start()) / time.Second)
			add("month", q.Limit, month, q.Remaining(), q.Resets.Sub(now))
		}
	}
	h.Set("RateLimit-Policy", strings.Join(policies, ", "))
	h.Set("RateLimit", strings.Join(left, ", "))
	h.Set("X-RateLimit-Limit", strconv.Itoa(tightest.allowance))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(tightest.left))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(tightest.full.Seconds())), 10))
}

// TooMany refuses a request for want of a token.
func (t Use) TooMany() *reply.Error {
	text := fmt.Sprintf(t.of.Refusal+"; try again in %d s", t.allowance, reply.WholeSeconds(t.Retry))
	e := reply.Refuse("rate_limited", text).After(t.Retry)
	e.Limit = t.of.Metric
	return e
}
