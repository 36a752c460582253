//go:build browser

package browser

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testOffline loses the server between two comparisons, and finds it again.
func testOffline(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.expect(`net::ERR_CONNECTION_REFUSED`)
	list := apitest.List(t, "toronto", "1x2,9x0.5,12", "bigfathom", "northlarch")
	x.visit(apitest.PageURL("", list))
	want := f.answers(list)
	x.compared(want)
	f.down()
	x.click("#compare")
	x.there(`#notice[data-code=offline]`)
	x.glance("shopper-offline")
	if got := x.count("#list > li"); got != 3 {
		t.Errorf("%d items are left of the list, want 3", got)
	}
	x.fragment(fragmentOf(list))
	x.quantity(1, "3", "") // the list can be changed meanwhile
	f.up()
	list = apitest.List(t, "toronto", "1x3,9x0.5,12", "bigfathom", "northlarch")
	x.click("#retry")
	x.compared(f.answers(list))
	if x.count("#notice") != 0 {
		t.Error("the notice is still there")
	}
}

// testOfflineSession loses the server under the dashboard's and the account's feet.
func testOfflineSession(t *testing.T, b *browser) {
	f := serve(t, "")
	x := f.signedIn(b, f.standardKey())
	x.expect(`net::ERR_CONNECTION_REFUSED`)
	x.visit("/account")
	x.there("#usage[aria-busy=false], #usage:not([aria-busy])")
	f.down()
	x.click("#usage-again")
	x.says("#usage-error", "can't be reached")
	x.click("#signout")
	x.says("#signout-error", "can't be reached")
	f.up()
	x.click("#usage-again")
	await[bool](x, `() => !document.getElementById("usage-error")?.checkVisibility()`)
}

// testLimited meets the limit: for both requests of a comparison, then for the
// second alone.
func testLimited(t *testing.T, b *browser) {
	f := serve(t, "", func(c *httpapi.Config) { c.ShopperPerMinute = 60 })
	x := b.open(t, f.API.BaseURL)
	list := apitest.List(t, "toronto", "1x2,9x0.5")
	useUp := func(left int) {
		f.Clock.Advance(time.Minute)
		for range 60 - left {
			f.Post("/api/shopper/compare", "{}")
		}
	}
	useUp(0)
	x.refused("/api/shopper/compare", "429")
	x.visit(apitest.PageURL("", list))
	x.there(`#notice[data-code=rate_limited]`)
	if got := x.count("#list > li"); got != 2 {
		t.Errorf("%d items are left of the list, want 2", got)
	}
	x.shoot("shopper-limited")
	x.says("#countdown", "second")
	f.Clock.Advance(time.Minute)
	x.later(time.Minute)
	x.click("#retry:not([aria-disabled=true])")
	x.there(`#lines[data-state=shown]`)

	useUp(1)
	x.refused("/shopper/lines", "429")
	x.click("#compare")
	x.there(`#lines[data-state=failed]`)
	x.there(`#recommendation[data-status]`)
	x.says("#lines-note", "")
	x.glance("shopper-lines-failed")
	f.Clock.Advance(time.Minute)
	want := f.answers(list)
	x.later(time.Minute)
	x.click("#compare:not([aria-disabled=true])")
	x.compared(want)
}

// testNoSnapshot begins with a server that has nothing to serve yet.
func testNoSnapshot(t *testing.T, b *browser) {
	place := filepath.Join(t.TempDir(), "panel.db")
	f := serve(t, place, apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.refused("/api/shopper/catalog", "503")
	x.visit("/shopper#city=toronto&items=1x2")
	x.there(`#shopper[data-state=failed]`)
	x.says("#notice", "")
	if n := x.count("#city, #search, #browse, #compare"); n != 0 {
		t.Errorf("%d controls are shown that can do nothing", n)
	}
	x.glance("shopper-no-snapshot")
	_, db := apitest.Demo()
	f.publish(db, place)
	x.later(time.Minute)
	x.click("#retry:not([aria-disabled=true])")
	x.compared(f.answers(apitest.List(t, "toronto", "1x2")))
	x.says("#compare", "Compare again")

	// The snapshot goes when the page has its catalog already.
	empty := serve(t, place, apitest.Ample)
	y := b.open(t, empty.API.BaseURL)
	y.visit("/shopper#city=toronto&items=1x2&stores=")
	y.there("#shopper[data-state=ready]")
	empty.API.Snapshots = httpapi.NewSnapshots("", empty.Clock.Now)
	y.refused("/api/shopper/compare", "503")
	y.choose("#city", "halifax")
	y.click("input[name=scope][value=all]")
	y.click("#compare")
	y.there(`#notice[data-code=data_unavailable]`)
	empty.API.Snapshots = empty.Snapshots
	y.later(time.Minute)
	y.click("#retry:not([aria-disabled=true])")
	y.compared(empty.answers(apitest.List(t, "halifax", "1x2")))
}

// withKey sends a key.
func withKey(key string) apitest.Change {
	return apitest.Header("Authorization", "Bearer "+key)
}
