package httpapi_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// underWay starts a request that the server has begun to answer and that ends
// when finish is called.
func (l *live) underWay(t *testing.T) (c net.Conn, finish func() *http.Response) {
	t.Helper()
	c = l.dial(t)
	t.Cleanup(func() { c.Close() })
	const body = `{"key":"none"}`
	if _, err := io.WriteString(c, "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\nExpect: 100-continue\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	// Asked to go on, by the handler when it reads the body.
	if _, err := io.ReadFull(c, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))); err != nil {
		t.Fatal(err)
	}
	return c, func() *http.Response {
		if _, err := io.WriteString(c, body); err != nil {
			t.Fatal(err)
		}
		got, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

var patient = httpapi.Timeouts{Header: time.Minute, Read: time.Minute, Write: time.Minute, Idle: time.Minute, Drain: time.Minute}

// TestDrain ends a server with a request under way. It accepts nothing more, is not ready
// on the admin address, and finishes the request.
func TestDrain(t *testing.T) {
	l := serveLive(t, apitest.Serve(t), patient)
	_, finish := l.underWay(t)
	ended := make(chan error, 1)
	go func() { ended <- l.stop() }()
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
	got, err := http.Get("http://" + l.adminAddr + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if got.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/readyz while it ends: %d", got.StatusCode)
	}
	select {
	case err := <-ended:
		t.Fatalf("ended with a request under way: %v", err)
	default:
	}
	if got := finish(); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("the request under way: %d", got.StatusCode)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestDrainDelay ends a server with a delay. It is not ready at once, and still accepts.
func TestDrainDelay(t *testing.T) {
	f := apitest.Serve(t)
	public, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	waits := patient
	waits.DrainDelay = time.Hour
	ctx, stop := context.WithCancel(t.Context())
	now, atOnce := context.WithCancel(context.Background())
	defer atOnce()
	ended := make(chan error, 1)
	go func() { ended <- f.API.Serve(ctx, now, public, nil, waits) }()
	status := func(path string) int {
		got, err := http.Get("http://" + public.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		return got.StatusCode
	}
	if got := status("/readyz"); got != http.StatusOK {
		t.Errorf("before: %d", got)
	}
	stop()
	if !eventually(func() bool { return status("/readyz") == http.StatusServiceUnavailable }) {
		t.Error("still ready")
	}
	if got := status("/api/shopper/catalog"); got != http.StatusOK {
		t.Errorf("a request during the delay: %d", got)
	}
	atOnce()
	if err := <-ended; err != nil && !strings.Contains(err.Error(), "cut off") {
		t.Error(err)
	}
}

// TestCutOff ends a server whose request takes too long, or whose operator asks again.
func TestCutOff(t *testing.T) {
	for _, c := range []struct {
		name  string
		drain time.Duration
		again bool
	}{{"time is over", 20 * time.Millisecond, false}, {"asked again", time.Hour, true}} {
		t.Run(c.name, func(t *testing.T) {
			f := apitest.Serve(t)
			public, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			slow := patient
			slow.Drain = c.drain
			ctx, stop := context.WithCancel(t.Context())
			now, cut := context.WithCancelCause(context.Background())
			defer cut(nil)
			ended := make(chan error, 1)
			go func() { ended <- f.API.Serve(ctx, now, public, nil, slow) }()
			l := &live{Server: f, addr: public.Addr().String()}
			conn, _ := l.underWay(t)
			stop()
			if c.again {
				cut(io.ErrNoProgress)
			}
			err = <-ended
			if err == nil || !strings.Contains(err.Error(), "cut off") || c.again != strings.Contains(err.Error(), io.ErrNoProgress.Error()) {
				t.Errorf("ended with %v", err)
			}
			if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil {
				t.Error("the connection is still there")
			}
		})
	}
}

// TestServeFails ends a server by a fault of its listener.
func TestServeFails(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	public, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	public.Close()
	if err := f.API.Serve(t.Context(), context.Background(), public, nil, patient); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("ended with %v", err)
	}
}
