package limit

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

var testNow = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// TestBucketOutOfOrder asks a bucket for instants out of order, as requests do that
// overtake each other. It grants a burst and what the passed time allows, and no more.
func TestBucketOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{time.Millisecond, 2 * time.Second, time.Minute} {
		b := New(minute)
		const perMinute = 60
		granted := 0
		for i := range 10_000 {
			if b.Take(reader(1), perMinute, 1, testNow.Add(late*time.Duration(i%2))).OK {
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
	b := New(minute)
	ask := func(text string) bool { return b.Take(client(text), perMinute, 1, testNow).OK }
	granted := 0
	for i := range 5000 {
		if ask(fmt.Sprintf("2001:db8:1:%x::/64", i)) {
			granted++
		}
	}
	if granted != Wide*perMinute {
		t.Errorf("%d granted", granted)
	}
	if b.GiveBack(client("2001:db8:1:1::/64"), testNow); !ask("2001:db8:1:ffff::/64") || ask("2001:db8:1:ffff::/64") {
		t.Error("what was given back is not there once")
	}
	if !ask("2001:db8:2::/64") || !ask("192.0.2.1/32") {
		t.Error("others are refused too")
	}
}

// TestBucketChangedLimit changes the limit of a bucket. That grants no second burst.
func TestBucketChangedLimit(t *testing.T) {
	t.Parallel()
	b := New(minute)
	count := func(limit int, now time.Time) (n int) {
		for range 200 {
			if b.Take(reader(1), limit, 1, now).OK {
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
	b := New(minute)
	take := func(who int64) Use { return b.Take(reader(who+1), 60, 1, testNow) }
	for who := range int64(maxBuckets) {
		take(who)
	}
	take(0)
	take(maxBuckets)
	if b.Len() != maxBuckets || take(0).left != 57 || take(1).left != 59 {
		t.Errorf("%d buckets", b.Len())
	}
}

// TestRoom takes room up to the limits of one reader and of all, and gives it back. An
// answer larger than all room is sent when no other is. Readers without a key are told apart by
// their addresses.
func TestRoom(t *testing.T) {
	t.Parallel()
	var o Room
	const mb = 1 << 20
	cases := []struct {
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
	}
	for _, x := range cases {
		if got := o.Take(reader(x.key), x.mb*mb); got != x.want { //nolint:errorlint // the very one
			t.Errorf("reader %d, %d MB: %v", x.key, x.mb, got)
		}
	}
	for _, x := range cases {
		if x.want == nil {
			o.Give(reader(x.key), x.mb*mb)
		}
	}
	if o.Held() != 0 || len(o.of) != 0 {
		t.Errorf("%d bytes, %v", o.Held(), o.of)
	}
	first, more, other := o.Take(reader(1), 300*mb), o.Take(reader(1), 1), o.Take(reader(2), 1)
	if first != nil || more == nil || other == nil {
		t.Error("one larger than all room")
	}
}

var minute = Limit{Policy: "minute", Window: time.Minute}

func client(text string) Reader { return Reader{Client: netip.MustParsePrefix(text)} }

func reader(n int64) Reader {
	if n > 0 {
		return Reader{Key: n}
	}
	return Reader{Client: netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(-n)}), 32)}
}
