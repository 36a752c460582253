package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// testSignIn is refused, signs in, sees the index and the account, rotates the key
// and signs out.
func testSignIn(t *testing.T, b *browser) {
	f := serve(t, "")
	secret := f.standardKey()
	x := b.open(t, f.API.BaseURL)
	x.visit("/")
	x.click(`#front a[href="/account"]`)
	x.there("#signin:not([disabled])")
	x.inspect("signin")

	x.refused("/account/session", "401")
	x.fill("#key", apitest.UnknownKey)
	x.keys(kb.Enter)
	x.says("#signin-error", "not known")
	await[bool](x, `() => document.activeElement.id === "signin-error" && document.getElementById("key").getAttribute("aria-invalid") === "true"`)
	if get[string](x, `() => document.getElementById("key").type`) != "password" {
		t.Error("the key is shown")
	}
	x.glance("signin-refused")

	x.fill("#key", secret)
	x.click("#signin")
	x.says("#account-tier", "standard")
	x.click(`nav a[href="/"]`)
	x.there("#desk")
	x.settle()
	x.click(`nav a[href="/account"]`)
	x.says("#account-name", "test standard")
	x.there("#usage-words")
	x.settle()
	x.inspect("account")

	fresh := x.rotate()
	apitest.WantStatus(t, f.Get("/api/v1/index", fresh), http.StatusOK)
	apitest.WantStatus(t, f.Get("/api/v1/index", secret), http.StatusUnauthorized)
	x.glance("account-new-key")
	x.click("#new-key-stored")
	await[bool](x, `() => !document.getElementById("new-key").checkVisibility()`)
	x.reload()
	x.says("#account-tier", "standard") // this session goes on
	for _, place := range []string{
		`() => document.documentElement.outerHTML`, `() => JSON.stringify([...Object.entries(localStorage), ...Object.entries(sessionStorage)])`,
		`() => [...document.querySelectorAll("input")].map((e) => e.value).join()`, `() => location.href + JSON.stringify(history.state)`,
	} {
		if got := get[string](x, place); strings.Contains(got, fresh[12:]) || strings.Contains(got, secret[12:]) {
			t.Errorf("%s has the secret", place)
		}
	}
	if strings.Contains(f.Log.String(), fresh[12:]) || strings.Contains(f.Log.String(), secret[12:]) {
		t.Error("the log has the secret")
	}

	x.click("#signout")
	x.there("#front")
	if got := get[string](x, `() => JSON.stringify(localStorage)`); got != "{}" {
		t.Errorf("after signing out the browser keeps %s", got)
	}
	x.visit("/")
	x.there("#front")
}

// rotate replaces the key's secret, after second thoughts, and returns it.
func (x *tab) rotate() string {
	x.t.Helper()
	x.forget()
	x.click("#rotate")
	x.there("#rotate-dialog[open]")
	x.glance("account-rotate")
	x.keys(kb.Escape)
	await[bool](x, `() => !document.getElementById("rotate-dialog").open && document.activeElement.id === "rotate"`)
	if got := x.apiRequests(); len(got) > 0 {
		x.t.Errorf("before it was confirmed: %q", got)
	}
	x.click("#rotate")
	x.click("#rotate-confirm")
	fresh := await[string](x, `() => document.getElementById("new-key-value")?.value`)
	if !strings.HasPrefix(fresh, "larder_live_") {
		x.t.Fatalf("the new key is %q", fresh)
	}
	for _, id := range []string{"#signout", "#rotate"} {
		x.there(id + ":disabled")
	}
	return fresh
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
