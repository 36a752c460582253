package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testKept opens the list of a chain, which the device keeps then, and goes on ticking without a connection.
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
	if n := x.count("#stale, #result, #list > li"); n != 0 {
		t.Errorf("%d parts of a list are shown that no device keeps", n)
	}
	x.everywhere("shopper-offline-not-kept")
	f.up()
	x.visit("/methodology") // a change of the fragment alone loads nothing
	x.visit(apitest.PageURL("", list))
	x.compared(want)
	x.fill("#search", "caviar")
	x.says("#said", "don’t track")
	x.keys(kb.Enter)
	x.click("#compare")
	x.says("#headline", "without 1 of your lines")
	x.stored("") // before a list is opened
	first := `#chains-compared li[data-store="` + want.Stores[0].Key + `"] `
	x.click(first + "summary")
	x.click(first + `li[data-item="12"] label`)
	ticked := fragmentOf(list) + "&lines=caviar&at=" + want.Stores[0].Key + "&open="
	x.fragment(ticked + "1,-caviar")
	x.stored(ticked + "1,-caviar")

	f.down()
	x.later(24 * time.Hour) // the answer is of yesterday
	x.visit("/shopper")
	x.compared(want)
	at := get[int64](x, `() => JSON.parse(localStorage.getItem(localStorage.key(0))).answer.at`)
	if got := time.UnixMilli(at); got.Before(apitest.Now) || got.After(apitest.Now.Add(5*time.Minute)) {
		t.Errorf("the answer is kept as of %v", got)
	}
	x.says("#stale", "No connection. This is the answer of "+time.UnixMilli(at).Format("Monday, January 2, 15:04")+". Prices may have changed since.")
	if n := x.count("#notice"); n != 0 {
		t.Error("a refusal is told beside the answer that is kept")
	}
	x.fragment(ticked + "1,-caviar")
	x.click(first + `li[data-other] label`)
	x.fragment(ticked + "1")
	x.click(first + `li[data-item="12"] label`)
	x.fragment(ticked + "1,12")
	x.everywhere("shopper-offline-kept")
	x.reload()
	x.compared(want)
	if got := get[int](x, `(s) => document.querySelectorAll(s + " :checked").length`, first); got != 1 {
		t.Errorf("%d lines are ticked after a reload", got)
	}

	x.quantity(1, "3", "") // the list can be changed meanwhile
	x.click("#compare")
	x.there(`#notice[data-code=offline]`)
	x.quantity(1, "2", "")
	f.up()
	x.click("#again")
	await[bool](x, `() => document.getElementById("stale").hidden`)
	x.compared(want)
	x.click("#clear")
	x.stored("")
	x.visit("/methodology")
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	if n := x.count("#result, #list > li"); n != 0 {
		t.Errorf("%d parts of a list are there after it is cleared", n)
	}
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
