package httpapi

import (
	"net/http"
	"net/netip"

	"github.com/larder-index/larder/httpapi/pages"
)

// Route is what tests read of a route.
type Route struct {
	Path                                       string
	Methods, Params                            []string
	Page, Under, Licensed, Public, SessionOnly bool
}

// Routes returns the routes in the order of the table.
func (s *Server) Routes() (list []Route) {
	for _, x := range s.routes {
		list = append(list, Route{x.path, x.methods, x.params, x.page, x.under, x.licensed, x.public, x.sessionOnly})
	}
	return list
}

// Pages returns the pages.
func (s *Server) Pages() *pages.Set { return s.pages }

// HoldAll takes all room for responses on their way, until release is called.
func (s *Server) HoldAll() (release func()) {
	s.responses.hold(-1, maxHeld)
	return func() { s.responses.release(-1, maxHeld) }
}

// CompareAll takes all places of comparisons; release gives n of them back.
func (s *Server) CompareAll() (release func(n int)) {
	for range cap(s.comparing) {
		s.comparing <- struct{}{}
	}
	return func(n int) {
		for range n {
			<-s.comparing
		}
	}
}

// BeforeAnswer has a route call f before it makes its answer.
func (s *Server) BeforeAnswer(path string, f func()) {
	for _, x := range s.routes {
		if x.path == path {
			inner := x.answer
			x.answer = func(c *call, b []byte) ([]byte, error) { f(); return inner(c, b) }
		}
	}
}

// Outermost wraps a handler of some paths as the server wraps its own.
func (s *Server) Outermost(h http.Handler, paths ...string) http.Handler {
	var routes []*route
	for _, path := range paths {
		routes = append(routes, &route{path: path, methods: methodsGet})
	}
	return s.outermost(h, routes)
}

// ClientOf is the client that a request is counted for.
func ClientOf(trusted []netip.Prefix, r *http.Request) netip.Prefix {
	return (&Server{Config: Config{Trusted: trusted}}).client(r)
}

// Projection is what the snapshot's comparisons are made from.
func (s *Served) Projection() *shopperData { return s.shopper() }

// BreakShopper calls f wherever the projection is asked for.
func (s *Served) BreakShopper(f func()) {
	s.shopper = func() *shopperData { f(); return nil }
}
