package limit

import (
	"net/http"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
)

// The refusals of Take.
var (
	errKeyInFlight    = inFlight("the key")
	errClientInFlight = inFlight("this address")
	errInFlight       = reply.Refuse("overloaded",
		"too much that was asked for has not been received yet; try again in some seconds").
		After(5 * time.Second).WithStatus(http.StatusInternalServerError)
)

func inFlight(who string) *reply.Error {
	e := reply.Refuse("too_many_in_flight",
		who+" has asked for much that it has not received yet; receive it, then try again").After(5 * time.Second)
	e.Limit = "key_in_flight"
	return e
}

// Bounds of the memory of answers. The largest page of prices takes some 6.5 MB in a buffer of up to
// 9 MB, so one reader may have seven on their way.
const (
	MaxMaking = 16                        // answers being made; more wait for their turn
	MaxHeld   = 256 << 20                 // bytes that clients have not yet taken
	ShareOf   = 4                         // a reader may have one part in so many of what the others leave
	MaxMemory = MaxHeld + MaxMaking*9<<20 // of both
)

// Room bounds the bytes of answers that are made and that their clients, which may be slow, have
// not yet taken. The zero Room is empty.
type Room struct {
	mu   sync.Mutex
	held int64
	of   map[Reader]int64 // only where above 0
}

// Take takes room for an answer. It refuses a reader more than a quarter of what others leave, with
// the code too_many_in_flight, and more than is left, with overloaded. A reader's first answer fits
// the reader's share, and the first answer of all always fits: a few readers can't take all the room.
func (r *Room) Take(who Reader, n int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	mine, more := r.of[who], int64(n)
	switch {
	case mine > 0 && mine+more > (MaxHeld-(r.held-mine))/ShareOf:
		if who.Key == 0 {
			return errClientInFlight
		}
		return errKeyInFlight
	case r.held > 0 && r.held+more > MaxHeld:
		return errInFlight
	}
	r.add(who, more)
	return nil
}

// Give gives back what was taken.
func (r *Room) Give(who Reader, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(who, -int64(n))
}

func (r *Room) add(who Reader, n int64) {
	if r.of == nil {
		r.of = map[Reader]int64{}
	}
	r.held += n
	if r.of[who] += n; r.of[who] == 0 {
		delete(r.of, who)
	}
}

// Held returns the bytes that are taken.
func (r *Room) Held() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held
}
