package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testMalformedLinks opens addresses that are wrong in parts: those are named and
// left out, the rest is kept, and nothing is compared.
func testMalformedLinks(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	for _, c := range []struct {
		fragment string
		problems []string // may repeat
		items    int
		city     string
	}{
		{"city=atlantis&items=1,2", []string{"city"}, 2, ""},
		{"city=toronto&items=1,99,2x0.5,3", []string{"items"}, 2, "toronto"},
		{"city=toronto&items=1&stores=nosuchchain", []string{"stores"}, 1, "toronto"},
		{"items=1&cookies=yes", []string{"part"}, 1, ""},
		{"%E0%A4%A&items=%ZZ", []string{"items", "part"}, 0, ""},
		{"city=%3Cimg%20src=x%20onerror=window.hacked=1%3E&items=1", []string{"city"}, 1, ""},
	} {
		x.visit("/methodology") // a change of the fragment alone loads nothing
		x.forget()
		x.visit("/shopper#" + c.fragment)
		x.there("#shopper[data-state=ready]")
		x.there("#notice li[data-problem]")
		got := get[[]string](x, `() => [...document.querySelectorAll("#notice li")].map((e) => e.dataset.problem)`)
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.problems) {
			t.Errorf("%s: problems %q, want %q: %s", c.fragment, got, c.problems, x.text("#notice"))
		}
		if got := x.count("#list > li"); got != c.items {
			t.Errorf("%s: %d items, want %d", c.fragment, got, c.items)
		}
		if got := get[string](x, `() => document.getElementById("city").value`); got != c.city {
			t.Errorf("%s: city %q, want %q", c.fragment, got, c.city)
		}
		if got := x.apiRequests(); len(got) != 1 {
			t.Errorf("%s: requests %q", c.fragment, got)
		}
		if get[bool](x, `() => "hacked" in window`) {
			t.Errorf("%s: a script ran", c.fragment)
		}
	}
	x.glance("shopper-malformed")

	// An address that is typed over the page's is restored as well.
	x.visit("/shopper#city=halifax&items=4x3")
	await[bool](x, `() => document.getElementById("city").value === "halifax" && !!document.querySelector('#list > li[data-item="4"]')`)
	x.compared(f.answers(apitest.List(t, "halifax", "4x3")))
}

// testPrint copies the address of a result, which has boxes to tick on paper, and nothing to press.
func testPrint(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	list := apitest.List(t, "toronto", "1x2,9x0.5,12", "bigfathom", "nickelbasket", "northlarch")
	x.visit(apitest.PageURL("", list))
	x.compared(f.answers(list))
	get[bool](x, `() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; return true; }`)
	x.click("#copy")
	if got, want := await[string](x, `() => window.copied`), apitest.PageURL(x.base, list); got != want {
		t.Errorf("copied %s, want %s", got, want)
	}
	x.click("#chains-compared summary")
	x.look("print", "light")
	x.settle()
	x.shoot("shopper-print")
	for _, control := range []string{"button", "input:not([type=checkbox])", "select", "nav", "a.skip"} {
		if n := x.count(control); n > 0 {
			t.Errorf("%d %s on paper: %q", n, control, get[[]string](x, `(s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 80))`, control))
		}
	}
	if n := x.count("#result input[type=checkbox]"); n != 3 {
		t.Errorf("%d boxes to tick on paper, want 3", n)
	}
	if !strings.Contains(x.text("main"), amount(f.answers(list).Stores[0].Total)) {
		t.Error("the total is not on paper")
	}
}
