package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/larder-index/larder/httpapi/state"
)

// bucketLimit is a token bucket's size: it holds a minute's allowance, and
// fills up again in a minute.
type bucketLimit struct{ perMinute int }

// maxBuckets is how many buckets are kept before full ones, which say nothing,
// are dropped.
const maxBuckets = 10_000

// buckets are token buckets by whom they limit.
type buckets[K comparable] struct {
	mu  sync.Mutex
	all map[K]*rate.Limiter
	cap int       // sweep when there are so many
	now time.Time // the latest moment that a token was asked for
}

func newBuckets[K comparable]() *buckets[K] {
	return &buckets[K]{all: map[K]*rate.Limiter{}, cap: maxBuckets}
}

// taken is what came of taking one token.
type taken struct {
	ok     bool
	limit  bucketLimit
	left   int           // whole tokens
	retry  time.Duration // until there is one
	full   time.Duration // until all are there
	policy string        // name in the headers
	quota  *state.Quota  // of the month, where there is one
}

// take takes a token if there is one. A limit that was changed holds from then
// on.
func (b *buckets[K]) take(who K, l bucketLimit, now time.Time) taken {
	b.mu.Lock()
	defer b.mu.Unlock()
	// Requests get here in another order than they came in. A limiter that is
	// asked at an earlier moment goes back to it, and would hand out the time in
	// between a second time.
	if now.Before(b.now) {
		now = b.now
	}
	b.now = now
	perSecond := rate.Limit(float64(l.perMinute) / 60)
	x := b.all[who]
	switch {
	case x == nil:
		b.sweep(now)
		x = rate.NewLimiter(perSecond, l.perMinute)
		b.all[who] = x
	case x.Burst() != l.perMinute:
		x.SetLimitAt(now, perSecond)
		x.SetBurstAt(now, l.perMinute)
	}
	t := taken{ok: x.AllowN(now, 1), limit: l, policy: "minute"}
	tokens := min(x.TokensAt(now), float64(l.perMinute))
	t.left = max(0, int(tokens))
	wait := func(want float64) time.Duration {
		return time.Duration(math.Ceil(max(0, want-tokens) / float64(perSecond) * float64(time.Second)))
	}
	t.retry, t.full = wait(1), wait(float64(l.perMinute))
	return t
}

func (b *buckets[K]) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all)
}

// sweep drops the buckets that are full again. The next sweep is due when there
// are twice as many as are left, so that sweeping costs little per bucket.
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
// and in the older one.
func (t taken) setHeaders(h http.Header, now time.Time) {
	policy := fmt.Sprintf(`"%s";q=%d;w=60`, t.policy, t.limit.perMinute)
	left := fmt.Sprintf(`"%s";r=%d;t=%d`, t.policy, t.left, wholeSeconds(t.retryOrZero()))
	if q := t.quota; q != nil && q.Limit != state.Unlimited {
		window := int64(q.Resets.Sub(q.Month.Start()) / time.Second)
		policy += fmt.Sprintf(`, "month";q=%d;w=%d`, q.Limit, window)
		left += fmt.Sprintf(`, "month";r=%d;t=%d`, q.Remaining(), wholeSeconds(q.Resets.Sub(now)))
	}
	h.Set("RateLimit-Policy", policy)
	h.Set("RateLimit", left)
	h.Set("X-RateLimit-Limit", strconv.Itoa(t.limit.perMinute))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(t.left))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(t.full.Seconds())), 10))
}

// retryOrZero is how long until the next token, or until the bucket is full
// while there are some.
func (t taken) retryOrZero() time.Duration {
	if t.left > 0 {
		return t.full
	}
	return t.retry
}

func tooMany(t taken, format string, a ...any) *apiError {
	return &apiError{
		Status: http.StatusTooManyRequests, Code: "rate_limited", RetryAfter: t.retry,
		Message: fmt.Sprintf(format, a...) + fmt.Sprintf("; try again in %d s", wholeSeconds(t.retry)),
	}
}
