package limit

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/larder-index/larder/httpapi/reply"
)

// The refusals of Hold.
var (
	errKeyInFlight    = reply.Refuse("too_many_in_flight", "the key has asked for much that it has not received yet; receive it, then try again").After(5 * time.Second)
	errClientInFlight = reply.Refuse("too_many_in_flight", "this address has asked for much that it has not received yet; receive it, then try again").After(5 * time.Second)
	errInFlight       = reply.Refuse("overloaded", "too much that was asked for has not been received yet; try again in some seconds").After(5 * time.Second).WithStatus(http.StatusInternalServerError)
)

// Bounds of the memory of licensed responses. The largest page of prices takes
// some 6.5 MB in a buffer of up to 9 MB, so one reader may have seven on their way.
const (
	maxMaking = 16        // responses being made; more wait for their turn
	MaxHeld   = 256 << 20 // bytes that clients have not yet taken
	ShareOf   = 4         // a reader may have one part in so many of what the others leave
)

// Reader is whom a response is for: a key or, without one, a client.
type Reader struct {
	Key    int64        // id; 0 for none
	Client netip.Prefix // of a reader without a key
}

// Outgoing bounds the memory of responses until their clients, which may be slow,
// have taken them. Bytes that a response shares with the snapshot don't count.
type Outgoing struct {
	making *semaphore.Weighted // responses that are being made

	mu    sync.Mutex
	bytes int64
	of    map[Reader]int64 // only where above 0
}

// NewOutgoing returns an Outgoing with all its room.
func NewOutgoing() *Outgoing {
	return &Outgoing{making: semaphore.NewWeighted(maxMaking), of: map[Reader]int64{}}
}

// Turn is the right to make a response, as long as the function runs that it was given to.
type Turn struct {
	of   *Outgoing
	ctx  context.Context
	held bool
}

// InTurn calls work when a response may be made. Its turn ends when work returns or panics. If
// ctx ends in the queue, InTurn returns its error. Without a queue it does not look at ctx.
func (o *Outgoing) InTurn(ctx context.Context, work func(*Turn) error) error {
	t := &Turn{of: o, ctx: ctx}
	defer t.end()
	if err := t.begin(); err != nil {
		return err
	}
	return work(t)
}

// Aside gives up the turn while work runs, so that others are answered. Then it waits for
// another one.
func (t *Turn) Aside(work func() error) error {
	t.end()
	return errors.Join(work(), t.begin())
}

func (t *Turn) begin() error {
	if !t.of.making.TryAcquire(1) {
		if err := t.of.making.Acquire(t.ctx, 1); err != nil {
			return err
		}
	}
	t.held = true
	return nil
}

func (t *Turn) end() {
	if t.held {
		t.held = false
		t.of.making.Release(1)
	}
}

// Hold reserves n bytes for a reader, until release is called. It refuses more than a quarter
// of what other readers leave, with the code too_many_in_flight, and more than is left, with
// overloaded. A reader's first response fits the reader's share, and the first response of all
// always fits. So a few readers can't take all the room.
func (o *Outgoing) Hold(who Reader, n int) (release func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	mine := o.of[who]
	switch {
	case mine > 0 && mine+int64(n) > (MaxHeld-(o.bytes-mine))/ShareOf:
		if who.Key == 0 {
			return nil, errClientInFlight
		}
		return nil, errKeyInFlight
	case o.bytes > 0 && o.bytes+int64(n) > MaxHeld:
		return nil, errInFlight
	}
	o.add(who, int64(n))
	return sync.OnceFunc(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.add(who, -int64(n))
	}), nil
}

func (o *Outgoing) add(who Reader, n int64) {
	o.bytes += n
	if o.of[who] += n; o.of[who] == 0 {
		delete(o.of, who)
	}
}

// Held returns the bytes that are reserved.
func (o *Outgoing) Held() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}
