package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/larder-index/larder/compare"
)

// compare answers a comparison.
func (s *shopper) compare(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	return s.answer(w, r, listOf, func(x *compare.Result, b []byte) []byte { return x.WithLinks(s.BaseURL).AppendJSON(b) })
}

// answer sends what write makes of the result for the list that read finds in a
// request. The order of checks is: 429, 415, 413, 400, 503; what only the snapshot
// can say is wrong with a list (400) comes last, when there is one.
func (s *shopper) answer(w http.ResponseWriter, r *http.Request,
	read func(r *http.Request, buffer *[]byte) (compare.Request, error), write func(x *compare.Result, b []byte) []byte) error {
	now := s.Now()
	if err := s.admitShopper(w.Header(), r, now); err != nil {
		return err
	}
	buffer := buffers.Get().(*[]byte)
	defer func() {
		if cap(*buffer) <= maxKept {
			buffers.Put(buffer)
		}
	}()
	list, err := read(r, buffer)
	if err != nil {
		return err
	}
	result, err := s.evaluate(list, now)
	if err != nil {
		return err
	}
	*buffer = write(result, (*buffer)[:0])
	sendComparison(w, r, *buffer)
	return nil
}

// admitShopper takes one comparison out of the client's minute, and tells what
// is left of it.
func (s *shopper) admitShopper(h http.Header, r *http.Request, now time.Time) error {
	use := s.shoppers.take(s.client(r), bucketLimit{perMinute: s.ShopperPerMinute}, now)
	use.setHeaders(h, now)
	if use.ok {
		return nil
	}
	s.metrics.limited.WithLabelValues(limitShopper).Inc()
	return tooMany(use, "this client may make %d comparisons a minute", s.ShopperPerMinute)
}

// listOf reads the list, from the body of a POST or the query of a GET.
func listOf(r *http.Request, buffer *[]byte) (compare.Request, error) {
	if r.Method == http.MethodPost {
		return listOfBody(r, buffer)
	}
	return listOfQuery(r.URL.RawQuery)
}

// evaluate returns what package compare makes of the list, the snapshot and the
// instant, and nothing else. The list does not point into a buffer.
func (s *shopper) evaluate(list compare.Request, now time.Time) (*compare.Result, error) {
	served := s.Snapshots.Current()
	if served == nil {
		return nil, errNoData
	}
	select {
	case s.comparing <- struct{}{}:
		defer func() { <-s.comparing }()
	default:
		return nil, errOverloaded
	}
	result, err := compare.Evaluate(served.shopper().Projection, list, now)
	if err != nil {
		return nil, refusedList(err)
	}
	return result, nil
}

// sendComparison sends the body, packed for clients that take that.
func sendComparison(w http.ResponseWriter, r *http.Request, body []byte) {
	h := w.Header()
	h.Set("Content-Type", jsonType)
	h.Set("Vary", "Accept-Encoding")
	if packed, free := compress(h, r.Header, body); packed != nil {
		defer free()
		body = packed
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone then
	}
}
