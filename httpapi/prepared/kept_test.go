package prepared

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestKept asks for many releases at once. One is made at a time, each once while it is kept,
// and what is kept stays within the bound. A call that was given up makes nothing.
func TestKept(t *testing.T) {
	t.Parallel()
	const most, size = 50, 20 // rows: two releases
	k := newKept(most, func(int) int { return size })
	var making, made atomic.Int32
	get := func(ctx context.Context, n int) (int, error) {
		return k.get(ctx, n, func() (int, error) {
			if making.Add(1) > 1 {
				t.Error("two are made at once")
			}
			made.Add(1)
			k.put(n+1000, -n)
			making.Add(-1)
			return n, nil
		})
	}
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Go(func() {
			if got, err := get(t.Context(), i%20); got != i%20 || err != nil {
				t.Errorf("%d: %d, %v", i%20, got, err)
			}
			if k.mu.Lock(); k.rows > most || k.rows != size*k.list.Len() {
				t.Errorf("%d rows in %d", k.rows, k.list.Len())
			}
			k.mu.Unlock()
		})
	}
	wg.Wait()
	if _, err := get(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	before := made.Load()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := get(gone, 7); got != 7 || err != nil {
		t.Errorf("what is at hand: %d, %v", got, err)
	}
	if _, err := get(gone, 8); !errors.Is(err, context.Canceled) || made.Load() != before {
		t.Errorf("given up: %v, %d made", err, made.Load()-before)
	}
}
