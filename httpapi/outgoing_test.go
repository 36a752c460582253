package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// Room is given up to the limits, of one key and of all, and all of it comes
// back. A response that is larger than any limit is sent when nothing else is.
func TestOutgoing(t *testing.T) {
	o := newOutgoing()
	const mb = 1 << 20
	for _, x := range []struct {
		key  int64
		mb   int
		want bool
	}{
		{1, 60, true}, {1, 5, false}, {1, 4, true}, {1, 1, false}, {2, 64, true}, {3, 64, true}, {4, 60, true}, {5, 5, false}, {5, 4, true}, {6, 1, false},
	} {
		if got := o.hold(x.key, x.mb*mb); got != x.want {
			t.Errorf("key %d, %d MB: %v", x.key, x.mb, got)
		}
	}
	for _, x := range []struct {
		key int64
		mb  int
	}{{1, 60}, {1, 4}, {2, 64}, {3, 64}, {4, 60}, {5, 4}} {
		o.release(x.key, x.mb*mb)
	}
	if o.held() != 0 || len(o.ofKey) != 0 {
		t.Errorf("%d bytes, %v", o.held(), o.ofKey)
	}
	if !o.hold(1, 300*mb) || o.hold(1, 1) || o.hold(2, 1) {
		t.Error("one larger than all room")
	}
}

// A refusal for want of room is one like others: not counted, logged, and without
// what the response would have had. A client that leaves does not wait on.
func TestOverloaded(t *testing.T) {
	f := serveDemo(t)
	key := f.key(state.Standard)
	out := f.server.responses
	if !out.hold(99, maxHeld) {
		t.Fatal("no room")
	}
	for _, packed := range []string{"identity", "gzip"} {
		got := f.get("/api/v1/prices", key, header("Accept-Encoding", packed))
		wantError(t, "overloaded", got, http.StatusServiceUnavailable, "overloaded")
		if h := got.Header; h.Get("Retry-After") != "5" || h.Get("ETag") != "" || h.Get("Content-Encoding") != "" || !strings.Contains(h.Get("RateLimit"), `"month";r=50000`) {
			t.Errorf("%v", h)
		}
	}
	session := withCookie(f.signIn(key))
	for _, x := range f.server.routes {
		switch {
		case x.sessionOnly:
			wantStatus(t, f.get(x.path, "", session), http.StatusServiceUnavailable)
		case x.licensed:
			wantStatus(t, f.get(x.path, key), http.StatusServiceUnavailable)
		}
	}
	out.release(99, maxHeld)
	wantStatus(t, f.get("/api/v1/prices", key), http.StatusOK)
	if out.held() != 0 {
		t.Errorf("%d bytes are held", out.held())
	}
	for range maxMaking {
		if err := out.begin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := out.begin(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("it waited: %v", err)
	}
}

// On a disk that hangs there is one look at the state, however many ask, and
// nobody waits longer than is promised; when it goes on, so does readiness.
func TestPingHangs(t *testing.T) {
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
