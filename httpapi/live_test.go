package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// quick are short timeouts, except those that no test reaches.
var quick = httpapi.Timeouts{Header: 300 * time.Millisecond, Read: 500 * time.Millisecond, Write: time.Minute, Idle: time.Minute, Drain: time.Minute}

// live is a server with its own connections and timeouts, as larder serve runs it.
type live struct {
	*apitest.Server
	addr, adminAddr string
	drain           func()          // asks it to end
	cut             func(err error) // cuts off requests under way
	ended           func() error    // waits and returns what Serve returned
}

// starting starts a server. The test ends it.
func starting(t testing.TB, f *apitest.Server, timeouts httpapi.Timeouts) *live {
	t.Helper()
	listen := func() net.Listener {
		l := must(net.Listen("tcp", "127.0.0.1:0"))
		return l
	}
	public, admin := listen(), listen()
	ctx, drain := context.WithCancel(context.Background())
	now, cut := context.WithCancelCause(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.API.Serve(ctx, now, public, admin, timeouts) }()
	return &live{f, public.Addr().String(), admin.Addr().String(), drain, cut, sync.OnceValue(func() error { return <-ended })}
}

// serveLive serves until the test ends.
func serveLive(t testing.TB, f *apitest.Server, timeouts httpapi.Timeouts) *live {
	t.Helper()
	l := starting(t, f, timeouts)
	t.Cleanup(func() {
		l.drain()
		if err := l.ended(); err != nil {
			t.Error(err)
		}
	})
	l.warm(t)
	return l
}

// warm asks once, so that leavesNothing does not count what the first request makes.
func (l *live) warm(t testing.TB) {
	t.Helper()
	key := l.Key(state.Standard)
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
	must(io.WriteString(c, raw))
	got, err := io.ReadAll(c)
	if err != nil {
		t.Errorf("%.60q: %v after %d bytes", raw, err, len(got))
	}
	return got
}

const patience = 20 * time.Second

func (l *live) dial(t testing.TB) net.Conn {
	t.Helper()
	c := must(net.DialTimeout("tcp", l.addr, patience))
	check(c.SetDeadline(time.Now().Add(patience)))
	return c
}

// answers reads the responses to requests of the methods.
func answers(t testing.TB, raw []byte, methods ...string) []*apitest.Response {
	t.Helper()
	var all []*apitest.Response
	b := bufio.NewReader(bytes.NewReader(raw))
	for _, method := range methods {
		r, err := http.ReadResponse(b, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("response %d: %v in %q", len(all)+1, err, raw)
		}
		body := must(io.ReadAll(r.Body))
		all = append(all, &apitest.Response{Response: r, Content: body})
	}
	if rest, _ := io.ReadAll(b); len(rest) > 0 {
		t.Errorf("%q follows the last response", rest)
	}
	return all
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
