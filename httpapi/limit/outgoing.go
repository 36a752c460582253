package limit

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/larder-index/larder/httpapi/reply"
)

// The refusals of Made.
var (
	errKeyInFlight    = inFlight("the key")
	errClientInFlight = inFlight("this address")
	errInFlight       = reply.Refuse("overloaded", "too much that was asked for has not been received yet; try again in some seconds").After(5 * time.Second).WithStatus(http.StatusInternalServerError)
)

func inFlight(who string) *reply.Error {
	e := reply.Refuse("too_many_in_flight", who+" has asked for much that it has not received yet; receive it, then try again").After(5 * time.Second)
	e.Limit = "key_in_flight"
	return e
}

// Bounds of the memory of licensed responses. The largest page of prices takes
// some 6.5 MB in a buffer of up to 9 MB, so one reader may have seven on their way.
const (
	MaxMaking = 16                        // responses being made; more wait for their turn
	MaxHeld   = 256 << 20                 // bytes that clients have not yet taken
	ShareOf   = 4                         // a reader may have one part in so many of what the others leave
	MaxMemory = MaxHeld + MaxMaking*9<<20 // of both
)

// Reader is whom a response is for: a key or, without one, a client.
type Reader struct {
	Key    int64        // id; 0 for none
	Client netip.Prefix // of a reader without a key
}

// Outgoing bounds what answers take until their clients, which may be slow, have them: turns to
// make them, and memory. Bytes that an answer shares with the snapshot don't count.
type Outgoing struct {
	making *semaphore.Weighted // answers that are being made

	mu    sync.Mutex
	bytes int64
	of    map[Reader]int64 // only where above 0
}

// NewOutgoing returns an Outgoing with all its room.
func NewOutgoing() *Outgoing {
	return &Outgoing{making: semaphore.NewWeighted(MaxMaking), of: map[Reader]int64{}}
}

// Hold is one answer's share of an Outgoing. It has a turn while the answer is made. Then it has the
// answer's memory, until the client has received the answer or is gone. Release gives both back. A Hold
// is for one goroutine.
type Hold struct {
	out   *Outgoing
	turn  bool
	who   Reader
	bytes int64
	then  []func()
}

// Hold returns an empty Hold.
func (o *Outgoing) Hold() *Hold { return &Hold{out: o} }

// Turn waits until the answer may be made. If ctx ends in the queue, Turn returns its error.
// Without a queue it does not look at ctx.
func (h *Hold) Turn(ctx context.Context) error {
	if !h.out.making.TryAcquire(1) {
		if err := h.out.making.Acquire(ctx, 1); err != nil {
			return err
		}
	}
	h.turn = true
	return nil
}

// WithoutTurn gives up the turn while work runs, so that others are answered. Then it waits for
// another one.
func (h *Hold) WithoutTurn(ctx context.Context, work func() error) error {
	h.endTurn()
	return errors.Join(work(), h.Turn(ctx))
}

func (h *Hold) endTurn() {
	if h.turn {
		h.turn = false
		h.out.making.Release(1)
	}
}

// Made ends the turn: n bytes are made for a reader. It refuses more than a quarter of what
// other readers leave, with the code too_many_in_flight, and more than is left, with overloaded.
// A reader's first answer fits the reader's share, and the first answer of all always fits. So a
// few readers can't take all the room.
func (h *Hold) Made(who Reader, n int) error {
	h.endTurn()
	o := h.out
	o.mu.Lock()
	defer o.mu.Unlock()
	mine := o.of[who]
	switch {
	case mine > 0 && mine+int64(n) > (MaxHeld-(o.bytes-mine))/ShareOf:
		if who.Key == 0 {
			return errClientInFlight
		}
		return errKeyInFlight
	case o.bytes > 0 && o.bytes+int64(n) > MaxHeld:
		return errInFlight
	}
	h.who, h.bytes = who, int64(n)
	o.add(who, h.bytes)
	return nil
}

// Then makes Release call f too, before the functions that were added earlier.
func (h *Hold) Then(f func()) { h.then = append(h.then, f) }

// Release gives back all that is held, wherever the answer ended. Twice is as good as once.
func (h *Hold) Release() {
	h.endTurn()
	h.out.mu.Lock()
	h.out.add(h.who, -h.bytes)
	h.out.mu.Unlock()
	then := h.then
	h.bytes, h.then = 0, nil
	for _, f := range slices.Backward(then) {
		f()
	}
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
