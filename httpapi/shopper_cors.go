package httpapi

import (
	"net/http"
	"strings"
)

// What pages of other sites may do and see. Nothing here depends on who asks, so
// any site may ask; browsers send no cookies along, since "*" allows none.
const (
	corsAllowedHeaders = "Content-Type, If-None-Match"
	corsExposedHeaders = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
	corsMaxAge         = "86400" // seconds for which a browser need not ask again
)

// underShopper reports whether a request is for an address of the comparison,
// whether there is something at it or not: its refusals have their own form.
func underShopper(r *http.Request) bool { return forAnySite(r) || r.URL.Path == pathLines }

// forAnySite reports whether an address is for the pages of any site: all of the
// comparison but the lines.
func forAnySite(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, shopperPrefix) }

// openToSites lets pages of other sites read the answers of the comparison,
// refusals among them, and of nothing else.
func openToSites(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if forAnySite(r) {
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Expose-Headers", corsExposedHeaders)
		}
		next.ServeHTTP(w, r)
	})
}

// preflight tells a browser what its page may send. It is no comparison, and
// counts as none.
func (s *shopper) preflight(w http.ResponseWriter, r *http.Request) {
	methods := methodsOf(r.URL.Path, s.routes)
	h := w.Header()
	h.Set("Allow", methods)
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", corsAllowedHeaders)
	h.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
}

// methodsOf lists the methods that an address takes.
func methodsOf(path string, routes []*route) string {
	for _, x := range routes {
		if x.path == path {
			return strings.Join(x.methods, ", ")
		}
	}
	return ""
}
