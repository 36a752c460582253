package browser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/panel"
)

// testShopperPath goes from an empty page to an answer with the keyboard alone, and finds
// everything again after a reload.
func testShopperPath(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	if got := x.apiRequests(); len(got) != 1 || got[0] != "GET "+"/api/shopper/catalog" {
		t.Errorf("the first view asks for %q", got)
	}
	x.everywhere("shopper-empty")

	x.tabTo("#city")
	x.keys("Toro")
	x.fragment("city=toronto")
	for _, c := range []struct {
		words string
		id    int
	}{
		{"lait", 3}, // French
		{"Greek yog", 1},
		{"yaourt", 1}, // an alias; of what is on the list already, one more
		{"POITRINE", 7},
		{"oeufs", 2}, // without its ligature
	} {
		x.tabTo("#search")
		x.keys(c.words)
		x.pick(c.id)
		x.there(fmt.Sprintf(`#list > li[data-item="%d"]`, c.id))
	}
	x.says("#list-count", "4 items")
	x.fragment("city=toronto&items=1x2,2x1,3x1,7x1")
	x.everywhere("shopper-list")

	x.quantity(3, "2", "")
	x.quantity(7, "0.5", "")
	x.fragment("city=toronto&items=1x2,2x1,3x2,7x0.5")
	for _, c := range []struct {
		id    int
		wrong string
	}{{3, "0"}, {3, "1.5"}, {3, "two"}, {7, "0.3"}, {7, ""}} {
		x.quantity(c.id, c.wrong, "refused")
		x.fragment("city=toronto&items=1x2,2x1,3x2,7x0.5")
	}
	x.glance("shopper-refused")

	list := apitest.List(t, "toronto", "1x2,2,3x2,7x0.5", "bigfathom", "nickelbasket", "northlarch")
	x.tabTo("input[name=scope]")
	if get[string](x, `() => document.activeElement.value`) != "some" {
		x.keys(kb.ArrowDown)
	}
	for _, key := range []string{"northlarch", "bigfathom", "nickelbasket"} {
		x.tabTo(`#chains input[value="` + key + `"]`)
		x.keys(" ")
	}
	x.fragment(fragmentOf(list))
	x.tabTo("#compare")
	x.forget()
	x.keys(kb.Enter)
	want := f.answers(list)
	x.compared(want)
	if got := x.apiRequests(); !slices.Equal(got, []string{"POST /shopper/lines"}) {
		t.Errorf("a comparison asks for %q", got)
	}
	await[bool](x, `() => document.activeElement.id === "headline"`)
	if want.ComparisonURL != x.address() {
		t.Errorf("the address is %s, the API's %s", x.address(), want.ComparisonURL)
	}
	x.everywhere("shopper-result")

	x.reload()
	x.compared(want)
	x.fragment(fragmentOf(list))
	if got := get[string](x, `() => document.querySelector('li[data-item="7"] input[data-qty]').value`); got != "0.5" {
		t.Errorf("after a reload the quantity is %q", got)
	}

	x.tabTo(`li[data-item="2"] button[data-remove]`)
	x.keys(kb.Enter)
	x.there(`#result[data-stale=true]`)
	x.fragment("city=toronto&items=1x2,3x2,7x0.5&stores=bigfathom,nickelbasket,northlarch")
	x.click("#undo")
	x.fragment(fragmentOf(list))
}

// tabTo presses Tab until an element has the focus, from the top of the page again if
// need be.
func (x *tab) tabTo(selector string) {
	x.t.Helper()
	x.there(selector)
	for range 400 {
		if get[bool](x, `(s) => document.activeElement?.matches(s) ?? false`, selector) {
			return
		}
		x.keys(kb.Tab)
	}
	x.t.Fatalf("Tab does not lead to %s", selector)
}

// pick goes to an item among the matches and takes it.
func (x *tab) pick(id int) {
	x.t.Helper()
	x.there(fmt.Sprintf(`#matches [role=option][data-item="%d"]`, id))
	const active = `() => document.getElementById(document.getElementById("search").getAttribute("aria-activedescendant") || "none")?.dataset.item ?? ""`
	for range 50 {
		if get[string](x, active) == fmt.Sprint(id) {
			x.keys(kb.Enter)
			return
		}
		x.keys(kb.ArrowDown)
	}
	x.t.Fatalf("the arrows don't lead to item %d", id)
}

// quantity types one, and checks that it is taken or refused.
func (x *tab) quantity(id int, text, refused string) {
	x.t.Helper()
	item := fmt.Sprintf(`#list > li[data-item="%d"]`, id)
	x.fill(item+" input[data-qty]", text)
	x.keys(kb.Tab)
	shown := `(s) => !!document.querySelector(s)?.checkVisibility() && document.querySelector(s).innerText.trim() !== ""`
	if refused == "" {
		shown = "(s) => !(" + shown + ")(s)"
	}
	await[bool](x, shown, item+" .refused")
}

