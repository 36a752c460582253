//go:build browser

package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi/state"
)

// standardKey makes a key whose tier has all pages.
func (f *fixture) standardKey() string { return f.key(state.Standard) }

// signedIn opens a tab with a session of the key.
func (f *fixture) signedIn(b *browser, key string) *tab {
	f.t.Helper()
	x := b.open(f.t, f.server.BaseURL)
	c := f.signIn(key)
	command(x, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: x.base, HTTPOnly: new(true), SameSite: network.CookieSameSiteStrict})
	return x
}

// publish puts a snapshot in the place that is served, where there is none.
func (f *fixture) publish(db, place string) {
	f.t.Helper()
	if err := os.Link(db, place); err != nil && !os.IsExist(err) {
		f.t.Fatal(err)
	}
	if err := f.snapshots.Reload(context.Background()); err != nil {
		f.t.Fatal(err)
	}
	if f.snapshots.Current() == nil {
		f.t.Fatal("nothing is served")
	}
}

// testSessionEnds has sessions end while their pages are open.
func testSessionEnds(t *testing.T, b *browser) {
	f := serveBrowser(t, "")
	key := f.standardKey()
	dashboard, account := f.signedIn(b, key), f.signedIn(b, key)
	dashboard.visit("/")
	dashboard.there("#dashboard[data-state=ready]")
	account.visit("/account")
	account.there("#usage-words")
	f.clock.Advance(13 * time.Hour)
	dashboard.later(13 * time.Hour)
	account.later(13 * time.Hour)
	dashboard.refused("/api/public/index", "401")
	dashboard.choose("#picker-category", "dairy")
	dashboard.choose("#picker-level", "city")
	dashboard.choose("#picker-city", "Toronto")
	dashboard.click("#picker-add")
	dashboard.says("#explore", "sign in")
	dashboard.glance("dashboard-session-over")

	account.refused("/account/key/rotate", "401")
	account.refused("/account/session", "401") // is there a session, in spite of all?
	account.click("#rotate")
	account.click("#rotate-confirm")
	account.says("#rotate-error", "session has ended")
	account.click(`#rotate-error a[href="/account"]`)
	account.there("#signin:not([disabled])")
	wantStatus(t, f.get("/api/v1/products", key), http.StatusOK)
}

// testArrival follows a link from another site. The browser then sends no cookie, but
// whoever is signed in is to see the own page all the same.
func testArrival(t *testing.T, b *browser) {
	f := serveBrowser(t, "")
	x := f.signedIn(b, f.standardKey())
	x.visit("/account") // leaves the hint
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,"><a href="%s%s">To Larder</a>`, x.base, r.URL.Path)
	}))
	defer elsewhere.Close()
	x.expect("another host: http://localhost")
	x.expect("issue: CookieIssue") // SameSite=Strict at work
	for _, c := range []struct{ path, there string }{{"/", "#dashboard[data-state=ready]"}, {"/account", "#account-name"}} {
		ctx, cancel := context.WithTimeout(x.ctx, awhile)
		x.must(chromedp.Do(ctx, chromedp.Navigate(strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)+c.path)))
		cancel()
		x.click("a")
		x.there(c.there)
	}
}

// testResearch has a session whose tier lacks the feed: the page doesn't ask for it.
func testResearch(t *testing.T, b *browser) {
	f := serveBrowser(t, "")
	x := f.signedIn(b, f.key(state.Research))
	x.visit("/")
	x.there("#dashboard[data-state=ready]")
	x.toFeed("tier")
	x.settle()
	for _, asked := range x.apiRequests() {
		if strings.Contains(asked, "shrinkflation") {
			t.Errorf("asks for %s", asked)
		}
	}
	x.glance("dashboard-research")
}
