//go:build browser

package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testPaste pastes a list of ten lines: what is certain becomes items, the rest stays on
// the list and is named by the result.
func testPaste(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	x.choose("#city", "toronto")
	x.tabTo("#search")
	x.paste("2 dozen eggs", "- 1.5 kg chicken breast", "lait 2%", "3 butter", "2 toilet paper", "3 lb lean ground beef", "", "greek yogrt", "caviar", "1 kg onions", "bananas")
	x.fragment("city=toronto&items=2x2,3x1,4x3,7x1.5,8x1.25,18x1,29x1,46x2")
	others := get[[]string](x, `() => [...document.querySelectorAll("#others li")].map((e) => e.dataset.other + ": " + e.querySelector(".tag").textContent)`)
	if want := []string{"greek yogrt: is it this?", "caviar: not compared"}; !slices.Equal(others, want) {
		t.Errorf("others %q, want %q", others, want)
	}
	for _, want := range []string{"“3 lb lean ground beef”: 1.36 kg is 1.25 kg", "“1 kg onions”: it is sold in whole packages"} {
		x.says("#search-none", want)
	}
	x.everywhere("shopper-pasted")
	x.tabTo("#compare")
	x.forget()
	x.keys(kb.Enter)
	list := apitest.List(t, "toronto", "2x2,3,4x3,7x1.5,8x1.25,18,29,46x2")
	x.compared(f.answers(list))
	if got := x.apiRequests(); !slices.Equal(got, []string{"POST /shopper/lines"}) {
		t.Errorf("a comparison asks for %q", got)
	}
	x.says("#uncompared", "Not compared, as no prices of it are tracked here: “caviar”.")
	x.says("#uncompared", "Not compared, as the item meant is not chosen yet: “greek yogrt”.")
	if strings.Contains(x.address(), "caviar") {
		t.Error("the link has what is not compared")
	}

	x.tabTo(`#others [data-choice="1"]`)
	x.keys(kb.Enter)
	x.fragment("city=toronto&items=1x1,2x2,3x1,4x3,7x1.5,8x1.25,18x1,29x1,46x2")
	x.click(`#others li[data-other=caviar] [data-remove]`)
	if n := x.count("#others, #uncompared p"); n != 0 {
		t.Errorf("%d parts tell of lines that are gone", n)
	}
	x.click("#undo")
	x.says("#others", "caviar")
	x.click("#clear")
	x.says("#list-empty", "nothing")
	x.click("#undo")
	x.says("#others", "caviar")

	y := b.open(t, f.API.BaseURL)
	y.visit("/shopper")
	y.tabTo("#search")
	lines := []string{}
	for range 60 {
		lines = append(lines, "milk")
	}
	y.paste(lines...)
	y.says("#search-none", "The list is too long: its last 10 lines were left out.")
	y.says("#search-none", "is the most that can be asked for")
	y.fragment("items=3x20")
}

// paste pastes lines where the focus is.
func (x *tab) paste(lines ...string) {
	x.t.Helper()
	get[bool](x, `(text) => {
		const data = new DataTransfer();
		data.setData("text/plain", text);
		return document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })) || true;
	}`, strings.Join(lines, "\n"))
}

// testFinder types while answers are on their way: what the shopper went to stays, and
// what was found for a text that has changed is not taken.
func testFinder(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	// The page's questions are answered when the test says so.
	get[bool](x, `() => {
		const real = window.fetch;
		window.held = [];
		window.fetch = async (path, init) => {
			if (path === "/shopper/search" && window.holding) await new Promise((go) => window.held.push(go));
			return real(path, init);
		};
		return true;
	}`)
	hold := func(on bool) {
		t.Helper()
		get[bool](x, `(on) => { window.holding = on; if (!on) for (const go of window.held.splice(0)) go(); return true; }`, on)
	}
	asked := `() => window.held.length > 0`
	x.tabTo("#search")
	x.keys("pot")
	x.there("#matches [role=option] + [role=option]")
	hold(true)
	x.keys("a")
	await[bool](x, asked)
	x.keys(kb.ArrowDown + kb.ArrowDown)
	active := `() => document.querySelector("#matches [aria-selected=true]")?.dataset.item ?? ""`
	chosen := get[string](x, active)
	if chosen == "" {
		t.Fatal("the arrows lead nowhere while an answer is on its way")
	}
	hold(false)
	x.settle()
	x.keys(kb.Enter)
	x.fragment("items=" + chosen + "x1")

	// Enter before the answer takes what is certain.
	hold(true)
	x.keys("butter")
	await[bool](x, asked)
	x.keys(kb.Enter)
	hold(false)
	x.there(`#list > li[data-item="4"]`)

	// What was certain of the text before is not taken for the text that is there.
	x.keys("milk")
	await[bool](x, `() => document.querySelector("#matches [aria-selected=true]")?.dataset.item === "3"`)
	hold(true)
	x.keys("shake")
	await[bool](x, asked)
	if got := get[string](x, active); got != "" {
		t.Errorf("item %s is active for another text", got)
	}
	x.keys(kb.Enter)
	hold(false)
	x.there(`#others li[data-other=milkshake], #matches [role=option]`)
	if x.count(`#list > li[data-item="3"]`) != 0 {
		t.Error("milkshake adds milk")
	}
}
