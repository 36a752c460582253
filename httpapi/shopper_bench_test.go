package httpapi

import (
	"bytes"
	"net/http"
	"net/url"
	"testing"
)

// benchItems is a list of 20 items, over all chains of the largest city.
const benchItems = "1x2,2,3,4,5,7x0.5,8x0.75,9x0.5,10,12,13,18x1.25,19,20x3,26,30,35x4,42,43,46"

// BenchmarkShopperCompare answers POST of 20 items through the whole handler,
// without a connection, beside a route of the same server that sends the same
// bytes, made before: what is between the two is the comparison.
func BenchmarkShopperCompare(b *testing.B) {
	f := serveDemo(b, manyComparisons)
	list := listFrom(b, "toronto", benchItems)
	answer := expected(b, reference(), list, testNow)
	prepared := &route{path: "/prepared", methods: methodsPost, handle: func(w http.ResponseWriter, r *http.Request) error {
		sendComparison(w, r, answer)
		return nil
	}}
	x := &shopper{f.server}
	for _, c := range []struct {
		name  string
		route *route
	}{
		{"compared", &route{path: pathCompare, methods: methodsPost, handle: x.guard(x.compare)}}, {"prepared", prepared},
	} {
		b.Run(c.name, func(b *testing.B) {
			body := []byte(bodyOf(b, list))
			handler := f.server.outermost(openToSites(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.server.serve(w, r, c.route) })), []*route{c.route})
			reader := bytes.NewReader(body)
			r := &http.Request{
				Method: http.MethodPost, URL: &url.URL{Path: c.route.path}, RemoteAddr: "192.0.2.1:1234",
				Header: http.Header{"Content-Type": {"application/json"}}, Body: readCloser{reader}, ContentLength: int64(len(body)),
			}
			w := &countingWriter{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				w.bytes = 0
				reader.Reset(body)
				handler.ServeHTTP(w, r)
				if w.bytes != len(answer) {
					b.Fatalf("%d bytes, want %d", w.bytes, len(answer))
				}
			}
			b.ReportMetric(float64(len(answer)), "bytes")
		})
	}
}

// countingWriter counts what is sent.
type countingWriter struct {
	header http.Header
	bytes  int
}

func (w *countingWriter) Header() http.Header { return w.header }
func (w *countingWriter) WriteHeader(int)     {}
func (w *countingWriter) Write(b []byte) (int, error) {
	w.bytes += len(b)
	return len(b), nil
}
