package limit

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

var testNow = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// TestBucketOutOfOrder asks a bucket for instants out of order, as requests do that
// overtake each other. It grants a burst and what the passed time allows, and no more.
func TestBucketOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{time.Millisecond, 2 * time.Second, time.Minute} {
		b := New[int]("minute", "")
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

// TestWholeNetwork asks from every /64 of a /48. They have 16 times the allowance of one, and neither a
// neighbour nor IPv4 has less for it.
func TestWholeNetwork(t *testing.T) {
	t.Parallel()
	const perMinute = 30
	b := New[netip.Prefix]("minute", "")
	ask := func(text string) bool { return b.Take(netip.MustParsePrefix(text), perMinute, testNow).OK }
	granted := 0
	for i := range 5000 {
		if ask(fmt.Sprintf("2001:db8:1:%x::/64", i)) {
			granted++
		}
	}
	if granted != Wide*perMinute {
		t.Errorf("%d granted", granted)
	}
	if b.GiveBack(netip.MustParsePrefix("2001:db8:1:1::/64"), testNow); !ask("2001:db8:1:ffff::/64") || ask("2001:db8:1:ffff::/64") {
		t.Error("what was given back is not there once")
	}
	if !ask("2001:db8:2::/64") || !ask("192.0.2.1/32") {
		t.Error("others are refused too")
	}
}

// TestBucketChangedLimit changes the limit of a bucket. That grants no second burst.
func TestBucketChangedLimit(t *testing.T) {
	t.Parallel()
	b := New[int]("minute", "")
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

// TestBucketsAreBounded fills the table of buckets. The one that was asked longest ago goes.
func TestBucketsAreBounded(t *testing.T) {
	t.Parallel()
	b := New[int]("minute", "")
	for who := range maxBuckets {
		b.Take(who, 60, testNow)
	}
	b.Take(0, 60, testNow)
	b.Take(-1, 60, testNow)
	if b.Len() != maxBuckets || b.Take(0, 60, testNow).left != 57 || b.Take(1, 60, testNow).left != 59 {
		t.Errorf("%d buckets", b.Len())
	}
}

// TestOutgoing holds room up to the limits of one reader and of all, and gives it back. A
// response larger than all room is sent when no other is. Readers without a key are told apart by
// their addresses.
func TestOutgoing(t *testing.T) {
	t.Parallel()
	o := NewOutgoing()
	const mb = 1 << 20
	var holds []*Hold
	for _, x := range []struct {
		key  int64 // below 0: a client without a key
		mb   int
		want error
	}{
		{1, 60, nil}, {1, 5, errKeyInFlight}, {1, 4, nil}, {1, 1, errKeyInFlight},
		{-2, 47, nil}, {-2, 2, errClientInFlight}, {-2, 1, nil}, // 192 MB are left
		{-3, 35, nil}, {-3, 1, nil}, {-3, 1, errClientInFlight}, // 144 MB are left
		{4, 26, nil}, {4, 1, nil}, {4, 1, errKeyInFlight}, {5, 20, nil}, {5, 1, errKeyInFlight}, // each has its share
		{6, 9, nil}, {7, 9, nil}, // large pages of other readers fit all the same
		{8, 44, errInFlight}, {8, 43, nil}, {9, 1, errInFlight},
	} {
		h := o.Hold()
		if got := h.Made(reader(x.key), x.mb*mb); got != x.want { //nolint:errorlint // the very one
			t.Errorf("reader %d, %d MB: %v", x.key, x.mb, got)
		}
		holds = append(holds, h, h) // twice is as good as once
	}
	for _, h := range holds {
		h.Release()
	}
	if o.Held() != 0 || len(o.of) != 0 {
		t.Errorf("%d bytes, %v", o.Held(), o.of)
	}
	first, more, other := o.Hold().Made(reader(1), 300*mb), o.Hold().Made(reader(1), 1), o.Hold().Made(reader(2), 1)
	if first != nil || more == nil || other == nil {
		t.Error("one larger than all room")
	}
}

func reader(n int64) Reader {
	if n > 0 {
		return Reader{Key: n}
	}
	return Reader{Client: netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(-n)}), 32)}
}

// TestTurns takes all turns. One more reader waits for the first that is given up, or leaves when
// its context ends. Work aside has no turn; after it, when the answer is made, and after Release
// none is left over. Release calls what was added, once, the newest first.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := NewOutgoing()
		var holds []*Hold
		for range MaxMaking {
			h := o.Hold()
			if err := h.Turn(t.Context()); err != nil {
				t.Fatal(err)
			}
			holds = append(holds, h)
		}
		short, cancel := context.WithCancel(t.Context())
		cancel()
		left := o.Hold()
		if err := left.Turn(short); !errors.Is(err, context.Canceled) {
			t.Errorf("a reader who left: %v", err)
		}
		left.Release()
		go func() {
			synctest.Wait()
			for i, h := range holds {
				if i%2 == 0 {
					h.Release()
				} else if err := h.Made(reader(1), 1); err != nil {
					t.Error(err)
				}
			}
		}()
		last, aside, order := o.Hold(), errors.New("aside"), ""
		if err := last.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if free := o.making.TryAcquire(MaxMaking); free {
			t.Error("no turn is taken")
		}
		err := last.WithoutTurn(t.Context(), func() error {
			if free := o.making.TryAcquire(MaxMaking); !free {
				t.Error("work aside has a turn")
			}
			o.making.Release(MaxMaking)
			return aside
		})
		last.Then(func() { order += "first" })
		last.Then(func() { order += "last " })
		for _, h := range append(holds, last, last) {
			h.Release()
		}
		if !errors.Is(err, aside) || order != "last first" || !o.making.TryAcquire(MaxMaking) || o.Held() != 0 {
			t.Errorf("%v, %q; turns or bytes are taken", err, order)
		}
	})
}
