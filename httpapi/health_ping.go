package httpapi

import (
	"context"
	"sync"
	"time"
)

// pinged is the outcome of the last look at the state.
type pinged struct {
	mu    sync.Mutex
	at    time.Time
	err   error
	done  bool
	under chan struct{} // closed when the look that is under way ends; nil if none is
}

// do returns the outcome of a look that is fresh, or of one that begins now. On a
// disk that hangs a look has no outcome: there is never more than one, and nobody
// waits for it longer than pingPatience.
func (p *pinged) do(ctx context.Context, now time.Time, ping func(context.Context) error) error {
	p.mu.Lock()
	if age := now.Sub(p.at); p.done && age >= 0 && age < pingEvery {
		defer p.mu.Unlock()
		return p.err
	}
	if p.under == nil {
		p.under = make(chan struct{})
		go func() {
			// A client that goes away must not spoil the answer for the next one.
			err := ping(context.WithoutCancel(ctx))
			p.mu.Lock()
			defer p.mu.Unlock()
			p.at, p.err, p.done = now, err, true
			close(p.under)
			p.under = nil
		}()
	}
	under := p.under
	p.mu.Unlock()
	patience := time.NewTimer(pingPatience)
	defer patience.Stop()
	select {
	case <-under:
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.err
	case <-patience.C:
		return errPingSlow
	}
}
