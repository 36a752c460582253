package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// underWay starts a request whose body the server waits for, until finish is called.
func (l *live) underWay(t *testing.T) (c net.Conn, finish func() *http.Response) {
	t.Helper()
	c = l.dial(t)
	t.Cleanup(func() { c.Close() })
	const body = `{"key":"none"}`
	must(io.WriteString(c, "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\nExpect: 100-continue\r\n\r\n"))
	// The handler asks for the body when it reads it.
	must(io.ReadFull(c, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))))
	return c, func() *http.Response {
		must(io.WriteString(c, body))
		got := must(http.ReadResponse(bufio.NewReader(c), nil))
		return got
	}
}

var patient = httpapi.Timeouts{Header: time.Minute, Read: time.Minute, Write: time.Minute, Idle: time.Minute, Drain: time.Minute}

// status returns the status of an address.
func status(t *testing.T, url string) int {
	t.Helper()
	got := must(http.Get(url))
	got.Body.Close()
	return got.StatusCode
}

// TestDrain ends a server with a request under way. It accepts nothing more, is not ready
// on the admin address, and finishes the request.
func TestDrain(t *testing.T) {
	l := starting(t, apitest.Serve(t), patient)
	_, finish := l.underWay(t)
	l.drain()
	refused := func() bool {
		c, err := net.Dial("tcp", l.addr)
		if err == nil {
			c.Close()
		}
		return err != nil
	}
	if !eventually(refused) {
		t.Fatal("still accepts")
	}
	if got := status(t, "http://"+l.adminAddr+"/readyz"); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz while it ends: %d", got)
	}
	if got := finish(); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("the request under way: %d", got.StatusCode)
	}
	if err := l.ended(); err != nil {
		t.Error(err)
	}
}

// TestDrainDelay ends a server with a delay. It is not ready at once, and still accepts.
func TestDrainDelay(t *testing.T) {
	waits := patient
	waits.DrainDelay = time.Hour
	l := starting(t, apitest.Serve(t), waits)
	url := "http://" + l.addr
	if got := status(t, url+"/readyz"); got != http.StatusOK {
		t.Errorf("before: %d", got)
	}
	l.drain()
	if !eventually(func() bool { return status(t, url+"/readyz") == http.StatusServiceUnavailable }) {
		t.Error("still ready")
	}
	if got := status(t, url+"/api/shopper/catalog"); got != http.StatusOK {
		t.Errorf("a request during the delay: %d", got)
	}
	l.cut(nil)
	if err := l.ended(); err != nil && !strings.Contains(err.Error(), "cut off") {
		t.Error(err)
	}
}

// TestCutOff ends a server whose request takes too long, or whose operator asks again.
func TestCutOff(t *testing.T) {
	for drain, again := range map[time.Duration]error{20 * time.Millisecond: nil, time.Hour: io.ErrNoProgress} {
		slow := patient
		slow.Drain = drain
		l := starting(t, apitest.Serve(t), slow)
		conn, _ := l.underWay(t)
		l.drain()
		if again != nil {
			l.cut(again)
		}
		if err := l.ended(); err == nil || !strings.Contains(err.Error(), "cut off") || (again != nil) != strings.Contains(err.Error(), io.ErrNoProgress.Error()) {
			t.Errorf("ended with %v", err)
		}
		if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil {
			t.Error("the connection is still there")
		}
	}
}

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
	return l
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

