package browser

import (
	"net/http"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testLimited meets the limit, waits and compares.
func testLimited(t *testing.T, b *browser) {
	f := serve(t, "", func(c *httpapi.Config) { c.ShopperPerMinute = 4 })
	x := b.open(t, f.API.BaseURL)
	list := apitest.List(t, "toronto", "1x2,9x0.5")
	for range 4 {
		f.Post("/api/shopper/compare", "{}")
	}
	x.refused("/shopper", "429")
	x.visit(apitest.PageURL("", list))
	x.there(`#notice[data-code=rate_limited]`)
	if got := x.count("#list > li"); got != 2 {
		t.Errorf("%d items are left of the list, want 2", got)
	}
	x.shoot("shopper-limited")
	x.says("#lacks", "second")
	f.Clock.Advance(time.Minute)
	want := f.answers(list)
	x.later(time.Minute)
	x.click("#compare:not([aria-disabled=true])")
	x.compared(want)
}

// testDayUsedUp reads the lines of a day, is told what can be done, and compares a day later.
func testDayUsedUp(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample, func(c *httpapi.Config) { c.LinesPerDay = 9 })
	x := b.open(t, f.API.BaseURL)
	list := apitest.List(t, "toronto", "1x2,9x0.5", "bigfathom", "northlarch")
	x.refused("/shopper", "429")
	x.visit(apitest.PageURL("", list))
	x.compared(f.answers(list)) // four lines each
	x.click("#compare")
	x.there(`#notice[data-code=day_used_up]`)
	x.says("#notice", "try again in 480 minutes")
	x.glance("shopper-day-used-up")
	f.Clock.Advance(24 * time.Hour)
	x.click("#compare:not([aria-disabled=true])")
	x.compared(f.answers(list))
}

// withKey sends a key.
func withKey(key string) apitest.Change {
	return apitest.Header("Authorization", "Bearer "+key)
}

// testSessionEnds has sessions end while their pages are open.
func testSessionEnds(t *testing.T, b *browser) {
	f := serve(t, "")
	key := f.standardKey()
	desk, account := f.signedIn(b, key), f.signedIn(b, key)
	desk.visit("/")
	desk.there(".hand")
	account.visit("/account")
	account.there("#usage-words")
	f.Clock.Advance(13 * time.Hour)
	desk.later(13 * time.Hour)
	account.later(13 * time.Hour)
	desk.click("#tab-cities")
	desk.says("#front", "sign in")

	account.refused("/account/key/rotate", "401")
	account.refused("/account/session", "401") // is there a session, in spite of all?
	account.click("#rotate")
	account.click("#rotate-confirm")
	account.says("#rotate-error", "session has ended")
	account.click(`#rotate-error a[href="/account"]`)
	account.there("#signin:not([disabled])")
	apitest.WantStatus(t, f.Get("/api/v1/products", key), http.StatusOK)
}
