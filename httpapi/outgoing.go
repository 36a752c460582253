package httpapi

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// What responses of the data may hold of memory. The largest page of prices is
// some 6.5 MB in a buffer of up to 9 MB: one key may have seven on their way.
const (
	maxMaking    = 16        // responses being made; more wait for their turn
	maxHeld      = 256 << 20 // bytes of responses that clients have not yet taken
	maxHeldOfKey = maxHeld / 4
)

var errOutgoing = &apiError{
	Status: http.StatusServiceUnavailable, Code: "overloaded", RetryAfter: 5 * time.Second,
	Message: "too much that was asked for has not been received yet; receive it, or try again in some seconds",
}

// outgoing bounds the memory of responses between being made and being taken by
// their clients, who may be slow. It counts what is held because of one response
// alone, not what it shares with the snapshot.
type outgoing struct {
	making chan struct{} // holds one for each response that is being made

	mu    sync.Mutex
	bytes int64
	ofKey map[int64]int64 // by the key that pays; only where above 0
}

func newOutgoing() *outgoing {
	return &outgoing{making: make(chan struct{}, maxMaking), ofKey: map[int64]int64{}}
}

// begin waits until a response may be made, for as long as its client does.
func (o *outgoing) begin(ctx context.Context) error {
	select {
	case o.making <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (o *outgoing) end() { <-o.making }

// hold takes room for a response's bytes; false if there is too little. Where
// there is none held, there is room for any.
func (o *outgoing) hold(key int64, bytes int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := int64(bytes)
	if mine := o.ofKey[key]; mine > 0 && mine+n > maxHeldOfKey || o.bytes > 0 && o.bytes+n > maxHeld {
		return false
	}
	o.bytes += n
	o.ofKey[key] += n
	return true
}

// release gives back what hold took.
func (o *outgoing) release(key int64, bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := int64(bytes)
	o.bytes -= n
	if o.ofKey[key] -= n; o.ofKey[key] == 0 {
		delete(o.ofKey, key)
	}
}

// held is how many bytes are held now.
func (o *outgoing) held() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}
