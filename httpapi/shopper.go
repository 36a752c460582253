package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/words"
)

// maxComparing is how many comparisons are made at once. One takes less than a
// millisecond, unless it waits for the projection of a new snapshot.
const maxComparing = 256

// What pages of other sites may do and see. No answer depends on who asks, so any
// site may ask; browsers send no cookies, since the origin "*" allows none.
const corsExposedHeaders = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, " +
	"X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Snapshot"

// forAnySite reports whether an address is for the pages of any site.
func forAnySite(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, shopperPrefix) }

// underShopper reports whether a request is one of the comparison, even if there is
// nothing at its address: its refusals have a shape of their own.
func (s *Server) underShopper(r *http.Request) bool {
	_, page := words.Locate(r.URL.Path, words.Of(s.Snapshots.Current().About())...)
	form := page == compare.ShopperPath && r.Method == http.MethodPost
	return form || forAnySite(r) || r.URL.Path == pathSearch
}

// preflight tells a browser what a page of another site may send. It counts as no
// comparison.
func (s *Server) preflight(c *call) error {
	methods, h := methodsOf(c.path, s.routes), c.w.Header()
	h.Set("Allow", methods)
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
	h.Set("Access-Control-Max-Age", "86400") // seconds for which a browser need not ask again
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) catalog(c *call) (*reply.Document, error) {
	if _, err := readQuery(c.r.URL.RawQuery); err != nil {
		return nil, err
	}
	served, err := s.pricesOf(c)
	if err != nil {
		return nil, err
	}
	return served.Shopping(), nil
}

// pricesOf returns the snapshot that answers a call of the comparison, and names it in the answer.
func (s *Server) pricesOf(c *call) (*prepared.Snapshot, error) {
	served := s.Snapshots.Current()
	if served == nil {
		return nil, errNoData
	}
	served.NameIn(c.w.Header())
	return served, served.NeedPrices()
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
	if err := s.takeClient(c, s.limits.searches); err != nil {
		return err
	}
	members, err := reply.ReadMembers(c.w, c.r, "text")
	if err != nil {
		return err
	}
	served, err := s.pricesOf(c)
	if err != nil {
		return err
	}
	var body struct {
		Found []find.Found `json:"found"`
		More  int          `json:"more"` // lines that were not looked up
	}
	body.Found, body.More = served.Finder().List(members["text"])
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	h.Set("Vary", "Accept-Encoding")
	reply.Respond(c.w, c.r, http.StatusOK, reply.JSONType, b)
	return nil
}

// takeLines takes the lines of an answer out of the client's day, unless a key comes with the request. That a
// page of this site asks lifts no limit: a program can send the same headers.
func (s *Server) takeLines(r *http.Request, n int) error {
	if header := r.Header.Values("Authorization"); len(header) > 0 {
		secret, ok := bearer(header)
		if !ok {
			return errNoToken
		}
		key, err := s.State.Lookup(context.WithoutCancel(r.Context()), secret)
		return cmp.Or(err, s.onNetwork(r, key))
	}
	use := s.limits.lines.Take(s.client(r), s.LinesPerDay, n, s.Now())
	if use.OK {
		return nil
	}
	return use.TooMany()
}

// compare answers with the comparison of a list. The order of checks is: 429, 415, 413,
// 400, 503. What only the snapshot can say is wrong with a list (400) comes last; the
// first fault has the code, and the message names all.
func (s *Server) compare(read readList) handler {
	return func(c *call) error {
		h := c.w.Header()
		h.Set("Cache-Control", "no-store")
		if err := s.takeClient(c, s.limits.comparisons); err != nil {
			return err
		}
		buffer := reply.Buffer()
		defer reply.Free(buffer)
		list, err := read(c.r, buffer)
		if err != nil && list.Items == nil {
			return err // its shape is wrong, and nothing else can be said
		}
		served, missing := s.pricesOf(c)
		if missing != nil {
			return cmp.Or(err, missing)
		}
		result, err := s.evaluate(c, served, list, err)
		if err != nil {
			return err
		}
		*buffer = result.WithLinks(s.BaseURL).AppendJSON((*buffer)[:0])
		h.Set("Vary", "Accept-Encoding")
		reply.Respond(c.w, c.r, http.StatusOK, reply.JSONType, *buffer)
		return nil
	}
}

// evaluate makes a comparison, and takes its lines out of the client's day if they are asked for. known is a fault of
// the list, for the case that the snapshot finds none.
func (s *Server) evaluate(c *call, served *prepared.Snapshot, list compare.Request, known error) (
	*compare.Result, error) {
	select {
	case s.comparing <- struct{}{}:
		defer func() { <-s.comparing }()
	default:
		return nil, cmp.Or(known, error(errComparing))
	}
	result, err := compare.Evaluate(served.Projection(), list, c.now) // it names all faults
	if err = cmp.Or(err, known); err == nil && slices.Contains(list.Include, compare.IncludeLines) {
		err = s.takeLines(c.r, len(result.Stores)*len(list.Items))
	}
	return result, err
}
