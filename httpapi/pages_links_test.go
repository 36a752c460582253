package httpapi_test

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/words"
)

// TestPageLinks follows every link within the server, to pages and to places in them.
func TestPageLinks(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	ids := map[string]map[string]bool{} // by address
	all := allPages(f)
	var paths []string
	for _, p := range all {
		paths = append(paths, p.path)
		if ids[p.path] == nil {
			ids[p.path] = map[string]bool{}
		}
		for n := range parsed(t, p.Content).Descendants() {
			if id, ok := attr(n, "id"); ok {
				ids[p.path][id] = true
			}
		}
	}
	answers := map[string]int{}
	links := 0
	for _, p := range all {
		own, _ := words.Locate(p.path)
		for n := range parsed(t, p.Content).Descendants() {
			href, ok := attr(n, "href")
			if !ok || n.DataAtom != atom.A {
				continue
			}
			links++
			_, switches := attr(n, "hreflang")
			u, err := url.Parse(href)
			if err != nil || href == "" || u.Scheme != "" && u.Scheme != "https" {
				t.Errorf("%s: a link to %q", p.name, href)
				continue
			}
			if u.Host != "" {
				continue
			}
			to := p.path
			if u.Path != "" {
				to = u.Path
			}
			if !strings.HasPrefix(to, "/") {
				t.Errorf("%s: the link to %q depends on where it is", p.name, href)
				continue
			}
			if l, _ := words.Locate(to); (l == own) == switches && slices.Contains(paths, l.Other().At(to)) {
				t.Errorf("%s: the link to %q leads to the wrong language", p.name, href)
			}
			if answers[to] == 0 {
				answers[to] = f.Get(to, "").StatusCode
			}
			if answers[to] != http.StatusOK {
				t.Errorf("%s: the link to %q leads to %d", p.name, href, answers[to])
			}
			if u.Fragment != "" && !ids[to][u.Fragment] {
				t.Errorf("%s: the link to %q leads to no such place", p.name, href)
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links: are these the pages?", links)
	}
	if !ids["/methodology"]["the-quality-gate"] {
		t.Error("/methodology#the-quality-gate is not there")
	}
}

// TestAssets gets every asset. None has code that the policy stops.
func TestAssets(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	types := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
	for address := range f.API.Pages().Assets() {
		r := f.Get(address, "")
		apitest.WantStatus(t, r, http.StatusOK)
		if got := r.Header.Get("Content-Type"); got != types[path.Ext(address)] {
			t.Errorf("%s: type %q", address, got)
		}
		if got := r.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", address, got)
		}
		for _, taboo := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http://", "debugger"} {
			if text := strings.ReplaceAll(string(r.Content), "http://www.w3.org/", ""); strings.Contains(text, taboo) {
				t.Errorf("%s: %s", address, taboo)
			}
		}
	}
}
