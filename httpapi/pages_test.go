package httpapi_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

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
			continue // TestFigureHeaders looks at these
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
