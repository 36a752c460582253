package httpapi_test

import (
	"bytes"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
)

// shownPage is a page as a stranger or a subscriber gets it.
type shownPage struct {
	name string // its address, and for whom
	path string
	*apitest.Response
}

// allPages gets every page, / and /account as a stranger and as a subscriber.
func allPages(f *apitest.Server) []shownPage {
	f.T.Helper()
	cookie := apitest.WithCookie(f.SignIn(f.Key(state.Standard)))
	var all []shownPage
	for _, x := range f.API.Routes() {
		if !x.Page || x.Under || strings.Contains(x.Path, ".") {
			continue // it is a file
		}
		r := f.Get(x.Path, "")
		if r.StatusCode == http.StatusPermanentRedirect {
			continue
		}
		apitest.WantStatus(f.T, r, http.StatusOK)
		all = append(all, shownPage{x.Path, x.Path, r})
		if signedIn := f.Get(x.Path, "", cookie); !bytes.Equal(signedIn.Content, r.Content) {
			all = append(all, shownPage{x.Path + " signed in", x.Path, signedIn})
		}
	}
	return all
}

// TestPages checks the headers of every page.
func TestPages(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	all := allPages(f)
	var names []string
	for _, p := range all {
		names = append(names, p.name)
	}
	for _, want := range []string{
		"/", "/ signed in", "/account", "/account signed in", "/releases", "/releases signed in", compare.ShopperPath, "/methodology", "/docs", "/docs/api", "/docs/sizes",
		"/fr", "/fr signed in", "/fr/account", "/fr/releases signed in", "/fr/shopper", "/fr/methodology", "/fr/docs", "/fr/docs/api",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no page %s", want)
		}
	}
	for _, p := range all {
		if strings.HasSuffix(p.path, "/figure") {
			continue // testdata/why.txt has these
		}
		t.Run(p.name, func(t *testing.T) {
			h := p.Header
			_, path := words.Locate(p.path)
			policy := pages.Policy
			home := path == "/" && strings.HasSuffix(p.name, " signed in")
			switch {
			case path == compare.ShopperPath:
				policy = pages.ShopperPolicy
			case home || path == "/why":
				policy = pages.FormPolicy
			}
			for name, want := range map[string]string{
				"Content-Type":                 "text/html; charset=utf-8",
				"Content-Security-Policy":      policy,
				"X-Content-Type-Options":       "nosniff",
				"X-Frame-Options":              "DENY",
				"Referrer-Policy":              "no-referrer",
				"Cross-Origin-Opener-Policy":   "same-origin",
				"Cross-Origin-Resource-Policy": "same-origin",
				"Strict-Transport-Security":    "max-age=31536000",
			} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			bySession := path == "/" || path == "/account" || path == "/releases"
			wantAge, wantVary := "no-cache", "Accept-Encoding"
			if bySession {
				wantVary = "Accept-Encoding, Cookie"
			}
			if path == "/why" || home {
				bySession, wantVary = true, "Accept, Accept-Encoding, Authorization, Cookie"
			}
			personal := bySession && p.name != "/" && p.name != "/fr"
			if personal {
				wantAge = "no-store"
			}
			if h.Get("Cache-Control") != wantAge || h.Get("Vary") != wantVary || personal == (h.Get("ETag") != "") {
				t.Errorf("Cache-Control %q, Vary %q, ETag %q", h.Get("Cache-Control"), h.Get("Vary"), h.Get("ETag"))
			}
			if noindex := h.Get("X-Robots-Tag") == "noindex"; noindex != (path == "/account" || path == "/why") {
				t.Errorf("X-Robots-Tag %q", h.Get("X-Robots-Tag"))
			}
		})
	}
}

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

// parsed reads a page as a browser does.
func parsed(t testing.TB, body []byte) *html.Node {
	t.Helper()
	root := must(html.Parse(bytes.NewReader(body)))
	return root
}

// attr returns an attribute and whether it is there.
func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func element(root *html.Node, of atom.Atom) *html.Node {
	for n := range root.Descendants() {
		if n.DataAtom == of {
			return n
		}
	}
	return nil
}

// TestPageEscapes signs in with keys whose names are markup. They stay text.
func TestPageEscapes(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	count := func(path string, name string) (elements int, text string) {
		_, secret := f.Created(state.NewKey{Tier: state.Standard, Name: name})
		root := parsed(t, f.Get(path, "", apitest.WithCookie(f.SignIn(secret))).Content)
		for n := range root.Descendants() {
			if n.Type == html.ElementNode {
				elements++
				elements += len(n.Attr)
			}
		}
		return elements, textOf(root)
	}
	for _, path := range []string{"/", "/account"} {
		plain, _ := count(path, "Reader")
		for _, name := range []string{
			`<img src=x onerror=alert(1)>`, `</dd></dl></main><script>alert(1)</script>`, `" onmouseover="alert(1)`, `'><svg/onload=alert(1)>`,
			`{{.}}`, `&lt;b&gt;`, `<!--`, `</title><script>`,
		} {
			got, text := count(path, name)
			if got != plain {
				t.Errorf("%s for %q: %d elements and attributes, otherwise %d", path, name, got, plain)
			}
			if path == "/account" && !strings.Contains(text, name) {
				t.Errorf("the name %q is not there", name)
			}
		}
	}
}

// textOf returns all text below a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
