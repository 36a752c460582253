package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// broken is a connection that breaks off when the head or the first byte of a body is sent.
type broken struct {
	*httptest.ResponseRecorder
	head, body func() error
}

func (w *broken) WriteHeader(status int) {
	w.head() //nolint:errcheck // net/http tells handlers no error of a head
	w.ResponseRecorder.WriteHeader(status)
}

func (w *broken) Write([]byte) (int, error) { return 0, w.body() }

// TestNothingStaysHeld breaks off requests of every address of the data, and comparisons: before a
// turn, in the queue for one, in a panic of the handler, at the head and in the body. Then no turn,
// no memory, no file and no place of a comparison is held, and the metrics
// count no such request as one that is being answered.
func TestNothingStaysHeld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check(errors.Join(os.Mkdir(filepath.Join(dir, "r1"), 0o700), os.WriteFile(filepath.Join(dir, "r1/leaf"), []byte("leaf"), 0o600)))
	f := apitest.ServeReleased(t, apitest.Ample, func(c *httpapi.Config) { c.Publish = dir })
	key := f.Key(state.Enterprise, func(n *state.NewKey) { n.PerMinute = 1_000_000 })
	session := f.SignIn(key)
	var panics sync.Once
	f.API.BeforeIndex(func() { panics.Do(func() { panic("a fault") }) })
	addresses := []string{"/figure.png?s=toronto", "/figure.csv", "/why", "/api/shopper/compare?city=toronto&items=1x2", "/mcp"}
	for _, x := range f.API.Routes() {
		if x.Licensed {
			addresses = append(addresses, strings.Replace(x.Path, "{path}", "r1/leaf", 1))
		}
	}
	fine, gone := func() error { return nil }, func() error { return errors.New("gone") }
	aborts := func() error { panic(http.ErrAbortHandler) }
	ask := func(ctx context.Context, address string, head, body func() error) {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if address == "/mcp" {
			r = httptest.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":{"city":"toronto","items":[{"id":1,"qty":2}]}}}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
		}
		if strings.HasPrefix(address, "/account") {
			r.AddCookie(session)
		} else {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler { //nolint:errorlint // net/http compares it like that
				t.Errorf("%s: %v", address, p)
			}
		}()
		f.API.Handler().ServeHTTP(&broken{httptest.NewRecorder(), head, body}, r)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	all := func(ctx context.Context) *sync.WaitGroup {
		var wg sync.WaitGroup
		for _, address := range addresses {
			for _, x := range [][2]func() error{{fine, fine}, {fine, gone}, {fine, aborts}, {aborts, fine}} {
				wg.Go(func() { ask(ctx, address, x[0], x[1]) })
			}
		}
		return &wg
	}
	all(t.Context()).Wait()
	all(ended).Wait()
	free := f.API.TakeTurns()
	all(ended).Wait() // each leaves the queue
	free()
	if err := f.API.Idle(); err != nil {
		t.Error(err)
	}
	if n := f.Metric("larder_http_requests_in_flight"); n != "1" { // the one for the metrics
		t.Errorf("%s requests in flight", n)
	}
	files, _ := filepath.Glob("/proc/self/fd/*") // none on systems without them
	for _, file := range files {
		if name, _ := os.Readlink(file); strings.HasPrefix(name, dir) {
			t.Errorf("%s is open", name)
		}
	}
}

// TestBuffersComeBack asks for large answers, packed and not, and breaks some off. The memory that
// they were made in is used again: a request takes a small part of it.
func TestBuffersComeBack(t *testing.T) { // not in parallel, as it measures
	f := apitest.Serve(t, apitest.Ample)
	key := f.Key(state.Enterprise, func(n *state.NewKey) { n.PerMinute = 1_000_000 })
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty the pools
	ask := func(encoding string, body func() error) (size int) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/prices?limit=5000", nil)
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Accept-Encoding", encoding)
		w := &broken{httptest.NewRecorder(), func() error { return nil }, body}
		defer func() {
			recover()
			size, _ = strconv.Atoi(w.Header().Get("Content-Length"))
		}()
		f.API.Handler().ServeHTTP(w, r)
		return 0
	}
	gone, aborts := func() error { return errors.New("gone") }, func() error { panic(http.ErrAbortHandler) }
	whole := ask("identity", gone)
	each := func(what string, f func()) {
		const times = 20
		f()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range times {
			f()
		}
		runtime.ReadMemStats(&after)
		if n := int(after.TotalAlloc-before.TotalAlloc) / times; n > whole/10 {
			t.Errorf("%s: %d bytes for an answer of %d", what, n, whole)
		}
	}
	for _, encoding := range []string{"identity", "gzip"} {
		each(encoding+", gone", func() { ask(encoding, gone) })
		each(encoding+", aborts", func() { ask(encoding, aborts) })
	}
	each("a small answer", func() {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		reply.Respond(&broken{httptest.NewRecorder(), gone, gone}, r, http.StatusOK, reply.JSONType, make([]byte, 4096))
	})
}
