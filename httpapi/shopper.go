package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/panics"
	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
)

// maxComparing is how many comparisons are made at once. One takes less than a
// millisecond, unless it waits for the projection of a new snapshot.
const maxComparing = 256

// What pages of other sites may do and see. No answer depends on who asks, so any
// site may ask; browsers send no cookies, since the origin "*" allows none.
const (
	corsAllowedHeaders = "Content-Type, If-None-Match"
	corsExposedHeaders = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Snapshot"
	corsMaxAge         = "86400" // seconds for which a browser need not ask again
)

// forAnySite reports whether an address is for the pages of any site: all of the
// comparison but the lines.
func forAnySite(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, shopperPrefix) }

// underShopper reports whether an address is one of the comparison, even if there
// is nothing at it: its refusals have a shape of their own.
func underShopper(r *http.Request) bool {
	return forAnySite(r) || r.URL.Path == pathLines || r.URL.Path == pathSearch
}

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

// shopper guards a handler of the comparison. Only the type of a panic and its
// functions are logged: its value and arguments may be made of the list.
func (s *Server) shopper(next func(*call) error) func(*call) error {
	return func(c *call) (err error) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			s.notePanic(c.r, panics.Attrs(p)...)
			if seen, ok := c.w.(*reply.Writer); ok && seen.Status != 0 {
				panic(http.ErrAbortHandler) // part of the response may be out
			}
			err = errInternal
		}()
		return next(c)
	}
}

func (s *Server) catalog(c *call) error {
	if _, err := readQuery(c.r.URL.RawQuery); err != nil {
		return err
	}
	served := s.Snapshots.At(c.now)
	if served == nil {
		return errNoData
	}
	d, err := served.Shopping()
	if err != nil {
		return err
	}
	served.NameIn(c.w.Header())
	return d.Serve(c.w, c.r)
}

// compare returns the handler of a comparison whose list read finds.
func (s *Server) compare(read readList) func(*call) error {
	return func(c *call) error {
		return s.answerList(c, read, func(x *compare.Result, b []byte) []byte { return x.WithLinks(s.BaseURL).AppendJSON(b) })
	}
}

// lines answers with a comparison that includes its lines, and with its split, to
// pages of this site only. It checks what compare checks, in the same order, after the
// site.
func (s *Server) lines(c *call) error {
	if !s.ownPage(c.r) {
		// Another site can't read the answer anyway, but it would use up its
		// visitor's minute.
		return reply.Refuse(errCrossSite.Code, "only pages of this site may make this request; programs and other pages get the same lines by POST "+pathCompare+` with "include":["lines"]`)
	}
	read := func(r *http.Request, buffer *[]byte) (compare.Request, error) {
		list, err := listOfBody(r, buffer)
		list.Include = []string{compare.IncludeLines}
		return list, err
	}
	return s.answerList(c, read, func(x *compare.Result, b []byte) []byte { return x.WithLinks(s.BaseURL).AppendLinesJSON(b) })
}

