package httpapi_test

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
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
			_, path := lang.Locate(p.path)
			policy := pages.Policy
			if path == compare.ShopperPath {
				policy = pages.ShopperPolicy
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
			if path == "/why" {
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

// TestReleasesPage lists the releases: strangers see no count, no note and no reason.
func TestReleasesPage(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	cells := func(change ...apitest.Change) (rows []string) {
		t.Helper()
		r := f.Get("/releases", "", change...)
		apitest.WantStatus(t, r, http.StatusOK)
		for n := range parsed(t, r.Content).Descendants() {
			if n.DataAtom != atom.Tr || n.Parent.DataAtom != atom.Tbody {
				continue
			}
			var texts []string
			for cell := range n.ChildNodes() {
				text := ""
				for part := range cell.Descendants() {
					if part.Type == html.TextNode {
						text += part.Data
					}
				}
				texts = append(texts, strings.TrimSpace(text))
			}
			rows = append(rows, strings.Join(texts, "|"))
		}
		return rows
	}
	if rows := cells(); len(rows) != 0 {
		t.Errorf("before the first release: %q", rows)
	}
	var strangers, subscribers []string
	for i, db := range x.Snapshots(t)[:2] {
		r := x.Publish(t, f, db, "a private note", []string{"scale", "revision"}[:i]...)
		f.Look(false)
		at := []string{"Monday, October 26, 2026, 08:30", "Monday, November 2, 2026, 07:30"}[i]
		strangers = append([]string{r.ID() + "|" + at + " Toronto time"}, strangers...)
		subscribers = append([]string{fmt.Sprintf("%s|%d|%d|%d|%d|%s|a private note", strangers[0], r.WeeksAdded, r.CellsAdded, r.CellsRevised, r.CellsWithdrawn,
			cmp.Or(r.LargestRevision.String(), "–"))}, subscribers...)
		f.Clock.Advance(7 * 24 * time.Hour)
	}
	for _, x := range []struct{ got, want []string }{{cells(), strangers}, {cells(apitest.WithCookie(f.SignIn(f.Key(state.Research)))), subscribers}} {
		if !slices.Equal(x.got, x.want) {
			t.Errorf("got %q\nwant %q", x.got, x.want)
		}
	}
	if body := f.Get("/releases", "").Content; !bytes.Contains(body, []byte("due Monday, November 9, 2026, 08:30 Toronto time")) {
		t.Errorf("the next release is not there: %s", body)
	}
	apitest.WantStatus(t, apitest.Serve(t).Get("/releases", ""), http.StatusNotFound)
}

// TestAlternates checks that each page names its addresses in all languages, and that
// its switch keeps the query.
func TestAlternates(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	base := f.API.BaseURL
	const figure = "/figure?s=national.overall"
	for address, want := range map[string]map[string]string{
		"/?b=%22&a=1%20%26": {
			"link en-CA": base + "/", "link fr-CA": base + "/fr", "link x-default": base + "/", "a fr-CA": "/fr?a=1+%26&b=%22",
		},
		"/fr/account?b=%22&a=1%20%26": {
			"link en-CA": base + "/account", "link fr-CA": base + "/fr/account", "link x-default": base + "/account", "a en-CA": "/account?a=1+%26&b=%22",
		},
		figure + "&lang=fr": {
			"link en-CA": base + figure, "link fr-CA": base + figure + "&lang=fr", "link x-default": base + figure, "a en-CA": figure,
		},
	} {
		got := map[string]string{}
		for n := range parsed(t, f.Get(address, "").Content).Descendants() {
			if tag, ok := attr(n, "hreflang"); ok {
				got[n.Data+" "+tag], _ = attr(n, "href")
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", address, diff)
		}
	}
}
