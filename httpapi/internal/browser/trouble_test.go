package browser

import (
	"net/http"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testLimited meets the limit of a minute and that of a day, is told what can be done, and compares when it may again.
func testLimited(t *testing.T, b *browser) {
	list := apitest.List(t, "toronto", "1x2,9x0.5", "bigfathom", "northlarch") // four lines
	for code, c := range map[string]struct {
		minute, day int
		says        string
		wait        time.Duration
	}{
		"rate_limited": {1, 1000, "asks to wait", time.Minute}, "day_used_up": {1000, 6, "try again in 480 minutes", 24 * time.Hour},
	} {
		f := serve(t, "", apitest.Ample, func(of *httpapi.Config) { of.ShopperPerMinute, of.LinesPerDay = c.minute, c.day })
		x := b.open(t, f.API.BaseURL)
		x.refused("/shopper", "429")
		x.visit(apitest.PageURL("", list))
		x.compared(f.answers(list))
		x.click("#compare")
		x.there("#notice[data-code=" + code + "]")
		x.says("#notice, #lacks", c.says)
		if got := x.count("#list > li"); got != 2 {
			t.Errorf("%d items are left of the list, want 2", got)
		}
		x.glance("shopper-" + code)
		f.Clock.Advance(c.wait)
		want := f.answers(list)
		x.later(c.wait)
		x.click("#compare:not([aria-disabled=true])")
		x.compared(want)
	}
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
