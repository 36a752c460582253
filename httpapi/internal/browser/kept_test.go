package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testKept shops with and without the choice that the list is kept on the device, and
// opens the page without a connection.
func testKept(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.expect(`net::ERR_CONNECTION_REFUSED`)
	x.visit("/methodology") // the worker is not at work there
	get[bool](x, `async () => { await caches.open("larder-shopper-earlier"); return true; }`)
	list := apitest.List(t, "toronto", "1x2,12", "bigfathom", "northlarch")
	x.visit(apitest.PageURL("", list))
	want := f.answers(list)
	x.compared(want)
	x.installed()
	x.stored("")

	f.down()
	x.visit("/shopper")
	x.says(`#notice[data-code=offline]`, "No connection to the server")
	if n := x.count("#old, #result, #list > li"); n != 0 {
		t.Errorf("without the choice, %d parts of the list are shown", n)
	}
	x.everywhere("shopper-offline-not-kept")
	f.up()
	x.visit("/methodology") // a change of the fragment alone loads nothing
	x.visit(apitest.PageURL("", list))
	x.compared(want)
	if get[bool](x, `() => document.getElementById("keep").checked`) {
		t.Error("the list is kept before the shopper says so")
	}
	x.tabTo("#keep")
	x.keys(" ")
	x.fill("#search", "caviar")
	x.says("#search-none", "don’t track")
	x.keys(kb.Enter)
	x.there(`#others li[data-other=caviar]`)

	f.down()
	x.later(24 * time.Hour) // the answer is of yesterday
	x.visit("/shopper")
	x.compared(want)
	at := get[int64](x, `() => JSON.parse(localStorage.getItem(localStorage.key(0))).answer.at`)
	if got := time.UnixMilli(at); got.Before(apitest.Now) || got.After(apitest.Now.Add(5*time.Minute)) {
		t.Errorf("the answer is kept as of %v", got)
	}
	day := time.UnixMilli(at).Format("Monday, January 2, 15:04")
	x.says("#old", "No connection. This is the answer of "+day+". Prices may have changed since.")
	x.says("#arrived", "No connection. This is the answer of "+day)
	inView := `() => document.getElementById("notice").hidden && ["old", "headline"].every((id) => {
		const { top, bottom } = document.getElementById(id).getBoundingClientRect();
		return top >= 0 && bottom <= innerHeight;
	})`
	await[bool](x, inView)
	x.click("#old-again") // still without a connection
	x.there("#compare[aria-disabled=false]")
	await[bool](x, inView)
	x.says("#title", "Where was this list cheapest?")
	x.says("#others", "caviar")
	x.says("#uncompared", "“caviar”")
	x.fragment(fragmentOf(list) + "&lines=caviar")
	if got := x.text("#bar-text"); strings.Contains(got, "$") {
		t.Errorf("the bar has the old total: %q", got)
	}
	x.everywhere("shopper-offline-kept")

	f.up()
	x.click("#old-again")
	await[bool](x, `() => document.getElementById("old").hidden`)
	x.compared(want)
	x.says("#title", "cheapest today?")

	x.tabTo("#keep")
	x.keys(" ")
	x.stored("")
	x.visit("/methodology")
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	x.says("#list-empty", "nothing")
}

// installed waits until the service worker answers for the page, and checks that it has
// stored the page and its assets, and nothing of an earlier release.
func (x *tab) installed() {
	x.t.Helper()
	stored := get[[]string](x, `async () => {
		const worker = (await navigator.serviceWorker.ready).active;
		while (worker.state !== "activated") await new Promise((next) => worker.addEventListener("statechange", next, { once: true }));
		const all = [];
		for (const name of await caches.keys()) all.push(...(await (await caches.open(name)).keys()).map((r) => new URL(r.url).pathname), name);
		return all.sort();
	}`)
	loaded := get[[]string](x, `() => [...document.querySelectorAll("link[rel=icon], link[rel=stylesheet], script[src]")].map((e) => new URL(e.href ?? e.src).pathname)`)
	want := append(loaded, "/shopper", "larder-shopper-"+strings.Split(loaded[0], "/")[2])
	slices.Sort(want)
	if !slices.Equal(stored, want) {
		x.t.Errorf("the worker stores %q, want %q", stored, want)
	}
}

// stored checks which list the device keeps, by its fragment; "" if it keeps nothing.
func (x *tab) stored(want string) {
	x.t.Helper()
	got := get[[]string](x, `() => [...Object.values(localStorage), ...Object.values(sessionStorage)].map((text) => JSON.parse(text).list)`)
	if want == "" && len(got) == 0 || len(got) == 1 && got[0] == "#"+want {
		return
	}
	x.t.Errorf("the device keeps %q, want %q", got, want)
}
