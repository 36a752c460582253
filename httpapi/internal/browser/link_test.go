//go:build browser

package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// testSignInLimit runs into the limit of sign-ins that fail.
func testSignInLimit(t *testing.T, b *browser) {
	f := serve(t, "")
	x := b.open(t, f.API.BaseURL)
	for range 10 {
		f.Post("/account/session", `{"key": "`+apitest.UnknownKey+`"}`)
	}
	x.visit("/account")
	x.refused("/account/session", "429")
	x.fill("#key", f.standardKey())
	x.click("#signin")
	x.there("#signin-error .countdown")
	x.there("#signin:disabled")
	x.glance("signin-limit")
	f.Clock.Advance(time.Minute)
	x.later(time.Minute)
	x.click("#signin:not([disabled])")
	x.says("#account-name", "test standard")
}

// testSignInLink opens links: nothing happens before the click, and the token leaves
// the address at once.
func testSignInLink(t *testing.T, b *browser) {
	f := serve(t, "")
	k, _ := f.Created(state.NewKey{Name: "Lost & found", Tier: state.Standard})
	token, _, err := f.State.NewLink(t.Context(), k.ID)
	if err != nil {
		t.Fatal(err)
	}
	x := b.open(t, f.API.BaseURL)
	x.visit("/account#signin=" + token)
	x.there("#signin-link:not([hidden])")
	if got := x.address(); got != x.base+"/account" {
		t.Errorf("the address is %s", got)
	}
	if got := x.apiRequests(); len(got) > 0 {
		t.Errorf("before the click: %q", got)
	}
	x.glance("account-link")
	x.click("#signin-link-use")
	x.says("#account-name", "Lost & found")

	// Used up, and over somebody's session.
	x.visit("/methodology")
	x.visit("/account#signin=" + token)
	x.says("#signin-link-who", "Lost & found")
	x.refused("/account/session", "401")
	x.click("#signin-link-use")
	x.says("#signin-link-error", "used already")
	if n := x.count("#signin-link-who"); n != 0 {
		t.Error("a link that is used up ends a session")
	}
	x.glance("account-link-refused")
	x.click("#signin-link-ignore")
	await[bool](x, `() => !document.getElementById("signin-link").checkVisibility()`)
	x.says("#account-name", "Lost & found")
	if strings.Contains(f.Log.String(), token) {
		t.Error("the log has the token")
	}
}
