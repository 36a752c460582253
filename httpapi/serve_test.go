package httpapi_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
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
