package browser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
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
	x.tabTo("#options summary")
	x.keys(kb.Enter)
	for _, key := range []string{"northlarch", "bigfathom", "nickelbasket"} {
		x.tabTo(`#stores input[value="` + key + `"]`)
		x.keys(" ")
	}
	x.fragment(fragmentOf(list))
	x.tabTo("#compare")
	x.forget()
	x.keys(kb.Enter)
	want := f.answers(list)
	x.compared(want)
	if got := x.apiRequests(); !slices.Equal(got, []string{"POST /shopper"}) {
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

// testBasket builds a list with the mouse: with steps, undone and cleared.
func testBasket(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper")
	x.there("#shopper[data-state=ready]")
	x.click("#compare")
	x.says("#lacks", "choose a city")
	x.choose("#city", "halifax")
	x.fill("#search", "2 butter")
	x.click("#add")
	x.fragment("city=halifax&items=4x2")
	x.fill("#search", "chicken breast")
	x.settle()
	x.click(`#matches [data-item="7"]`)
	x.there(`#list > li[data-item="7"]`)
	x.quantity(7, "0.25", "")
	for _, step := range []struct{ press, want string }{
		{`li[data-item="7"] button[data-more]`, "&items=4x2,7x0.5"}, {`li[data-item="4"] button[data-less]`, "&items=4x1,7x0.5"},
		{`li[data-item="4"] button[data-less]`, "&items=4x1,7x0.5"}, {"#clear", ""}, {"#undo", "&items=4x1,7x0.5"}, // there is no less
	} {
		x.click(step.press)
		x.fragment("city=halifax" + step.want)
	}
	x.fill("#search", "2 dozen eggs, butter") // what is in the box is on the list, too
	x.click("#compare")
	x.compared(f.answers(apitest.List(t, "halifax", "2x2,4x2,7x0.5")))
}

// testPlain compares without the script, and says which item is meant.
func testPlain(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	command(x, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/assets/*.js", Block: true}}})
	x.visit("/shopper")
	x.there("#shopper[data-state=plain]")
	x.everywhere("shopper-plain")
	x.choose("#city", "toronto")
	x.click("#search")
	for _, line := range []string{"2 dozen eggs", "lait 2%", "15 x lait", "10 x lait", "frozen", "frozen", "caviar"} {
		x.keys(line + kb.Enter)
	}
	x.click("#compare")
	x.compared(f.answers(apitest.List(t, "toronto", "2x2,3x20")))
	x.says("#result .note", "“10 x lait”: Milk, 2%, 4 L: 20 packages is the most that can be asked for.")
	x.says("#headline", "without 2 of your lines")
	x.says("#read", "2 dozen eggs → Large eggs, dozen, 2 packages")
	x.says("#uncompared", "Not compared: frozen; caviar.")
	x.choose(`select[name="item frozen"]`, "38")
	x.click("#compare")
	x.says("#headline", "without 1 of your lines")
	get[string](x, `() => document.documentElement.dataset.page = "before"`)
	x.click("#compare") // the choice stays
	x.there("html:not([data-page])")
	want := f.answers(apitest.List(t, "toronto", "2x2,3x20,38"))
	x.compared(want)
	x.click("#chains-compared summary")
	x.click("#chains-compared [open] .ticks label")
	x.everywhere("shopper-plain-result")
	x.visit("/methodology")
	x.must(chromedp.Do(x.ctx, chromedp.NavigateBack()))
	x.compared(want)
	if n := get[int](x, `() => document.querySelectorAll("#chains-compared :checked").length`); n != 1 {
		t.Errorf("Back leaves %d ticks", n)
	}
	if got := x.address(); got != x.base+"/shopper" {
		t.Errorf("the list is in the address %s", got)
	}
}

// testAisle ticks off the list of a chain on a phone, with a finger's room: what is left is in the address, which another
// device shows. It does the same with the lists of two stops.
func testAisle(t *testing.T, b *browser) {
	f := serve(t, situationSnapshot(t), apitest.Ample)
	x, y := b.open(t, f.API.BaseURL), b.open(t, f.API.BaseURL)
	x.size(390, 844)
	list := apitest.List(t, "montreal", situationItems)
	want := f.answers(list)
	x.visit(apitest.PageURL("", list) + "&lines=caviar")
	x.compared(want)
	const birch = `#chains-compared li[data-store=birch] `
	x.tabTo(birch + "summary")
	x.keys(kb.Enter)
	x.fragment(fragmentOf(list) + "&lines=caviar&at=birch")
	x.click(birch + `li[data-item="3"] label`)
	x.tabTo(birch + `li[data-other] input`)
	x.keys(" ")
	x.fragment(fragmentOf(list) + "&lines=caviar&at=birch&open=1,4")
	x.says(birch+".left", "Left: 2 lines $60.00") // 20 and 40 of 70
	shown := `() => [...document.querySelectorAll("#result [open] .ticks li")].filter((e) => e.checkVisibility()).toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((e) => (e.querySelector(":checked") ? "x" : "") + (e.dataset.item ?? "caviar")).join(" ")`
	if got := get[string](x, shown); got != "1 4 x3 xcaviar" {
		t.Errorf("the list is %q: what is ticked does not go down", got)
	}
	if small := get[[]string](x, `() => [...document.querySelectorAll("#result summary, #result label")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.9).map((e) => e.outerHTML.slice(0, 90))`); len(small) > 0 {
		t.Errorf("too small for a finger: %q", small)
	}
	x.everywhere("shopper-aisle")
	y.visit(strings.TrimPrefix(x.address(), x.base))
	y.compared(want)
	if got := await[string](y, shown); got != "1 4 x3 xcaviar" {
		t.Errorf("on another device the list is %q", got)
	}
	x.click("#split summary")
	x.fragment(fragmentOf(list) + "&lines=caviar&at=split&open=1,4")
	if x.count(birch+".ticks") != 0 {
		t.Error("two lists are open")
	}
	x.says("#split .left", "Left: 2 lines $40.00") // 10 and 30 at the first stop
}

// testFits says with the keyboard that a variant is fine, and leaves one out: prices follow, and the link has the
// answers. Alder's milk costs less by the pack, and more by the litre.
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
	x.says("#reasons", "no price before you say in the list of the chain that it is fine: Alder: Greek yogurt, plain, 750 g.")
	const alder = `#chains-compared li[data-store=alder] `
	x.click(alder + "summary")
	x.says(alder+"li[data-reason=variant_match]", creamy+" a variant: extra creamy")
	x.everywhere("shopper-fits")

	x.forget()
	x.tabTo(alder + "[name=reject]")
	x.keys(kb.Enter)
	x.says(alder, oak) // the next listing is asked about
	x.tabTo(alder + "[name=accept]")
	x.keys(kb.Enter)
	x.says("#headline", "Birch, $4.50")
	if got := x.apiRequests(); !slices.Equal(got, []string{"POST /shopper", "POST /shopper"}) {
		t.Errorf("an answer asks for %q", got)
	}
	x.fragment(fragmentOf(list) + "&accept=1@alder&reject=1@alder&at=alder")
	x.reload()
	x.says("#headline", "Birch, $4.50")
	x.says(alder, "a variant: extra creamy")

	x.visit("/methodology")
	x.visit(apitest.PageURL("", list) + "&lines=caviar")
	x.says("#headline", "Only Birch has fresh prices for the whole list: $4.50 without 1 of your lines")
	x.click("#options summary")
	x.click("#variants")
	x.fragment(fragmentOf(list) + "&accept=variants&lines=caviar")
	x.click("#compare")
	x.says("#headline", "Alder, $4.00 without 1 of your lines")

	milk := apitest.List(t, "toronto", "3")
	x.visit(apitest.PageURL("", milk))
	x.compared(f.answers(milk))
	x.click(`#chains-compared li[data-store=birch] summary`)
	x.says(`#chains-compared li[data-store=birch] .details`, "$1.50/L lowest per litre")
	if get[int](x, `() => document.querySelectorAll("[data-lowest]").length`) != 1 {
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
	x.says("#headline", "Birch, $9.00")
	x.tabTo("#options summary")
	x.keys(kb.Enter)
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
	x.says("#headline", "Alder, $5.00")
	x.click("#fine-print summary")
	x.says("#fine-print", "a membership, as asked: Alder: Milk")
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
