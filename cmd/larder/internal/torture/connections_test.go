//go:build linux && torture

package torture

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// dial opens a connection from one of several addresses of this machine, since
// each has ports for some 28,000 only.
func dial(s *server, n int) (net.Conn, error) {
	d := net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+n%4))}}
	return d.Dial("tcp", strings.TrimPrefix(s.public, "http://"))
}

// manyFiles lets this process, and those that it starts, have as many files as
// the system allows.
func manyFiles(t *testing.T, want int) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Max < uint64(want) {
		required(t, "files", fmt.Errorf("%d are allowed, %d are needed", limit.Max, want))
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
}

// With thousands of connections that are idle, or slow in the midst of a head or
// a body, others are answered; then all of it is let go of.
func TestServeManyConnections(t *testing.T) {
	t.Parallel()
	n := pick(1000, 10_000)
	manyFiles(t, n+1000)
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	key := newKey(t, state)
	s := serve(t, db, state, few)
	before := s.rest(t, key)
	head := "GET /api/v1/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n"
	post := "POST /api/shopper/compare HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"city\""
	slow := []string{"", "GET", head[:40], head, head + "\r\n"}
	if !testing.Short() {
		slow = append(slow, post) // 15 s have to pass
	}
	conns := make([]net.Conn, n)
	var wg sync.WaitGroup
	const dialers = 8
	for d := range dialers {
		wg.Go(func() {
			for i := d; i < n; i += dialers {
				c, err := dial(s, i)
				if err != nil {
					t.Errorf("connection %d: %v", i, err)
					return
				}
				io.WriteString(c, slow[i%len(slow)]) //nolint:errcheck // it shows
				conns[i] = c
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	open := s.metric(t, "process_open_fds")
	began := time.Now()
	for range 20 {
		if got := s.mustGet(t, "/api/v1/products", key); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	took := time.Since(began)
	most := s.peak(t)
	// Those that had a whole request hear an answer; the slow ones are let go of
	// by the server, in 5 s and 15 s.
	answered, refused, silent := 0, 0, 0
	for i, c := range conns {
		c.SetReadDeadline(time.Now().Add(patience)) //nolint:errcheck // of a connection that is open
		if slow[i%len(slow)] == "" {
			continue // the server has two minutes for that
		}
		b := make([]byte, 12)
		switch _, err := io.ReadFull(c, b); {
		case err != nil:
			silent++
		case bytes.HasSuffix(b, []byte("200")):
			answered++
		default:
			refused++
		}
	}
	for _, c := range conns {
		c.Close()
	}
	if want := n / len(slow); answered < want || answered > want+1 {
		t.Errorf("%d of %d whole requests were answered", answered, want)
	}
	after := s.backTo(t, before, key)
	t.Logf("promised: others are answered, slow ones let go of, nothing kept; seen: %d connections, %.0f descriptors, %d MB at most; 20 requests meanwhile in %s; %d answered, %d refused, %d closed without an answer; held before %+v, after %+v",
		n, open, most>>20, took.Round(time.Millisecond), answered, refused, silent, before, after)
}

// Cut off after any byte, what comes is no request, and nobody's data leaves.
func TestServeCutAnywhere(t *testing.T) {
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	key := newKey(t, state)
	s := serve(t, db, state, few, env("LARDER_SHOPPER_PER_MINUTE=1000000"))
	before := s.rest(t, key)
	list := `{"city":"toronto","items":[{"product_id":1,"quantity":"2"}]}`
	post := "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
	seen := map[string]int{}
	for _, whole := range []string{
		"GET /api/v1/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key + "\r\n\r\n",
		fmt.Sprintf("POST /api/shopper/compare HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s", post, len(list), list),
		fmt.Sprintf("POST /account/session HTTP/1.1\r\n%sTransfer-Encoding: chunked\r\n\r\n%x\r\n{\"key\": \"%s\"}\r\n0\r\n\r\n", post, len(key)+11, key),
	} {
		var wg sync.WaitGroup
		var mu sync.Mutex
		for at := range len(whole) + 1 {
			for _, half := range []bool{true, false} {
				wg.Go(func() {
					status := s.cut(t, at, whole[:at], half)
					mu.Lock()
					defer mu.Unlock()
					seen[status]++
					done := at == len(whole)
					if ok := status == "200"; half && ok != done && whole[:3] == "GET" || ok && !done {
						t.Errorf("%s after %d of %d bytes of %.30q", status, at, len(whole), whole)
					}
				})
			}
			if at%64 == 63 {
				wg.Wait()
			}
		}
		wg.Wait()
	}
	if strings.Contains(s.log.String(), `"panic"`) {
		t.Error(s.log.tail())
	}
	after := s.backTo(t, before, key)
	t.Logf("promised: an error, or none, never data; seen, cut after every byte: %v; held before %+v, after %+v", seen, before, after)
}

// cut sends the beginning of a request and goes away, or stops sending, and
// returns the status that came back.
func (s *server) cut(t *testing.T, n int, begin string, half bool) string {
	c, err := dial(s, n)
	if err != nil {
		t.Error(err)
		return "none"
	}
	defer c.Close()
	io.WriteString(c, begin) //nolint:errcheck // it shows
	if !half {
		return "gone away"
	}
	c.(*net.TCPConn).CloseWrite()                    //nolint:errcheck // it shows
	c.SetDeadline(time.Now().Add(patience))          //nolint:errcheck // of a connection that is open
	got, err := io.ReadAll(io.LimitReader(c, 1<<20)) //nolint:staticcheck // see next
	if err != nil {
		t.Errorf("after %d bytes: %v", n, err)
	}
	if len(got) == 0 {
		return "no answer"
	}
	head, body, _ := bytes.Cut(got, []byte("\r\n\r\n"))
	if string(body) == "400 Bad Request" {
		return "400" // net/http answers what is no request
	}
	if !bytes.Contains(head, []byte("\r\nContent-Type: application/json")) || !bytes.Contains(head, []byte("\r\nX-Request-Id: ")) || len(body) < 2 || body[0] != '{' {
		t.Errorf("after %d bytes: %q", n, got[:min(len(got), 300)])
	}
	return string(head[9:12])
}
