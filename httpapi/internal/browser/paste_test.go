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
	x.paste("2 dozen eggs", "- 1.5 kg chicken breast", "lait 2%", "3 butter", "2 x toilet paper", "3 lb lean ground beef", "", "greek yogrt", "caviar", "1 kg onions", "bananas")
	x.fragment("city=toronto&items=2x2,3x1,4x3,7x1.5,8x1.25,18x1,46x2")
	others := get[[]string](x, `() => [...document.querySelectorAll("#others li")].map((e) => e.dataset.other + ": " + e.querySelector(".tag").textContent)`)
	if want := []string{"greek yogrt: is it this?", "caviar: not compared", "1 kg onions: is it this?"}; !slices.Equal(others, want) {
		t.Errorf("others %q, want %q", others, want)
	}
	for _, want := range []string{"“3 lb lean ground beef”: taken as 1.25 kg, the nearest quantity"} {
		x.says("#search-none", want)
	}
	x.everywhere("shopper-pasted")
	x.tabTo("#compare")
	x.forget()
	x.keys(kb.Enter)
	list := apitest.List(t, "toronto", "2x2,3,4x3,7x1.5,8x1.25,18,46x2")
	x.compared(f.answers(list))
	if got := x.apiRequests(); !slices.Equal(got, []string{"POST /shopper/lines"}) {
		t.Errorf("a comparison asks for %q", got)
	}
	x.says("#uncompared", "Not compared, as no prices of it are tracked here: “caviar”.")
	x.says("#uncompared", "Not compared, as the item meant is not chosen yet: “greek yogrt” and “1 kg onions”.")
	if strings.Contains(x.address(), "caviar") {
		t.Error("the link has what is not compared")
	}

	x.tabTo(`#others [data-choice="1"]`)
	x.keys(kb.Enter)
	x.fragment("city=toronto&items=1x1,2x2,3x1,4x3,7x1.5,8x1.25,18x1,46x2")
	x.click(`#others li[data-other="1 kg onions"] [data-remove]`)
	x.click(`#others li[data-other=caviar] [data-remove]`)
	if n := x.count("#others, #uncompared p"); n != 1 { // of the beef by the pound
		t.Errorf("%d parts tell of lines that are gone", n)
	}
	x.click("#undo")
	x.says("#others", "caviar")
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
