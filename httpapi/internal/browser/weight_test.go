//go:build browser

package browser

import (
	"testing"
)

// mostBytes is what a page may weigh, unpacked.
const mostBytes = 150_000

// testFirstRender opens every page for the first time, signed in and not: what it
// weighs, and how often it asks the API before it shows what it is for.
func testFirstRender(t *testing.T, b *browser) {
	f := serve(t, "")
	for _, signedIn := range []bool{false, true} {
		for _, c := range []struct {
			path, there string
			asks        int // if a stranger asks
		}{
			{"/", "#signin-form, #dashboard[data-state=ready]", 0},
			{"/shopper", "#shopper[data-state=ready]", 1},
			{"/account", "#signin-form, #account-name", 0},
			{"/methodology", "article.document", 0},
			{"/docs", ".documents", 0},
			{"/docs/api", "article.document", 0},
		} {
			var x *tab
			if signedIn {
				x = f.signedIn(b, f.standardKey())
			} else {
				x = b.open(t, f.API.BaseURL)
			}
			x.visit(c.path)
			x.there(c.there)
			x.settle()
			asked, weight := x.apiRequests(), x.weight()
			t.Logf("%-12s signed in %-5v %6d bytes, %q", c.path, signedIn, weight, asked)
			if len(asked) > 2 || !signedIn && len(asked) != c.asks {
				t.Errorf("%s, signed in %v: asks for %q", c.path, signedIn, asked)
			}
			if weight > mostBytes {
				t.Errorf("%s, signed in %v: weighs %d bytes, more than %d", c.path, signedIn, weight, mostBytes)
			}
			for _, r := range x.requests() {
				if !r.done || r.status >= 400 && r.status != 0 {
					t.Errorf("%s: %s %s: %d", c.path, r.method, r.path(), r.status)
				}
			}
		}
	}
}