// ownPage reports whether a browser says that a page of this site makes the request.
// Browsers send Sec-Fetch-Site to https and to this machine only. Without it the
// Origin must be this site's.
func (s *Server) ownPage(r *http.Request) bool {
	if s.foreign(r) {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "same-origin" || site == "" && r.Header.Get("Origin") != ""
}

// searchesPerComparison is how many searches a client may make for each comparison
// of its minute. The page asks at every pause of somebody who types.
const searchesPerComparison = 10

// search looks up the lines of a text among the items, for pages of this site only.
// It does not log or keep the text.
func (s *Server) search(c *call) error {
	if s.foreign(c.r) {
		return errCrossSite
	}
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	perMinute := searchesPerComparison * s.ShopperPerMinute
	use := s.searches.Take(s.client(c.r), perMinute, c.now)
	use.SetHeaders(h, c.now)
	if !use.OK {
		s.metrics.limited.WithLabelValues(limitShopper).Inc()
		return limit.TooMany(use, "this client may make %d searches a minute", perMinute)
	}
	members, err := reply.ReadMembers(c.w, c.r, "text")
	if err != nil {
		return err
	}
	served := s.Snapshots.At(c.now)
	served.NameIn(h)
	if served == nil {
		return errNoData
	}
	if err := served.NeedRows(); err != nil {
		return err
	}
	var body struct {
		Found []compare.Found `json:"found"`
		More  int             `json:"more"` // lines that were not looked up
	}
	body.Found, body.More = served.Projection().FindList(members["text"])
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	h.Set("Vary", "Accept-Encoding")
	reply.Respond(c.w, c.r, http.StatusOK, reply.JSONType, b)
	return nil
}

// answerList sends what write appends of the result for a list. The order of
// checks is: 429, 415, 413, 400, 503. What only the snapshot can say is wrong with
// a list (400) comes last.
func (s *Server) answerList(c *call, read readList, write func(x *compare.Result, b []byte) []byte) error {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	use := s.shoppers.Take(s.client(c.r), s.ShopperPerMinute, c.now)
	use.SetHeaders(h, c.now)
	if !use.OK {
		s.metrics.limited.WithLabelValues(limitShopper).Inc()
		return limit.TooMany(use, "this client may make %d comparisons a minute", s.ShopperPerMinute)
	}
	buffer := buffers.Get().(*[]byte)
	defer keepBuffer(buffer)
	list, err := read(c.r, buffer)
	if err != nil {
		return err
	}
	served := s.Snapshots.At(c.now)
	served.NameIn(h)
	result, err := s.evaluate(served, list, c.now)
	if err != nil {
		return err
	}
	*buffer = write(result, (*buffer)[:0])
	h.Set("Vary", "Accept-Encoding")
	reply.Respond(c.w, c.r, http.StatusOK, reply.JSONType, *buffer)
	return nil
}

// evaluate compares a list. The result depends on the list, the snapshot and the
// instant alone.
func (s *Server) evaluate(served *prepared.Served, list compare.Request, now time.Time) (*compare.Result, error) {
	if served == nil {
		return nil, errNoData
	}
	if err := served.NeedRows(); err != nil {
		return nil, err
	}
	select {
	case s.comparing <- struct{}{}:
		defer func() { <-s.comparing }()
	default:
		return nil, errComparing
	}
	return compare.Evaluate(served.Projection(), list, now)
}

// readList reads the shopping list of a request. A body is read into the buffer;
// the list does not point into it.
type readList func(r *http.Request, buffer *[]byte) (compare.Request, error)

const (
	bodyExample  = `{"city":"toronto","items":[{"id":1,"qty":2}]}`
	queryExample = "city=toronto&items=1x2,7x0.5"
)

var (
	errListTooLarge = reply.Refuse(string(compare.BodyTooLarge), fmt.Sprintf("the body has more than %d bytes; send at most so many, such as %s", compare.MaxBody, bodyExample))
	errListCutOff   = reply.Refuse(string(compare.InvalidJSON), "the body ended before it was whole; send such as "+bodyExample)
)

// listOfBody reads the list in the body of a POST. The order of checks is: its
// type, its size, the query (which must be empty), its content.
func listOfBody(r *http.Request, buffer *[]byte) (list compare.Request, err error) {
	if err := reply.CheckJSONType(r.Header); err != nil {
		return list, err
	}
	if r.ContentLength > compare.MaxBody {
		return list, errListTooLarge
	}
	body, err := reply.ReadBody(r.Body, *buffer, compare.MaxBody, errListTooLarge, errListCutOff)
	if err != nil {
		return list, err
	}
	*buffer = body
	if _, err := readQuery(r.URL.RawQuery); err != nil {
		return list, err
	}
	return compare.DecodeRequest(body)
}

// listOfQuery reads the list in the query of a GET.
func listOfQuery(r *http.Request, _ *[]byte) (list compare.Request, err error) {
	values, err := readQuery(r.URL.RawQuery, "city", "items", "stores", "include", "conditions")
	if err != nil {
		return list, err
	}
	for _, name := range []string{"city", "items"} {
		if !values.Has(name) {
			return list, reply.Refuse("missing_parameter", "parameter "+name+" is missing; send such as "+queryExample)
		}
	}
	list.City = values.Get("city")
	if list.Items, err = compare.ParseItems(values.Get("items")); err == nil && values.Has("stores") {
		list.Stores, err = compare.ParseStores(values.Get("stores"))
	}
	if values.Has("include") {
		list.Include = compare.ParseWords(values.Get("include"))
	}
	if values.Has("conditions") {
		list.Conditions = compare.ParseWords(values.Get("conditions"))
	}
	return list, cmp.Or(err, list.Validate())
}

// readQuery reads a query that may hold the given names, each once. It looks for
// unknown names before it looks for repeated ones.
func readQuery(raw string, names ...string) (url.Values, error) {
	values, err := url.ParseQuery(raw)
	invalid := func(v string) bool { return !utf8.ValidString(v) }
	bad := err != nil
	for name, list := range values {
		bad = bad || invalid(name) || slices.ContainsFunc(list, invalid)
	}
	if bad {
		return nil, reply.Refuse("invalid_query", "the query can't be read: write it as name=value&name=value, with other characters than letters and digits as %XX of their UTF-8, such as "+queryExample)
	}
	sent := slices.Sorted(maps.Keys(values))
	for _, name := range sent {
		switch {
		case slices.Contains(names, name):
		case len(names) == 0:
			return nil, reply.Refuse("unknown_parameter", "this takes no parameters in the query, and "+reply.Quote(name)+" is one: leave it out; a list is sent to "+pathCompare+", as the body of POST, such as "+bodyExample)
		default:
			return nil, reply.Refuse("unknown_parameter", "there is no parameter "+reply.Quote(name)+" here"+reply.Suggest(name, names)+"; send such as "+queryExample)
		}
	}
	for _, name := range sent {
		if len(values[name]) > 1 {
			return nil, reply.Refuse("duplicate_parameter", "parameter "+name+" stands in the query more than once; keep one, such as "+queryExample)
		}
	}
	return values, nil
}
