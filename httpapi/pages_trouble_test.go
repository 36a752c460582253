package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/state"
)

// What browsers and programs say that they take.
const (
	browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	curlAccept    = "*/*"
)

// TestMissingPage asks for what is not there: who looks with a browser gets a
// page, and programs, and the addresses for programs, get JSON.
func TestMissingPage(t *testing.T) {
	f := serveDemo(t)
	for _, path := range []string{"/nosuch", "/docs/nosuch", "/shopper/", "/accounts", "/methodology.md", "/index.html", "//", "/%3Cimg%20src=x%20onerror=alert(1)%3E"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r := f.do(method, path, "", "", header("Accept", browserAccept))
			wantStatus(t, r, http.StatusNotFound)
			h := r.Header
			if h.Get("Content-Type") != htmlType || h.Get("Content-Security-Policy") != pages.Policy || h.Get("Cache-Control") != "no-store" ||
				h.Get("X-Robots-Tag") != "noindex" || h.Get("Vary") != "Accept, Accept-Encoding" {
				t.Errorf("%s %s: headers %v", method, path, h)
			}
			if method == http.MethodHead {
				continue
			}
			root := parsed(t, r.body)
			if element(root, atom.Img) != nil || textIn(element(root, atom.H1)) != notThere.Title {
				t.Errorf("%s: %s", path, r.body)
			}
		}
		wantError(t, path, f.get(path, "", header("Accept", curlAccept)), http.StatusNotFound, "not_found")
		wantError(t, path, f.get(path, ""), http.StatusNotFound, "not_found")
		wantError(t, path, f.do(http.MethodPost, path, "", "{}", header("Accept", browserAccept)), http.StatusNotFound, "not_found")
	}
	for _, path := range []string{"/api", "/api/", "/api/v1/nosuch", "/api/public", "/account/nosuch", "/account/", "/mcp/nosuch", "/.well-known/nosuch"} {
		wantError(t, path, f.get(path, "", header("Accept", browserAccept)), http.StatusNotFound, "not_found")
	}
	wantShopperError(t, "/api/shopper/nosuch", f.get("/api/shopper/nosuch", "", header("Accept", browserAccept)), http.StatusNotFound, "not_found")
	r := f.get("/api/v1/index", "", header("Accept", browserAccept))
	wantError(t, "/api/v1/index", r, http.StatusUnauthorized, "unauthorized")
}

// TestWantsPage reads Accept.
func TestWantsPage(t *testing.T) {
	for accept, want := range map[string]bool{
		browserAccept: true, curlAccept: false, "": false, "text/html": true, "application/json, text/html;q=0.1": false, "Text/HTML": true,
		"text/htmlx": false, "application/json": false, "application/xhtml+xml": false, "text/html;q=0": false, "text/html;q=0, */*": false,
		"text/*": true, "text/html, */*": true, "*/*;q=0.1, application/json;q=0": true, "text/html, application/json": false,
	} {
		r, _ := http.NewRequest(http.MethodGet, "/nosuch", nil)
		r.Header.Set("Accept", accept)
		if got := wantsPage(r); got != want {
			t.Errorf("Accept: %s: %v", accept, got)
		}
	}
}

// TestFaultPage takes the state away from under a session: who looks with a
// browser is told in words, and which request it was.
func TestFaultPage(t *testing.T) {
	f := serveDemo(t)
	cookie := withCookie(f.signIn(f.key(state.Standard)))
	if err := f.state.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/account"} {
		r := f.get(path, "", cookie, header("Accept", browserAccept))
		wantStatus(t, r, http.StatusInternalServerError)
		id := r.Header.Get("X-Request-Id")
		if text := string(r.body); r.Header.Get("Content-Type") != htmlType || !strings.Contains(text, id) || strings.Contains(text, "sql") {
			t.Errorf("%s: %s", path, r.body)
		}
		if !strings.Contains(f.log.String(), `"id":"`+id+`"`) || !strings.Contains(f.log.String(), "request failed") {
			t.Errorf("%s: the fault is not in the log", path)
		}
	}
	if r := f.get("/methodology", "", cookie); r.StatusCode != http.StatusOK {
		t.Errorf("/methodology needs the state: %d", r.StatusCode)
	}
}
