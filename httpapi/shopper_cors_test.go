package httpapi

import (
	"net/http"
	"strings"
	"testing"
)

// TestShopperCORS does what a browser does for a page of another site.
func TestShopperCORS(t *testing.T) {
	f := serveDemo(t, manyComparisons)
	origin := header("Origin", "https://agent.example")
	for _, c := range []struct{ path, methods string }{{pathCompare, "GET, HEAD, POST, OPTIONS"}, {pathCatalog, "GET, HEAD, OPTIONS"}} {
		for _, change := range [][]func(*http.Request){
			{origin, header("Access-Control-Request-Method", "POST"), header("Access-Control-Request-Headers", "content-type")}, {origin}, nil,
		} {
			r := f.do(http.MethodOptions, c.path, "", "", change...)
			h := r.Header
			if r.StatusCode != http.StatusNoContent || len(r.body) > 0 || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Methods") != c.methods ||
				h.Get("Allow") != c.methods || h.Get("Access-Control-Allow-Headers") != "Content-Type, If-None-Match" || h.Get("RateLimit") != "" {
				t.Errorf("OPTIONS %s: %d %v", c.path, r.StatusCode, h)
			}
		}
	}
	answers := map[string]*response{
		"200": f.post(pathCompare, goodList, origin), "HEAD": f.do(http.MethodHead, pathCatalog, "", "", origin), "400": f.post(pathCompare, "x", origin),
		"404": f.get("/api/shopper/nothing", "", origin), "405": f.do(http.MethodDelete, pathCompare, "", "", origin), "415": f.do(http.MethodPost, pathCompare, "", "x", origin),
		"OPTIONS 404": f.do(http.MethodOptions, "/api/shopper/nothing", "", "", origin), "catalog": f.get(pathCatalog, "", origin),
		"304": f.get(pathCatalog, "", origin, header("If-None-Match", "*")), "without an origin": f.get(pathCatalog, ""),
	}
	for name, r := range answers {
		exposed := r.Header.Get("Access-Control-Expose-Headers")
		for _, want := range []string{"Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			if !strings.Contains(", "+exposed+",", ", "+want+",") {
				t.Errorf("%s: %s is not exposed: %q", name, want, exposed)
			}
		}
		if r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %v", name, r.Header)
		}
	}
	for _, path := range []string{"/api/shopper", "/api/shopperx/compare", "/api/v1/index", "/account/session", "/llms.txt", "/shopper"} {
		if r := f.get(path, "", origin); r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s is open to all sites", path)
		}
	}
}

// TestShopperNoSuch makes sure of the form of 404 and 405 below /api/shopper/.
func TestShopperNoSuch(t *testing.T) {
	f := serveDemo(t)
	for _, path := range []string{"/api/shopper/", "/api/shopper/lists", "/api/shopper/compare/", "/api/shopper/Compare", "/api/shopper/../shopper/lists", "/api/shopper/compare%00"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions, http.MethodDelete} {
			wantShopperError(t, method+" "+path, f.do(method, path, "", ""), http.StatusNotFound, "not_found")
		}
	}
	for path, methods := range map[string]string{pathCompare: "PUT PATCH DELETE TRACE BREW", pathCatalog: "POST PUT PATCH DELETE TRACE"} {
		for _, method := range strings.Fields(methods) {
			r := f.do(method, path, "", goodList, header("Content-Type", "application/json"))
			wantShopperError(t, method+" "+path, r, http.StatusMethodNotAllowed, "method_not_allowed")
			if want := methodsOf(path, f.server.routes); r.Header.Get("Allow") != want || r.Header.Get("X-RateLimit-Remaining") != "" {
				t.Errorf("%s %s: %v", method, path, r.Header)
			}
		}
	}
}
