//go:build browser

package browser

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testBasket builds a list with the mouse: by category, with steps, and undone.
func testBasket(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	x.click("#compare")
	x.says("#compare-why", "choose a city")
	if got := x.apiRequests(); len(got) != 1 {
		t.Errorf("nothing is to be compared, but it asks for %q", got)
	}
	x.choose("#city", "halifax")
	x.click(`button[data-category=dairy]`)
	x.click(`#browse-items button[data-add="4"]`)
	x.fragment("city=halifax&items=4x1")
	x.click(`#browse-items button[data-add="4"]`) // one more
	x.fragment("city=halifax&items=4x2")
	x.click(`button[data-category=meat]`)
	x.click(`#browse-items button[data-add="7"]`)
	x.there(`#list > li[data-item="7"]`)
	x.glance("shopper-browse")
	x.quantity(7, "0.25", "")
	x.click(`li[data-item="7"] button[data-more]`)
	x.fragment("city=halifax&items=4x2,7x0.5")
	x.click(`li[data-item="4"] button[data-less]`)
	x.fragment("city=halifax&items=4x1,7x0.5")
	x.click(`li[data-item="4"] button[data-less]`) // there is no less
	x.fragment("city=halifax&items=4x1,7x0.5")
	x.click(`li[data-item="7"] button[data-remove]`)
	x.fragment("city=halifax&items=4x1")
	x.click("#undo")
	x.fragment("city=halifax&items=4x1,7x0.5")
	x.click("#clear")
	x.says("#list-empty", "nothing")
	x.fragment("city=halifax")
	x.click("#undo")
	x.fragment("city=halifax&items=4x1,7x0.5")

	x.fill("#search", "caviar")
	x.says("#search-none", "don’t track")
	x.keys(kb.Enter)
	x.keys(kb.Escape)
	x.fragment("city=halifax&items=4x1,7x0.5")
	x.click("#compare")
	x.compared(f.answers(apitest.List(t, "halifax", "4,7x0.5")))
}

// testWorth moves the slider: a saving is worth the stop up to its own amount.
func testWorth(t *testing.T, b *browser) {
	f := serve(t, situationSnapshot(t), apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	list := apitest.List(t, "montreal", situationItems)
	want := f.answers(list)
	x.visit(apitest.PageURL("", list))
	x.compared(want)
	saving, err := want.Split.Best.SavingCAD.Float64()
	if err != nil || saving != 10 {
		t.Fatalf("the saving is %v: %v", want.Split.Best.SavingCAD, err)
	}
	worth := func(value float64) {
		t.Helper()
		got := await[string](x, `(value) => document.getElementById("worth").value === value && document.getElementById("verdict").dataset.worth`, strconv.FormatFloat(value, 'f', -1, 64))
		if got != strconv.FormatBool(saving >= value) {
			t.Errorf("at %v the verdict is %s", value, got)
		}
	}
	x.click("#worth")
	x.keys(kb.Home)
	worth(0)
	for value := 0.5; value <= saving+1; value += 0.5 {
		x.keys(kb.ArrowRight)
		worth(value)
	}
	x.keys(kb.End)
	worth(50)
	if got := get[string](x, `() => document.getElementById("worth").getAttribute("aria-valuetext")`); got != "$50.00 saved" {
		t.Errorf("the slider is read out as %q", got)
	}
}
