package httpapi

import (
	"net/http"
	"slices"
)

// adminRoutes are the routes of the admin address. The public one has none of
// them but the health routes, and those in fewer words.
func (s *Server) adminRoutes() []*route {
	return []*route{
		{path: "/healthz", methods: methodsGet, handle: s.healthz},
		{path: "/readyz", methods: methodsGet, handle: s.adminReadyz},
		{path: "/metrics", methods: methodsGet, handle: s.metrics.handler(s.Log)},
	}
}

// AdminHandler answers requests of operators and of what they monitor with. It
// asks for no key: its address must not be reachable for strangers.
func (s *Server) AdminHandler() http.Handler {
	routes := s.adminRoutes()
	return s.outermost(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, x := range routes {
			if x.path == r.URL.Path && slices.Contains(x.methods, r.Method) {
				s.serve(w, r, x)
				return
			}
		}
		s.notFound(w, r, routes)
	}), routes)
}
