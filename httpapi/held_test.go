package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
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

// TestNothingStaysHeld breaks off requests of every address of the data: before a turn, in the
// queue for one, in a panic of the handler, at the head and in the body. Then no turn, no memory,
// no file and no look at a month is held.
func TestNothingStaysHeld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := apitest.ServeReleased(t, apitest.Ample, func(c *httpapi.Config) { c.BulkDir = dir })
	key := f.Key(state.Enterprise, func(n *state.NewKey) { n.PerMinute = 1_000_000 })
	session := f.SignIn(key)
	var panics sync.Once
	f.API.BeforeIndex(func() { panics.Do(func() { panic("a fault") }) })
	addresses := []string{"/figure.png?s=toronto", "/figure.csv", "/why"}
	for _, x := range f.API.Routes() {
		if x.Licensed {
			addresses = append(addresses, strings.NewReplacer("{release}", "r1", "{file}", "prices.parquet").Replace(x.Path))
		}
	}
	fine, gone := func() error { return nil }, func() error { return errors.New("gone") }
	aborts := func() error { panic(http.ErrAbortHandler) }
	ask := func(ctx context.Context, address string, head, body func() error) {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, address, nil)
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
	files, _ := filepath.Glob("/proc/self/fd/*") // none on systems without them
	for _, file := range files {
		if name, _ := os.Readlink(file); strings.HasPrefix(name, dir) {
			t.Errorf("%s is open", name)
		}
	}
}
