package httpapi

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/panics"
)

// maxComparing is how many comparisons are made at once. One takes less than a
// millisecond, so there are that many only while all wait for something: mostly
// the projection of a snapshot that was just swapped in.
const maxComparing = 256

// What pages of other sites may do and see. No answer depends on who asks, so any
// site may ask; browsers send no cookies, since the origin "*" allows none.
const (
	corsAllowedHeaders = "Content-Type, If-None-Match"
	corsExposedHeaders = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
	corsMaxAge         = "86400" // seconds for which a browser need not ask again
)

// forAnySite reports whether an address is for the pages of any site: all of the
// comparison but the lines.
func forAnySite(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, shopperPrefix) }

// underShopper reports whether an address is one of the comparison, even if there
// is nothing at it: its refusals have a shape of their own.
func underShopper(r *http.Request) bool { return forAnySite(r) || r.URL.Path == pathLines }

// preflight tells a browser what a page of another site may send. It counts as no
// comparison.
func (s *Server) preflight(c *call) error {
	methods := methodsOf(c.path, s.routes)
	h := c.w.Header()
	h.Set("Allow", methods)
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", corsAllowedHeaders)
	h.Set("Access-Control-Max-Age", corsMaxAge)
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// shopper guards a handler of the comparison. A list is never kept or logged, and
// a panic's value and arguments may be made of it: only the type of the value and
// the functions are logged.
func (s *Server) shopper(next func(*call) error) func(*call) error {
	return func(c *call) (err error) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			s.metrics.panics.Inc()
			s.Log.LogAttrs(c.r.Context(), slog.LevelError, "panic", append(requestAttrs(c.r, nil), panics.Attrs(p)...)...)
			if seen, ok := c.w.(*seenWriter); ok && seen.status != 0 {
				panic(http.ErrAbortHandler) // part of the response may be out
			}
			err = errInternal
		}()
		return next(c)
	}
}

// newShoppingCatalog returns what the catalog answers. Its tag changes only when
// the catalog does, which is with few snapshots.
func newShoppingCatalog(p *compare.Projection) (*document, error) {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	err := e.Encode(compare.Catalog(p))
	return newDocument(jsonType, body.Bytes(), "Cache-Control", documentAge, "X-Robots-Tag", "noindex"), err
}

func (s *Server) catalog(c *call) error {
	if _, err := readQuery(c.r.URL.RawQuery); err != nil {
		return err
	}
	served := s.Snapshots.Current()
	if served == nil {
		return errNoData
	}
	d, err := served.shopping()
	if err != nil {
		return err
	}
	return d.serve(c.w, c.r)
}

// compare returns the handler of a comparison whose list read finds.
func (s *Server) compare(read readList) func(*call) error {
	return func(c *call) error {
		return s.answerList(c, read, func(x *compare.Result, b []byte) []byte { return x.WithLinks(s.BaseURL).AppendJSON(b) })
	}
}

// lines answers with the lines of a comparison and its split, to pages of this
// site only. It checks what compare checks, in the same order, after the site.
func (s *Server) lines(c *call) error {
	if s.cross.Check(c.r) != nil {
		// The answer is hidden from that site anyway, but it would use up its
		// visitor's minute.
		return refuse(errCrossSite.Code, errCrossSite.Refusal.Error+"; compare from other pages by POST "+pathCompare)
	}
	return s.answerList(c, listOfBody, (*compare.Result).AppendLinesJSON)
}

// answerList sends what write appends of the result for a list. The order of
// checks is: 429, 415, 413, 400, 503. What only the snapshot can say is wrong with
// a list (400) comes last.
func (s *Server) answerList(c *call, read readList, write func(x *compare.Result, b []byte) []byte) error {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	use := s.shoppers.take(s.client(c.r), s.ShopperPerMinute, c.now)
	use.setHeaders(h, c.now)
	if !use.ok {
		s.metrics.limited.WithLabelValues(limitShopper).Inc()
		return tooMany(use, "this client may make %d comparisons a minute", s.ShopperPerMinute)
	}
	buffer := buffers.Get().(*[]byte)
	defer keepBuffer(buffer)
	list, err := read(c.r, buffer)
	if err != nil {
		return err
	}
	result, err := s.evaluate(list, c.now)
	if err != nil {
		return err
	}
	*buffer = write(result, (*buffer)[:0])
	h.Set("Vary", "Accept-Encoding")
	respond(c.w, c.r, http.StatusOK, jsonType, *buffer)
	return nil
}

// evaluate compares a list. The result depends on the list, the snapshot and the
// instant alone.
func (s *Server) evaluate(list compare.Request, now time.Time) (*compare.Result, error) {
	served := s.Snapshots.Current()
	if served == nil {
		return nil, errNoData
	}
	select {
	case s.comparing <- struct{}{}:
		defer func() { <-s.comparing }()
	default:
		return nil, errComparing
	}
	return compare.Evaluate(served.projection(), list, now)
}
