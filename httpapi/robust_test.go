package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// quick are timeouts that tests don't wait long for. Those that must not be
// reached are ample.
var quick = Timeouts{Header: 300 * time.Millisecond, Read: 500 * time.Millisecond, Write: time.Minute, Idle: time.Minute, Drain: time.Minute}

// live is a server as larder serve runs it: with its own connections and
// timeouts.
type live struct {
	*fixture
	addr, adminAddr string
	stop            func() error // ends it and returns what Serve returned
}

func serveLive(t testing.TB, f *fixture, timeouts Timeouts) *live {
	t.Helper()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	public, admin := listen(), listen()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.server.Serve(ctx, context.Background(), public, admin, timeouts) }()
	stopped := false
	l := &live{fixture: f, addr: public.Addr().String(), adminAddr: admin.Addr().String()}
	l.stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if err := l.stop(); err != nil {
			t.Error(err)
		}
	})
	l.warm(t)
	return l
}

// warm makes all that is made at the first request, so that it is not taken for
// something left behind.
func (l *live) warm(t testing.TB) {
	t.Helper()
	key := l.key(state.Standard)
	for _, path := range []string{"/readyz", "/api/v1/index?limit=1", "/api/v1/usage"} {
		l.send(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+key+"\r\nConnection: close\r\n\r\n")
	}

}

// send writes bytes to a new connection and returns all that comes back until
// the server closes it. It never waits longer than patience.
func (l *live) send(t testing.TB, raw string) []byte {
	t.Helper()
	c := l.dial(t)
	defer c.Close()
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil {
		t.Errorf("%.60q: %v after %d bytes", raw, err, len(got))
	}
	return got
}

const patience = 20 * time.Second

func (l *live) dial(t testing.TB) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp", l.addr, patience)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return c
}

// answers reads the responses in what a server sent to requests of the methods.
func answers(t testing.TB, raw []byte, methods ...string) []*response {
	t.Helper()
	var all []*response
	b := bufio.NewReader(bytes.NewReader(raw))
	for _, method := range methods {
		r, err := http.ReadResponse(b, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("response %d: %v in %q", len(all)+1, err, raw)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &response{r, body})
	}
	if rest, _ := io.ReadAll(b); len(rest) > 0 {
		t.Errorf("%q follows the last response", rest)
	}
	return all
}

// wantError checks that a response is an error as all are: JSON with its three
// members, and the id in the header too.
func wantError(t testing.TB, what string, got *response, status int, code string) {
	t.Helper()
	var body struct{ Error, Code, RequestID string }
	d := json.NewDecoder(bytes.NewReader(got.body))
	if err := d.Decode(&body); err != nil {
		t.Errorf("%s: %d %q: no JSON: %v", what, got.StatusCode, got.body, err)
		return
	}
	id := got.Header.Get("X-Request-Id")
	if got.StatusCode != status || body.Code != code || body.Error == "" || body.RequestID != id || len(id) != 24 || got.Header.Get("Content-Type") != jsonType {
		t.Errorf("%s: %d %s, want %d %s; X-Request-Id %q, %s", what, got.StatusCode, got.body, status, code, id, got.Header.Get("Content-Type"))
	}
}

// inUse counts what a connection that was not let go of would hold.
func inUse(t testing.TB) (goroutines, descriptors int) {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil && !errors.Is(err, os.ErrNotExist) { // where there is no /proc, goroutines have to do
		t.Fatal(err)
	}
	return runtime.NumGoroutine(), len(files)
}

// leavesNothing runs f and checks that in the end it holds no more goroutines
// and descriptors than before.
func leavesNothing(t *testing.T, f func()) {
	t.Helper()
	goroutines, descriptors := inUse(t)
	f()
	if !eventually(func() bool {
		g, d := inUse(t)
		return g <= goroutines && d <= descriptors
	}) {
		g, d := inUse(t)
		stacks := make([]byte, 1<<20)
		t.Fatalf("%d goroutines, before %d; %d descriptors, before %d\n%s", g, goroutines, d, descriptors,
			stacks[:runtime.Stack(stacks, true)])
	}
}

// eventually asks until the answer is yes, as long as patience lasts.
func eventually(ok func() bool) bool {
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			return false
		}
	}
	return true
}

// Every route takes its methods and refuses every other one.
func TestEveryRouteAndMethod(t *testing.T) {
	f := serveDemo(t)
	for _, x := range f.server.routes {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			got := f.do(method, x.path, "", "")
			what := method + " " + x.path
			takes := false
			for _, m := range x.methods {
				takes = takes || m == method
			}
			switch allow := got.Header.Get("Allow"); {
			case !takes && method != "HEAD":
				wantRefusal := wantError
				if underShopper(got.Request) {
					wantRefusal = wantShopperError
				}
				wantRefusal(t, what, got, http.StatusMethodNotAllowed, "method_not_allowed")
				if allow != strings.Join(x.methods, ", ") {
					t.Errorf("%s: Allow %q", what, allow)
				}
			case !takes:
				if got.StatusCode != http.StatusMethodNotAllowed || len(got.body) > 0 {
					t.Errorf("%s: %d %q", what, got.StatusCode, got.body)
				}
			case x.under && got.StatusCode == http.StatusNotFound:
			case got.StatusCode == 404 || got.StatusCode == 405 || got.StatusCode >= 500 || got.Header.Get("X-Request-Id") == "":
				t.Errorf("%s: %d %s", what, got.StatusCode, got.body)
			case method != "OPTIONS" && strings.HasPrefix(x.path, "/api/") && got.Header.Get("Content-Type") != jsonType:
				t.Errorf("%s: %s", what, got.Header.Get("Content-Type"))
			}
		}
	}
}

// What is near a route is none.
func TestOddPaths(t *testing.T) {
	l := serveLive(t, serveDemo(t), quick)
	for _, target := range []string{
		"//", "//api/v1/index", "/api//v1/index", "/api/v1/index/", "/api/v1/index//", "/api/v1/", "/api", "/API/v1/index", "/api/v1/Index",
		"/./api/v1/index", "/api/v1/../v1/index", "/api/v1/%2e%2e/v1/index", "/api/%2e/v1/index", "/api/v1/index%00", "/%00", "/api/v1/index%20",
		"/api/v1/index;a=b", "/api/v1/index%3Flimit=1", "/api/v1/index%0d%0aX-Evil:1", "/api/v1/\xff", "/api/v1/%ff", `/api/v1\index`,
		"/" + strings.Repeat("a", 12<<10), "/" + strings.Repeat("%2e%2e/", 1500), strings.Repeat("/", 12<<10), "http://larder.example", "http://larder.example/nosuch", "*",
	} {
		raw := "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
		got := answers(t, l.send(t, raw), "GET")[0]
		what := target
		if len(what) > 40 {
			what = what[:40]
		}
		wantError(t, what, got, http.StatusNotFound, "not_found")
		if got.Header.Get("X-Evil") != "" {
			t.Errorf("%s: a header was slipped in", what)
		}
	}
}
