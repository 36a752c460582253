package prepared

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestCache asks for many releases at once. One is made at a time, each once while it is kept,
// and what is kept stays within the bound. A call that was given up makes nothing. What failed is
// not kept, and is made from the beginning by the next call.
func TestCache(t *testing.T) {
	t.Parallel()
	const most, size = 50, 20 // rows: two things
	c := newCache(most)
	var making, count atomic.Int32
	ask := func(ctx context.Context, n int) (int, error) {
		return get(ctx, c, made{"test", n}, func() (int, int, error) {
			if making.Add(1) > 1 {
				t.Error("two are made at once")
			}
			count.Add(1)
			c.put(made{"another", n}, -n, size)
			making.Add(-1)
			return n, size, nil
		})
	}
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Go(func() {
			if got, err := ask(t.Context(), i%20); got != i%20 || err != nil {
				t.Errorf("%d: %d, %v", i%20, got, err)
			}
			if c.making.Lock(); c.rows > most || c.rows != size*c.list.Len() {
				t.Errorf("%d rows in %d", c.rows, c.list.Len())
			}
			c.making.Unlock()
		})
	}
	wg.Wait()
	if _, err := ask(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	before := count.Load()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := ask(gone, 7); got != 7 || err != nil {
		t.Errorf("what is at hand: %d, %v", got, err)
	}
	if _, err := ask(gone, 8); !errors.Is(err, context.Canceled) || count.Load() != before {
		t.Errorf("given up: %v, %d made", err, count.Load()-before)
	}
	tries, failure := 0, errors.New("a fault")
	for i, want := range []error{failure, nil, nil} {
		rows := c.rows
		got, err := get(t.Context(), c, made{"failing", 8}, func() (int, int, error) {
			tries++
			return tries, size, want
		})
		if !errors.Is(err, want) || i > 0 && got != 2 || i == 0 && c.rows != rows {
			t.Errorf("%v, %v; %d rows, then %d", got, err, rows, c.rows)
		}
	}
}
