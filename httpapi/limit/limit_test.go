package limit

import (
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
)

var testNow = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// TestBucketOutOfOrder asks a bucket for instants out of order, as requests do that
// overtake each other. It grants a burst and what the passed time allows, and no more.
func TestBucketOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{time.Millisecond, 2 * time.Second, time.Minute} {
		b := New[int]("minute")
		const perMinute = 60
		granted := 0
		for i := range 10_000 {
			if b.Take(1, perMinute, testNow.Add(late*time.Duration(i%2))).OK {
				granted++
			}
		}
		// One at the start; by the later moment the bucket is as full as it gets.
		if want := 1 + min(perMinute, perMinute-1+int(late/time.Second)); granted != want {
			t.Errorf("%s late: %d granted, want %d", late, granted, want)
		}
	}
}

// TestBucketChangedLimit changes the limit of a bucket. That grants no second burst.
func TestBucketChangedLimit(t *testing.T) {
	t.Parallel()
	b := New[int]("minute")
	count := func(limit int, now time.Time) (n int) {
		for range 200 {
			if b.Take(1, limit, now).OK {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name  string
		limit int
		after time.Duration
		want  int
	}{
		{"first", 60, 0, 60},
		{"raised: no second burst", 120, 0, 0},
		{"raised: fills faster", 120, time.Second, 2},
		{"lowered: what there was is cut to the new burst", 10, time.Hour, 10},
	} {
		if got := count(c.limit, testNow.Add(c.after)); got != c.want {
			t.Errorf("%s: %d granted, want %d", c.name, got, c.want)
		}
	}
}

// TestBucketSweep fills the table of buckets. Only buckets that are full again are dropped.
func TestBucketSweep(t *testing.T) {
	t.Parallel()
	b := New[int]("minute")
	const limit = 60
	for who := range maxBuckets {
		b.Take(who, limit, testNow)
	}
	for range 59 {
		b.Take(7, limit, testNow)
	}
	b.Take(-1, limit, testNow.Add(2*time.Second))
	if n := b.Len(); n != 2 {
		t.Errorf("%d buckets are left", n)
	}
	if use := b.Take(7, limit, testNow.Add(2*time.Second)); use.left != 1 {
		t.Errorf("the one that was used up has %d left", use.left)
	}
}

// TestOutgoing holds room up to the limits of one key and of all, and gives it back. A
// response larger than all room is sent when no other is.
func TestOutgoing(t *testing.T) {
	t.Parallel()
	o := NewOutgoing()
	const mb = 1 << 20
	for _, x := range []struct {
		key  int64
		mb   int
		want *reply.Error
	}{
		{1, 60, nil}, {1, 5, ErrKeyInFlight}, {1, 4, nil}, {1, 1, ErrKeyInFlight},
		{2, 47, nil}, {2, 2, ErrKeyInFlight}, {2, 1, nil}, // 192 MB are left
		{3, 35, nil}, {3, 1, nil}, {3, 1, ErrKeyInFlight}, // 144 MB are left
		{4, 26, nil}, {4, 1, nil}, {4, 1, ErrKeyInFlight}, {5, 20, nil}, {5, 1, ErrKeyInFlight}, // each has its share
		{6, 9, nil}, {7, 9, nil}, // large pages of other keys fit all the same
		{8, 44, ErrInFlight}, {8, 43, nil}, {9, 1, ErrInFlight},
	} {
		if got := o.Hold(x.key, x.mb*mb); got != x.want {
			t.Errorf("key %d, %d MB: %v", x.key, x.mb, got)
		}
	}
	for _, x := range []struct {
		key int64
		mb  int
	}{{1, 60}, {1, 4}, {2, 48}, {3, 36}, {4, 27}, {5, 20}, {6, 9}, {7, 9}, {8, 43}} {
		o.Release(x.key, x.mb*mb)
	}
	if o.Held() != 0 || len(o.ofKey) != 0 {
		t.Errorf("%d bytes, %v", o.Held(), o.ofKey)
	}
	if o.Hold(1, 300*mb) != nil || o.Hold(1, 1) == nil || o.Hold(2, 1) == nil {
		t.Error("one larger than all room")
	}
}