func (x *tab) address() string { return get[string](x, `() => location.href`) }

// fragment waits until the address has a fragment.
func (x *tab) fragment(want string) {
	x.t.Helper()
	await[bool](x, `(want) => location.hash === "#" + want`, want)
}

func fragmentOf(list compare.Request) string {
	_, fragment, _ := strings.Cut(apitest.PageURL("", list), "#")
	return fragment
}

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
	x.click("#clear")
	x.says("#list-empty", "nothing")
	x.fragment("city=halifax")
	x.click("#undo")
	x.fragment("city=halifax&items=4x1,7x0.5")

	x.click("#compare")
	x.compared(f.answers(apitest.List(t, "halifax", "4,7x0.5")))
}

// testWorth moves the slider: a saving pays for a stop that costs less, and only then
// are the two lists shown.
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
		if got != strconv.FormatBool(saving > value) || (x.count("#stops-fold") == 1) != (saving > value) {
			t.Errorf("at %v the verdict is %s", value, got)
		}
	}
	x.click("#worth")
	x.keys(kb.Home)
	worth(0)
	x.keys(kb.End)
	worth(50)
	if got := get[string](x, `() => document.getElementById("worth").getAttribute("aria-valuetext")`); got != "a stop costs $50.00" {
		t.Errorf("the slider is read out as %q", got)
	}
}

// testPhone shops at 390 px: the bar says what was added, and 50 items are no long way.
func testPhone(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.size(390, 844)
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	x.says("#bar-text", "0 items")
	x.choose("#city", "toronto")
	x.tabTo("#search")
	x.keys("Greek yog")
	x.pick(1)
	x.says("#bar-said", "Greek yogurt")
	x.says("#bar-said", "1 item on the list")
	await[bool](x, `() => document.getElementById("status").textContent.includes("1 item on the list")`)
	list := apitest.List(t, "toronto", "1")
	want := f.answers(list)
	x.tabTo("#bar-compare")
	x.keys(kb.Enter)
	x.compared(want)
	x.says("#bar-text", "1 item, from "+amount(want.Stores[0].TotalCAD))
	x.click("#items summary")
	x.says("#items details[open]", "lowest")
	x.inspectIn("shopper-phone", views[2], views[3])

}

