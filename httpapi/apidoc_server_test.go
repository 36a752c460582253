package httpapi

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// wornServer is a server whose clock runs a second with every request. The key
// has used up its minute, and the day changes after the first page of prices, as
// when the snapshot is another one: with it all tags change.
type wornServer struct {
	*fixture
	key  string
	http *httptest.Server

	mu                             sync.Mutex
	refused, unchanged, firstPages int
}

func newWornServer(t *testing.T) *wornServer {
	f := serveDemo(t)
	const perMinute = 60
	w := &wornServer{fixture: f, key: f.key(state.Standard, func(n *state.NewKey) { n.PerMinute = perMinute })}
	key, err := f.state.Lookup(t.Context(), w.key)
	if err != nil {
		t.Fatal(err)
	}
	for range perMinute {
		f.server.keys.take(key.ID, bucketLimit{perMinute}, testNow)
	}
	inner := f.server.Handler()
	w.http = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		seen := httptest.NewRecorder()
		inner.ServeHTTP(seen, r)
		got := &response{seen.Result(), seen.Body.Bytes()}
		got.Request = r
		observe(t, got)
		w.note(r, seen.Code)
		for name, values := range seen.Header() {
			rw.Header()[name] = values
		}
		rw.WriteHeader(seen.Code)
		rw.Write(seen.Body.Bytes()) //nolint:errcheck // the program says if it got less
	}))
	t.Cleanup(w.http.Close)
	return w
}

func (w *wornServer) note(r *http.Request, status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock.Advance(time.Second)
	switch {
	case status == http.StatusTooManyRequests:
		w.refused++
	case status == http.StatusNotModified:
		w.unchanged++
	case status == http.StatusOK && r.URL.Path == "/api/v1/prices" && r.URL.Query().Get("offset") == "0" && r.Header.Get("If-None-Match") == "":
		if w.firstPages++; w.firstPages == 1 {
			w.clock.Advance(24 * time.Hour)
		}
	}
}
