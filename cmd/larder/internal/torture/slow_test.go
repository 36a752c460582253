//go:build linux && torture

package torture

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// slowDialer is a client that takes little at a time: 4 KB wait in its kernel.
var slowDialer = net.Dialer{Timeout: patience, Control: func(_, _ string, c syscall.RawConn) error {
	var err error
	if e := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) }); e != nil {
		return e
	}
	return err
}}

// Thousands who ask for large pages and don't take them hold no more memory than
// is promised: the others are told to come back, those who read get it whole,
// and when all are gone everything is as before.
func TestServeSlowReaders(t *testing.T) {
	n := pick(240, 10_000)
	manyFiles(t, n+1000)
	db, state := snapshot(t, "pages", "--weeks", "6", "--through", "2026-11-20"), filepath.Join(t.TempDir(), "state.db")
	keys, other := []string{newKey(t, state)}, newKey(t, state)
	for range 7 {
		keys = append(keys, newKey(t, state))
	}
	s := serve(t, db, state, few)
	path := "/api/v1/prices?limit=5000&from=2026-09-01"
	whole := s.mustGet(t, path, keys[0])
	if whole.status != http.StatusOK || len(whole.body) < 5<<19 {
		t.Fatalf("%d with %d bytes", whole.status, len(whole.body))
	}
	before, resting := s.rest(t, keys[0]), s.peak(t)
	conns := make([]*http.Response, n)
	var wg sync.WaitGroup
	const dialers = 16
	for d := range dialers {
		wg.Go(func() {
			for i := d; i < n; i += dialers {
				conns[i] = s.askSlowly(t, path, keys[i%len(keys)])
			}
		})
	}
	wg.Wait()
	got := map[int]int{}
	for _, r := range conns {
		if r != nil {
			got[r.StatusCode]++
		}
	}
	held := s.metric(t, "larder_http_response_bytes_held")
	most := s.peak(t)
	t.Logf("promised: 256 MiB of responses at most, 429 or 500 and Retry-After above; seen: %d readers of %d bytes: %v; %.0f MB held; %d MB of memory at most, %d before",
		n, len(whole.body), got, held/1e6, most>>20, resting>>20)
	if held > 256<<20 || most > 800<<20 || got[429]+got[500] == 0 || got[200] < 30 || got[200]+got[429]+got[500] != n {
		t.Error("that is not what was promised")
	}
	// A key that holds nothing gets a small answer all the same.
	if small := s.mustGet(t, "/api/v1/products", other); small.status != http.StatusOK {
		t.Errorf("a small answer: %d %s", small.status, small.body)
	}
	read := false
	for _, r := range slices.Backward(conns) {
		if r == nil {
			continue
		}
		switch {
		case r.StatusCode != 200:
			body, err := io.ReadAll(r.Body)
			if err != nil || r.Header.Get("Retry-After") == "" || !strings.Contains(string(body), map[int]string{429: `"code":"too_many_in_flight"`, 500: `"code":"overloaded"`}[r.StatusCode]) || r.Header.Get("ETag") != "" {
				t.Fatalf("%v %v %s", err, r.Header, body)
			}
		case !read:
			read = true
			if body, err := io.ReadAll(r.Body); err != nil || normal(body) != normal(whole.body) {
				t.Errorf("read in the end, it is another answer: %v", err)
			}
		}
	}
	for _, r := range conns {
		if r != nil {
			r.Body.Close()
		}
	}
	eventually(t, "nothing is held for those who are gone", func() bool { return s.metric(t, "larder_http_response_bytes_held") == 0 })
	after := s.backTo(t, before, keys[0])
	t.Logf("held before %+v, after %+v", before, after)
	// What was refused is in the log, and does not count.
	in := readLog(t, state)
	statuses := map[int]int{}
	for _, status := range in.status {
		statuses[status]++
	}
	if in.counted != in.summed || query(t, state, "SELECT count(*) FROM requests WHERE status <> 200 AND counted") != "0" {
		t.Errorf("counted %d, in sums %d", in.counted, in.summed)
	}
}

// askSlowly asks, and reads no more than the head. Closing the body closes the
// connection.
func (s *server) askSlowly(t *testing.T, path, key string) *http.Response {
	c, err := slowDialer.Dial("tcp", strings.TrimPrefix(s.public, "http://"))
	if err != nil {
		t.Error(err)
		return nil
	}
	c.SetDeadline(time.Now().Add(4 * patience))                                                                         //nolint:errcheck // of a connection that is open
	io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "+key+"\r\n\r\n") //nolint:errcheck // it shows
	r, err := http.ReadResponse(bufio.NewReaderSize(c, 4096), nil)
	if err != nil {
		t.Error(err)
		c.Close()
		return nil
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{r.Body, c}
	return r
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
		t.Skipf("%d open files are allowed, %d are needed", limit.Max, want)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
}
