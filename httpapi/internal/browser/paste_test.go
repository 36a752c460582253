package browser

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
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
	x.paste("2 dozen eggs", "- 1.5 kg chicken breast", "lait 2%", "3 butter", "2 x toilet paper", "3 lb lean ground beef", "", "greek yogrt", "caviar", "🍌 x 6", "frozen", "bananas", "15 x tofu", "10 x tofu")
	x.asks("city=toronto&items=2x2,3x1,4x3,7x1.5,8x1.25,10x20,18x1,46x2")
	others := get[[]string](x, `() => [...document.querySelectorAll("#others li")].map((e) => e.dataset.other + ": " + e.querySelector(".tag").textContent)`)
	if want := []string{"greek yogrt: choose one", "caviar: not compared", "🍌 x 6: not compared", "frozen: choose one"}; !slices.Equal(others, want) {
		t.Errorf("others %q, want %q", others, want)
	}
	for _, want := range []string{"“3 lb lean ground beef”: taken as 1.25 kg, the nearest quantity", "“10 x tofu”: Firm tofu, 350 g: 20 packages is the most that can be asked for."} {
		x.says("#said", want)
	}
	x.everywhere("shopper-pasted")
	x.tabTo("#compare")
	x.forget()
	x.keys(kb.Enter)
	list := apitest.List(t, "toronto", "2x2,3,4x3,7x1.5,8x1.25,10x20,18,46x2")
	x.compared(f.answers(list))
	if got := x.apiRequests(); !slices.Equal(got, []string{"POST /shopper"}) {
		t.Errorf("a comparison asks for %q", got)
	}
	x.says("#uncompared", "Not compared: greek yogrt; caviar; 🍌 x 6; frozen.")
	x.says("#headline", "without 4 of your lines")
	if regexp.MustCompile(`\d\.\d\d+%`).MatchString(x.text("#recommendation")) {
		t.Errorf("a percentage has more than one decimal: %s", x.text("#recommendation"))
	}

	x.reload() // the lines are in the link
	x.compared(f.answers(list))
	x.says("#uncompared", "frozen")
	for _, choice := range []string{"38", "1"} {
		x.tabTo(`#others [data-choice="` + choice + `"]`)
		x.keys(kb.Enter)
	}
	x.asks("city=toronto&items=1x1,2x2,3x1,4x3,7x1.5,8x1.25,10x20,18x1,38x1,46x2")
	x.click(`#others li[data-other="🍌 x 6"] [data-remove]`)
	x.click(`#others li[data-other=caviar] [data-remove]`)
	x.there("#result[data-stale=true]")
	if n := x.count("#others"); n != 0 {
		t.Errorf("%d parts tell of lines that are gone", n)
	}
	x.fragment("city=toronto&items=1x1,2x2,3x1,4x3,7x1.5,8x1.25,10x20,18x1,38x1,46x2")
	x.click("#undo")
	x.says("#others", "caviar")
}

// asks waits until the address has a list, whatever else it has.
func (x *tab) asks(list string) {
	x.t.Helper()
	await[bool](x, `(want) => location.hash.startsWith("#" + want)`, list)
}

// testEnter presses Enter on a line of each kind, at once: it is on the list then, as an item or a question. With
// Shift it begins another line, for which the box has room.
func testEnter(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	x.choose("#city", "toronto")
	for i, text := range []string{"butter", "frozen", "🍌 x 6", "greek yogrt", "caviar"} {
		x.fill("#search", text)
		x.keys(kb.Enter)
		await[bool](x, `(n) => document.querySelectorAll("#list li, #others li").length === n && document.getElementById("search").value === ""`, i+1)
	}
	x.says("#others", "choose one")
	x.asks("city=toronto&items=4x1&lines=frozen")
	if height := get[float64](x, `() => { const box = document.getElementById("search"); return box.clientHeight / parseFloat(getComputedStyle(box).fontSize); }`); height < 4 {
		t.Errorf("the box for a list is %.1f letters high", height)
	}
	x.fill("#search", "lait 2%")
	x.keys(kb.Enter, chromedp.KeyModifiers(kb.ModifierShift))
	x.keys("2 dozen eggs")
	x.keys(kb.Enter)
	x.asks("city=toronto&items=2x2,3x1,4x1&lines=frozen")
	for _, width := range []int64{320, 390} {
		x.size(width, 844)
		x.settle()
		small := get[[]string](x, `() => [...document.querySelectorAll("a, button, input, select, summary")].filter((e) => e.checkVisibility() && !e.matches(".skip") && !e.closest("p:not(.row)")).flatMap((e) => {
			const { width, height } = (e.closest("label") ?? e).getBoundingClientRect();
			return width < 44 || height < 44 ? [width + " x " + height + ": " + e.outerHTML.slice(0, 90)] : [];
		})`)
		if len(small) > 0 {
			t.Errorf("too small for a finger at %d px: %q", width, small)
		}
	}
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
