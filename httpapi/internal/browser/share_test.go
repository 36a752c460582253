//go:build browser

package browser

import (
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testCopyLink copies the address, by way of the clipboard.
func testCopyLink(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(x.ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: cdpbrowser.PermissionSettingGranted,
			Origin: x.base, BrowserContextID: chromedp.FromContext(x.ctx).BrowserContextID,
		})
		x.must(err)
	}
	list := apitest.List(t, "toronto", "1x2,9x0.5,12")
	x.visit(apitest.PageURL("", list))
	x.compared(f.answers(list))
	x.click("#copy")
	await[bool](x, `() => document.getElementById("status").innerText !== ""`)
	if got, want := get[string](x, `() => navigator.clipboard.readText()`), apitest.PageURL(x.base, list); got != want {
		t.Errorf("copied %s, want %s", got, want)
	}
}

// testPrint has a result on paper with boxes to tick, and nothing to press.
func testPrint(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	list := apitest.List(t, "toronto", "1x2,9x0.5,12", "bigfathom", "nickelbasket", "northlarch")
	x.visit(apitest.PageURL("", list))
	x.compared(f.answers(list))
	x.look("print", "light")
	x.settle()
	x.shoot("shopper-print")
	for _, control := range []string{"button", "input:not([type=checkbox], [data-qty])", "select", "nav", "a.skip"} {
		if n := x.count(control); n > 0 {
			t.Errorf("%d %s on paper: %q", n, control, get[[]string](x, `(s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 80))`, control))
		}
	}
	if n := x.count("#list .box"); n != 3 {
		t.Errorf("%d boxes to tick on paper, want 3", n)
	}
	if !strings.Contains(x.text("main"), amount(f.answers(list).Stores[0].TotalCAD)) {
		t.Error("the total is not on paper")
	}
}
