package httpapi

import (
	"context"
	"errors"
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
		b := newBuckets[int]("minute")
		const perMinute = 60
		granted := 0
		for i := range 10_000 {
			if b.take(1, perMinute, testNow.Add(late*time.Duration(i%2))).ok {
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
	b := newBuckets[int]("minute")
	count := func(limit int, now time.Time) (n int) {
		for range 200 {
			if b.take(1, limit, now).ok {
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
	b := newBuckets[int]("minute")
	const limit = 60
	for who := range maxBuckets {
		b.take(who, limit, testNow)
	}
	for range 59 {
		b.take(7, limit, testNow)
	}
	b.take(-1, limit, testNow.Add(2*time.Second))
	if n := b.len(); n != 2 {
		t.Errorf("%d buckets are left", n)
	}
	if use := b.take(7, limit, testNow.Add(2*time.Second)); use.left != 1 {
		t.Errorf("the one that was used up has %d left", use.left)
	}
}

// TestOutgoing holds room up to the limits of one key and of all, and gives it back. A
// response larger than all room is sent when no other is.
func TestOutgoing(t *testing.T) {
	t.Parallel()
	o := newOutgoing()
	const mb = 1 << 20
	for _, x := range []struct {
		key  int64
		mb   int
		want *apiError
	}{
		{1, 60, nil}, {1, 5, errKeyInFlight}, {1, 4, nil}, {1, 1, errKeyInFlight},
		{2, 47, nil}, {2, 2, errKeyInFlight}, {2, 1, nil}, // 192 MB are left
		{3, 35, nil}, {3, 1, nil}, {3, 1, errKeyInFlight}, // 144 MB are left
		{4, 26, nil}, {4, 1, nil}, {4, 1, errKeyInFlight}, {5, 20, nil}, {5, 1, errKeyInFlight}, // each has its share
		{6, 9, nil}, {7, 9, nil}, // large pages of other keys fit all the same
		{8, 44, errInFlight}, {8, 43, nil}, {9, 1, errInFlight},
	} {
		if got := o.hold(x.key, x.mb*mb); got != x.want {
			t.Errorf("key %d, %d MB: %v", x.key, x.mb, got)
		}
	}
	for _, x := range []struct {
		key int64
		mb  int
	}{{1, 60}, {1, 4}, {2, 48}, {3, 36}, {4, 27}, {5, 20}, {6, 9}, {7, 9}, {8, 43}} {
		o.release(x.key, x.mb*mb)
	}
	if o.held() != 0 || len(o.ofKey) != 0 {
		t.Errorf("%d bytes, %v", o.held(), o.ofKey)
	}
	if o.hold(1, 300*mb) != nil || o.hold(1, 1) == nil || o.hold(2, 1) == nil {
		t.Error("one larger than all room")
	}
}

// TestPingHangs asks three times while the disk hangs. There is one look at the state, and
// each caller waits for pingPatience. When the disk goes on, so does readiness.
func TestPingHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p pinged
		looks, disk := 0, make(chan error)
		ping := func(context.Context) error { looks++; return <-disk }
		for range 3 {
			began := time.Now()
			if err := p.do(t.Context(), began, ping); !errors.Is(err, errPingSlow) || time.Since(began) != pingPatience {
				t.Errorf("%v after %s", err, time.Since(began))
			}
		}
		disk <- nil
		synctest.Wait()
		go func() { disk <- errors.New("full") }()
		if err := p.do(t.Context(), time.Now(), ping); err == nil || err.Error() != "full" {
			t.Errorf("then: %v", err)
		}
		if looks != 2 {
			t.Errorf("%d looks", looks)
		}
	})
}

func TestOriginOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://prices.example.org":      "https://prices.example.org",
		"https://prices.example.org/":     "https://prices.example.org",
		"https://Prices.Example.ORG:443/": "https://prices.example.org",
		"http://localhost:80":             "http://localhost",
		"http://localhost:443":            "http://localhost:443",
		"http://127.0.0.1:8080":           "http://127.0.0.1:8080",
		"https://[2001:DB8::1]:443":       "https://[2001:db8::1]",
		"https://a:":                      "https://a",
		"prices.example.org":              "",
		"ftp://prices.example.org":        "",
		"https://":                        "",
		"https://:443":                    "",
		"https://u:p@prices.example.org":  "",
		"https://prices.example.org/x":    "",
		"https://prices.example.org?x=1":  "",
		"https://prices.example.org#x":    "",
		"http://a b":                      "",
	} {
		got, err := originOf(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("originOf(%q) = %q, %v; want %q", address, got, err, want)
		}
	}
}
