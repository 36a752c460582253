package limit

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
)

// The refusals of Hold.
var (
	ErrKeyInFlight = reply.Refuse("too_many_in_flight", "the key has asked for much that it has not received yet; receive it, then try again").After(5 * time.Second)
	ErrInFlight    = reply.Refuse("overloaded", "too much that was asked for has not been received yet; try again in some seconds").After(5 * time.Second).WithStatus(http.StatusInternalServerError)
)

// Bounds of the memory of licensed responses. The largest page of prices takes
// some 6.5 MB in a buffer of up to 9 MB, so one key may have seven on their way.
const (
	maxMaking = 16        // responses being made; more wait for their turn
	MaxHeld   = 256 << 20 // bytes that clients have not yet taken
	ShareOf   = 4         // a key may have one part in so many of what the others leave
)

// Outgoing bounds the memory of responses until their clients, which may be slow,
// have taken them. Bytes that a response shares with the snapshot don't count.
type Outgoing struct {
	making chan struct{} // one element for each response that is being made

	mu    sync.Mutex
	bytes int64
	ofKey map[int64]int64 // by the id of the key that pays; only where above 0
}

// NewOutgoing returns an Outgoing with all its room.
func NewOutgoing() *Outgoing {
	return &Outgoing{making: make(chan struct{}, maxMaking), ofKey: map[int64]int64{}}
}

// TakeTurn waits until a response may be made, or until ctx ends. If there is no queue, it
// does not look at ctx.
func (o *Outgoing) TakeTurn(ctx context.Context) error {
	select {
	case o.making <- struct{}{}:
		return nil
	default:
	}
	select {
	case o.making <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// GiveTurn lets another response be made.
func (o *Outgoing) GiveTurn() { <-o.making }

// Hold reserves n bytes for key. It fails with ErrKeyInFlight if the key would have
// more than a quarter of what the other keys leave, and with ErrInFlight if the bytes
// are more than is left. A key's first response fits the key's share, and the first
// response of all always fits. So a few keys can't take all the room.
func (o *Outgoing) Hold(key int64, n int) *reply.Error {
	o.mu.Lock()
	defer o.mu.Unlock()
	mine := o.ofKey[key]
	switch {
	case mine > 0 && mine+int64(n) > (MaxHeld-(o.bytes-mine))/ShareOf:
		return ErrKeyInFlight
	case o.bytes > 0 && o.bytes+int64(n) > MaxHeld:
		return ErrInFlight
	}
	o.bytes += int64(n)
	o.ofKey[key] += int64(n)
	return nil
}

// Release gives back what hold reserved.
func (o *Outgoing) Release(key int64, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes -= int64(n)
	if o.ofKey[key] -= int64(n); o.ofKey[key] == 0 {
		delete(o.ofKey, key)
	}
}

// Held returns the bytes that are reserved.
func (o *Outgoing) Held() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}
