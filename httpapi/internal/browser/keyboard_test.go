//go:build browser

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testKeyboard presses Tab through every page: everything that can be operated gets
// the focus, visibly, in turn, and lets go of it. At 320 px nothing is too wide.
func testKeyboard(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	list := apitest.List(t, "toronto", "1x2,9x0.5,12", "bigfathom", "nickelbasket", "northlarch")
	for _, c := range []struct {
		name, path, there string
		signedIn          bool
	}{
		{"welcome", "/", "#signin:not([disabled])", false},
		{"signin", "/account", "#signin:not([disabled])", false},
		{"shopper", "/shopper", "#shopper[data-state=ready]", false},
		{"shopper-result", apitest.PageURL("", list), "#lines[data-state=shown]", false},
		{"dashboard", "/", "#dashboard[data-state=ready]", true},
		{"account", "/account", "#usage-words", true},
		{"methodology", "/methodology", "article.document", false},
		{"docs", "/docs/shopper", "article.document", false},
	} {
		x := b.open(t, f.API.BaseURL)
		if c.signedIn {
			x = f.signedIn(b, key)
		}
		x.visit(c.path)
		x.there(c.there)
		x.settle()
		x.size(320, 700)
		x.settle()
		x.fits(c.name + " at 320 px")
		x.shoot("narrow-" + c.name)
		x.size(1280, 900)
		x.settle()
		x.tabThrough(c.name)
	}
}

// tabThrough goes once around the page.
func (x *tab) tabThrough(name string) {
	x.t.Helper()
	// Of a group of radio buttons, Tab reaches one.
	want := get[int](x, `() => {
		const groups = new Set();
		window.tabbed = new Set();
		window.tabbable = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((e) => {
			if (!e.checkVisibility({ visibilityProperty: true }) || e.disabled || e.tabIndex < 0) return false;
			if (e.type !== "radio") return true;
			const is = groups.has(e.name); groups.add(e.name); return !is;
		});
		document.activeElement?.blur();
		return window.tabbable.length;
	}`)
	const step = `() => {
		const e = document.activeElement;
		if (!e || e === document.body) return "";
		if (window.tabbed.has(e)) return "again";
		window.tabbed.add(e);
		const style = getComputedStyle(e), box = e.getBoundingClientRect();
		const ring = (s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0;
		const seen = ring(style) || e.closest("label") && ring(getComputedStyle(e.closest("label"))) || style.boxShadow !== "none";
		const inside = box.bottom > 0 && box.top < innerHeight;
		return (seen ? "" : "no focus ring: ") + (inside ? "" : "out of sight: ") + e.outerHTML.slice(0, 100);
	}`
	for range want + 40 {
		x.keys(kb.Tab)
		got := get[string](x, step)
		if got == "" || got == "again" {
			break
		}
		if strings.HasPrefix(got, "no focus ring") || strings.Contains(got, "out of sight: ") {
			x.t.Errorf("%s: %s", name, got)
		}
	}
	for _, missed := range get[[]string](x, `() => window.tabbable.filter((e) => e.isConnected && e.checkVisibility({ visibilityProperty: true }) && !window.tabbed.has(e) &&
		!(e.type === "radio" && [...window.tabbed].some((o) => o.name === e.name))).map((e) => e.outerHTML.slice(0, 100))`) {
		x.t.Errorf("%s: Tab does not reach %s", name, missed)
	}
}
