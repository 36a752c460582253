package httpapi

import (
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

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

// BenchmarkServe is what a response costs without the network, but with all that
// comes before it is sent: key, limits, the log's wait for the disk. The clients
// are 16 for each processor, so that log entries gather. testdata/bench/serve.sh
// measures the same over connections.
func BenchmarkServe(b *testing.B) {
	f := serveDemo(b, func(c *Config) {
		c.PublicPerMinute = math.MaxInt32
		c.Log = slog.New(slog.NewJSONHandler(io.Discard, nil))
	})
	key := f.key(state.Enterprise, func(n *state.NewKey) { n.PerMinute, n.PerMonth = math.MaxInt32, state.Unlimited })
	for _, x := range []struct{ name, path string }{
		{"index/page", "/api/public/index"},
		{"index/national", "/api/public/index?level=national"},
		{"index/row", "/api/public/index?limit=1"},
		{"prices/page", "/api/v1/prices"},
		{"prices/row", "/api/v1/prices?limit=1"},
	} {
		b.Run(x.name, func(b *testing.B) {
			h := f.server.Handler()
			ask := func() *nowhere {
				r := httptest.NewRequest(http.MethodGet, x.path, nil)
				r.Header.Set("Authorization", "Bearer "+key)
				w := &nowhere{header: http.Header{}}
				h.ServeHTTP(w, r)
				return w
			}
			b.SetBytes(ask().bytes) // and makes what the first request makes
			b.ReportAllocs()
			b.SetParallelism(16)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if w := ask(); w.status != http.StatusOK {
						b.Errorf("status %d", w.status)
						return
					}
				}
			})
		})
	}
}
