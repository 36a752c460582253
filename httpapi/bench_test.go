package httpapi_test

import (
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// nowhere takes a response as a connection does that costs nothing.
type nowhere struct {
	header http.Header
	status int
	bytes  int64
}

func (w *nowhere) Header() http.Header { return w.header }

func (w *nowhere) WriteHeader(status int) { w.status = status }

func (w *nowhere) Write(b []byte) (int, error) {
	w.bytes += int64(len(b))
	return len(b), nil
}

// BenchmarkServe measures a response without the network, but with all that comes
// before sending: key, limits, the log's wait for the disk. The clients
// are 16 for each processor, so that log entries gather, and each has a key of its
// own: what one key may have on its way is bounded. testdata/bench/serve.sh measures
// the same over connections.
func BenchmarkServe(b *testing.B) {
	f := apitest.Serve(b, func(c *httpapi.Config) {
		c.PublicPerMinute = math.MaxInt32
		c.Log = slog.New(slog.NewJSONHandler(io.Discard, nil))
	})
	const each = 16 // clients for each processor
	var keys []string
	for range each * runtime.GOMAXPROCS(0) {
		keys = append(keys, f.Key(state.Enterprise, func(n *state.NewKey) { n.PerMinute, n.PerMonth = math.MaxInt32, state.Unlimited }))
	}
	for _, x := range []struct{ name, path string }{
		{"index/page", "/api/public/index"},
		{"index/national", "/api/public/index?level=national"},
		{"index/row", "/api/public/index?limit=1"},
		{"index/included", "/api/public/index?include=quality,contributions"},
		{"prices/page", "/api/v1/prices"},
		{"prices/row", "/api/v1/prices?limit=1"},
	} {
		b.Run(x.name, func(b *testing.B) {
			h := f.API.Handler()
			ask := func(r *http.Request, w *nowhere) {
				clear(w.header)
				w.bytes = 0
				h.ServeHTTP(w, r)
			}
			request := func(client int64) (*http.Request, *nowhere) {
				r := httptest.NewRequest(http.MethodGet, x.path, nil)
				r.Header.Set("Authorization", "Bearer "+keys[client%int64(len(keys))])
				return r, &nowhere{header: http.Header{}}
			}
			r, w := request(0)
			ask(r, w) // and makes what the first request makes
			b.SetBytes(w.bytes)
			b.ReportAllocs()
			b.SetParallelism(each)
			var clients atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				r, w := request(clients.Add(1))
				for pb.Next() {
					if ask(r, w); w.status != http.StatusOK {
						b.Errorf("status %d", w.status)
						return
					}
				}
			})
		})
	}
}