// testFits answers what the page asks about variants, with the keyboard: prices follow, and
// the answers are remembered until they are forgotten. Alder's milk costs less by the pack,
// and more by the litre.
func testFits(t *testing.T, b *browser) {
	m := marketOf(t, "alder 1 4", "alder 1 5", "birch 1 4.50", "alder 3 8 2L", "birch 3 6")
	const creamy, oak = "Greek yogurt, extra creamy", "Oak Greek yogurt, extra creamy"
	m.Rows[0].ScrapedName, m.Rows[1].ScrapedName = creamy, oak
	f := serve(t, m.Snapshot(t), apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.size(390, 844)
	list := apitest.List(t, "toronto", "1")
	x.visit(apitest.PageURL("", list))
	x.compared(f.answers(list))
	x.says("#headline", "Only Birch has fresh prices for the whole list: $4.50")
	x.says("#fits", "Alder sells “"+creamy+"” here for “Greek yogurt, plain, 750 g” (extra creamy): fine?")
	x.everywhere("shopper-fits")

	x.forget()
	x.tabTo("#fits [data-refuse]")
	x.keys(kb.Enter)
	x.says("#fits", "Alder sells “"+oak+"”") // another title is asked about anew
	if got := x.apiRequests(); !slices.Equal(got, []string{"POST /shopper/lines", "POST /shopper/lines"}) {
		t.Errorf("an answer asks for %q", got)
	}
	x.tabTo("#fits [data-fine]")
	x.keys(kb.Enter)
	x.says("#headline", "Birch is the lowest of the 2 chains (of 2) that have everything: $4.50")
	x.says("#fits", "2 of your answers count here")
	if x.count("#fits [data-fine]") != 0 {
		t.Error("what is fine is asked about again")
	}
	x.reload()
	x.says("#headline", "Birch is the lowest")
	x.says("#fits", "2 of your answers count here")
	x.says("#answers", "2 answers about variants are kept on this device.")
	x.fragment(fragmentOf(list)) // no link has them
	x.click("#forget")
	x.says("#fits", "Alder sells “"+creamy+"”")
	if n := get[int](x, `() => localStorage.length`); n != 0 || x.count("#answers") != 0 {
		t.Errorf("%d answers are kept after they are forgotten", n)
	}

	x.fill("#search", "caviar")
	x.says("#search-none", "don’t track")
	x.keys(kb.Enter)
	x.says("#headline", "1 of your 2 lines: only Birch has fresh prices, $4.50")

	x.click("#variants")
	x.fragment(fragmentOf(list) + "&accept=variants&lines=caviar")
	x.click("#bar-compare")
	x.says("#headline", "Cheapest for 1 of your 2 lines: Alder, $4.00")
	x.says("#items .item-title", "Alder, $4.00: "+creamy) // without a tap
	x.visit("/methodology")
	x.visit(apitest.PageURL("", list) + "&reject=1@alder,1@alder")
	x.says("#headline", "Only Birch has fresh prices for the whole list: $4.50")
	x.click("#fits summary")
	x.says("#fits", "Alder: a listing of “Greek yogurt, plain, 750 g” is left out by the link.")
	x.click("#fits [data-again]")
	x.fragment(fragmentOf(list))
	x.says("#fits", "Alder sells “"+creamy+"”")
	x.visit("/methodology")
	x.visit(apitest.PageURL("", list) + "&accept=1@alder")
	x.says("#headline", "Alder is the lowest")

	milk := apitest.List(t, "toronto", "3")
	x.visit(apitest.PageURL("", milk))
	x.compared(f.answers(milk))
	x.says("#items summary", "$1.50/L at Birch")
	x.click("#items summary")
	x.says(`#items li[data-store=birch][data-lowest]`, "lowest per litre")
	if x.count("#items [data-lowest]") != 1 {
		t.Error("the smaller pack is marked as the lowest")
	}
}

// testConditions has milk on sale for members: it counts, and is named, when the
// shopper has the card.
func testConditions(t *testing.T, b *browser) {
	f := serve(t, memberSnapshot(t), apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	list := apitest.List(t, "toronto", "3")
	x.visit(apitest.PageURL("", list))
	x.compared(f.answers(list))
	x.says("#headline", "Birch is the lowest of the 2 chains (of 2) that have everything: $9.00")
	if x.count("#counted") != 0 {
		t.Error("a sale with a condition is counted before the shopper meets it")
	}
	x.tabTo("#conditions input[value=member]")
	x.keys(" ")
	x.there("#result[data-stale=true]")
	x.tabTo("#compare")
	x.keys(kb.Enter)
	list.Conditions = []string{"member"}
	want := f.answers(list)
	x.compared(want)
	if want.ComparisonURL != x.address() {
		t.Errorf("the address is %s, the API's %s", x.address(), want.ComparisonURL)
	}
	x.says("#headline", "Alder is the lowest of the 2 chains (of 2) that have everything: $5.00")
	x.says("#counted", "Alder for")
	x.fragment(fragmentOf(list))
	x.inspect("shopper-conditions")
	x.reload()
	x.compared(f.answers(list))
	if !get[bool](x, `() => document.querySelector("#conditions input[value=member]").checked`) {
		t.Error("the link forgets the card")
	}
}

// memberSnapshot has milk at alder for 10.00, 5.00 for members, and at birch for 9.00.
func memberSnapshot(t testing.TB) string {
	t.Helper()
	m := marketOf(t, "alder 3 10", "birch 3 9")
	o := &m.Rows[0]
	o.Regular, o.Effective, o.Sale, o.OnSale, o.SaleCondition = dollarsOf(t, "10"), dollarsOf(t, "5"), dollarsOf(t, "5"), true, panel.Member
	o.SaleEndsOn = panel.DateIn(apitest.Now.AddDate(0, 0, 3), time.UTC)
	return m.Snapshot(t)
}

// marketOf has stores in Toronto with the prices of offers: "chain item price size", the
// size without spaces and optional.
func marketOf(t testing.TB, offers ...string) *apitest.Market {
	t.Helper()
	world := basket.Canada()
	m := &apitest.Market{Products: world.Products, Cities: world.Cities}
	stores := map[string]int64{}
	for i, offer := range offers {
		chain, rest, _ := strings.Cut(offer, " ")
		if stores[chain] == 0 {
			stores[chain] = int64(len(stores) + 1)
			m.Banners = append(m.Banners, basket.Banner{Key: chain, Name: strings.ToUpper(chain[:1]) + chain[1:], Retailer: chain, InIndex: true, InShopper: true})
			m.Stores = append(m.Stores, panel.Store{ID: stores[chain], Banner: chain, City: "toronto", Active: true, LocationCertain: true})
		}
		words := append(strings.Fields(rest), "")
		item, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		id := int64(i + 1)
		m.Listings = append(m.Listings, panel.Listing{ID: id, ProductID: int64(item), Banner: chain, Active: true})
		m.Rows = append(m.Rows, panel.Observation{
			ID: id, Listing: id, Store: stores[chain], Effective: dollarsOf(t, words[1]), Regular: dollarsOf(t, words[1]),
			PackageSize: words[2], InStock: panel.Yes, ObservedAt: apitest.Now.AddDate(0, 0, -1),
		})
	}
	return m
}