// TestRaw sends requests that are late, not quite HTTP, or never whole. Each gets a refusal, after
// which the connection is closed.
func TestRaw(t *testing.T) {
	const (
		get    = "GET /api/v1/index HTTP/1.1\r\nHost: x\r\n"
		signIn = "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		list   = "POST /api/shopper/compare HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	)
	l := serveLive(t, apitest.Serve(t, apitest.Ample), quick)
	for _, c := range []struct {
		name, raw string
		status    int
		code      string
	}{
		{"both lengths, which may end elsewhere for a proxy", signIn + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "invalid_body"},
		{"two authorizations", get + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n", 401, "unauthorized"},
		{"binary query", "GET /api/v1/index?\xff\xfe=\x80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 401, "unauthorized"},
		{"body of a GET that is not all there", get + "Content-Length: 1000\r\n\r\n{", 401, "unauthorized"},
		{"garbage for chunks", get + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 401, "unauthorized"},
		{"method in small letters", "get /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 405, "method_not_allowed"},
		{"a backslash for a slash", "GET \\api\\v1\\index HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		{"a backslash in the method", "G\\T / HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		{"no host", "GET / HTTP/1.1\r\n\r\n", 400, ""},
		{"another version", "GET / HTTP/3.7\r\nHost: x\r\n\r\n", 505, ""},
		{"another coding", get + "Transfer-Encoding: odd\r\n\r\n", 501, ""},
		{"a head of 30,000 bytes", get + "X: " + strings.Repeat("x", 30_000) + "\r\n\r\n", 431, ""},
		{"half a body", signIn + "Content-Length: 100\r\n\r\n{\"key\":", 408, "request_timeout"},
		{"nothing of a body", list + "Content-Length: 100\r\n\r\n", 408, "request_timeout"},
		{"a gigabyte announced, if it may be sent", list + "Expect: 100-continue\r\nContent-Length: 1073741824\r\n\r\n", 413, "body_too_large"},
		{"8193 bytes of a chunk without an end", list + "Transfer-Encoding: chunked\r\n\r\n4000\r\n" + strings.Repeat("x", 8193), 413, "body_too_large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := answers(t, l.send(t, c.raw), "GET")[0]
			if c.code == "" { // net/http refuses by itself
				apitest.WantStatus(t, got, c.status)
				return
			}
			apitest.WantError(t, c.name, got, c.status, c.code)
		})
	}
}

// TestEveryRouteAndMethod asks every route with every method: it takes its own and
// refuses every other one. The recorder checks Allow.
func TestEveryRouteAndMethod(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t) // with a log every route has an answer
	for _, x := range f.API.Routes() {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			got := f.Do(method, x.Path, "", "")
			what := method + " " + x.Path
			switch takes := slices.Contains(x.Methods, method); {
			case !takes && method == "HEAD":
				apitest.WantStatus(t, got, http.StatusMethodNotAllowed)
			case !takes:
				apitest.WantError(t, what, got, http.StatusMethodNotAllowed, "method_not_allowed")
				if allow := got.Header.Get("Allow"); allow != strings.Join(x.Methods, ", ") {
					t.Errorf("%s: Allow %q", what, allow)
				}
			case x.Under && got.StatusCode == http.StatusNotFound:
			case got.StatusCode == 404 || got.StatusCode == 405 || got.StatusCode >= 500:
				t.Errorf("%s: %d %s", what, got.StatusCode, got.Content)
			}
		}
	}
}

// TestOddPaths asks for addresses near those of routes.
func TestOddPaths(t *testing.T) {
	l := serveLive(t, apitest.Serve(t), quick)
	for _, target := range []string{
		"//", "//api/v1/index", "/api//v1/index", "/api/v1/index/", "/api/v1/index//", "/api/v1/", "/api", "/API/v1/index", "/api/v1/Index",
		"/./api/v1/index", "/api/v1/../v1/index", "/api/v1/%2e%2e/v1/index", "/api/%2e/v1/index", "/api/v1/index%00", "/%00", "/api/v1/index%20",
		"/api/v1%2findex", "/api/v1%2Findex", "/api%2fv1%2findex", "/%2fapi/v1/index", "/docs%2fapi", "/api/shopper%2fcatalog",
		"/api/v1/index;a=b", "/api/v1/index%3Flimit=1", "/api/v1/index%0d%0aX-Evil:1", "/api/v1/\xff", "/api/v1/%ff", `/api/v1\index`,
		"/" + strings.Repeat("a", 12<<10), "/" + strings.Repeat("%2e%2e/", 1500), strings.Repeat("/", 12<<10), "http://larder.example", "http://larder.example/nosuch", "*",
	} {
		raw := "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
		got := answers(t, l.send(t, raw), "GET")[0]
		what := target
		if len(what) > 40 {
			what = what[:40]
		}
		apitest.WantError(t, what, got, http.StatusNotFound, "not_found")
		if got.Header.Get("X-Evil") != "" {
			t.Errorf("%s: a header was slipped in", what)
		}
	}
}
