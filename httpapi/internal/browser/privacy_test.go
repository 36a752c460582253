//go:build browser

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testPrivacy follows a shopper who shops, shares and is refused, and looks for the
// list in everything that the server has written.
func testPrivacy(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper#city=charlottetown&items=7x8.75,11x3.25&stores=nosuchchain")
	x.there("#restored li")
	x.click("input[name=scope][value=all]")
	x.click("#compare")
	x.there("#recommendation[data-status]")
	x.there("#lines[data-state=shown]")
	x.reload()
	x.there("#lines[data-state=shown]")
	f.HTTP.Close() // so that all is written
	for place, content := range f.Written() {
		for _, part := range []string{"charlottetown", "7x8.75", "11x3.25", `:8.75`, "nosuchchain", "#city", "items=", `"qty"`} {
			if i := strings.Index(string(content), part); i >= 0 {
				t.Errorf("%s holds %s: %q", place, part, content[max(0, i-200):min(len(content), i+100)])
			}
		}
	}
	if !strings.Contains(f.Log.String(), "/api/shopper/compare") {
		t.Error("the log was not read")
	}
	if got := get[string](x, `() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])`); got != `[{},{}]` {
		t.Errorf("the browser keeps %s", got)
	}
	if got := command(x, network.GetCookies, network.GetCookiesParams{}).Cookies; len(got) > 0 {
		t.Errorf("the browser keeps cookies: %v", got)
	}
}
