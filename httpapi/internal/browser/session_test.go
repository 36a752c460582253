//go:build browser

package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// testSessionEnds has sessions end while their pages are open.
func testSessionEnds(t *testing.T, b *browser) {
	f := serve(t, "")
	key := f.standardKey()
	dashboard, account := f.signedIn(b, key), f.signedIn(b, key)
	dashboard.visit("/")
	dashboard.there("#dashboard[data-state=ready]")
	account.visit("/account")
	account.there("#usage-words")
	f.Clock.Advance(13 * time.Hour)
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
	apitest.WantStatus(t, f.Get("/api/v1/products", key), http.StatusOK)
}

// testArrival follows a link from another site. The browser then sends no cookie, but
// whoever is signed in is to see the own page all the same.
func testArrival(t *testing.T, b *browser) {
	f := serve(t, "")
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
	f := serve(t, "")
	x := f.signedIn(b, f.Key(state.Research))
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
