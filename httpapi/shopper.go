package httpapi

import (
	"log/slog"
	"net/http"

	"github.com/larder-index/larder/httpapi/internal/panics"
)

// shopperPrefix begins the addresses of the shopper comparison.
const shopperPrefix = "/api/shopper/"

const pathCompare = "/api/shopper/compare"

// defaultShopperPerMinute is how many comparisons one client may ask for in a
// minute.
const defaultShopperPerMinute = 30

// maxComparing is how many comparisons are made at once. A comparison takes less
// than a millisecond, so there are so many only while all wait for something:
// mostly the projection of a snapshot that was just swapped in.
const maxComparing = 256

// shopper answers comparisons of shopping lists. It asks for no key, and it
// keeps and logs nothing of a list: neither query nor body, and no text that
// may repeat a part of them.
type shopper struct{ *Server }

// addShopper registers the addresses of the comparison.
func (s *Server) addShopper() {
	x := &shopper{s}
	s.add(&route{
		path: pathCatalog, methods: []string{http.MethodGet, http.MethodHead, http.MethodOptions},
		handle: x.guard(x.catalog),
	})
	s.add(&route{
		path: pathCompare, methods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions},
		handle: x.guard(x.compare),
	})
	s.add(&route{path: pathLines, methods: methodsPost, handle: x.guard(x.lines)})
}

// guard answers preflights, and takes up panics before anybody logs them: a
// panic's value, and the arguments in its stack, may be made of the list. What
// is logged is the value's type and where it was.
func (s *shopper) guard(next func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) (err error) {
		if r.Method == http.MethodOptions {
			s.preflight(w, r)
			return nil
		}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			s.metrics.panicked()
			s.Log.LogAttrs(r.Context(), slog.LevelError, "panic", append(requestAttrs(r, nil), panics.Attrs(p)...)...)
			if seen, ok := w.(*seenWriter); ok && seen.status != 0 {
				panic(http.ErrAbortHandler) // part of the response may be out
			}
			err = errInternal
		}()
		return next(w, r)
	}
}
