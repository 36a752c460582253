package browser

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// hostile returns a text that would do harm where it became markup or a template, and
// is told apart by a number.
func hostile(n int) string {
	return fmt.Sprintf(`<img src=x onerror=window.hacked=%d>"'><script>window.hacked=%d</script>${window.hacked=%d}{{%d}}&lt;b&gt;`, n, n, n, n)
}

// hostileSnapshot is a panel of which every name is hostile.
func hostileSnapshot(t testing.TB) string {
	t.Helper()
	d, err := synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(apitest.Now), Weeks: 8, Stores: 26})
	if err != nil {
		t.Fatal(err)
	}
	d.Products, d.Banners, d.Cities, d.Listings = slices.Clone(d.Products), slices.Clone(d.Banners), slices.Clone(d.Cities), slices.Clone(d.Listings)
	for i := range d.Products {
		p := &d.Products[i]
		p.Name, p.NameFr, p.Subcategory, p.Aliases = p.Name+hostile(1), p.NameFr+hostile(2), hostile(3), []string{"alias " + hostile(4)}
	}
	for i := range d.Banners {
		d.Banners[i].Name, d.Banners[i].Retailer = d.Banners[i].Name+hostile(5), hostile(6)
	}
	for i := range d.Cities {
		d.Cities[i].Name += hostile(7) // as it is: the pages ask by it
	}
	for i := range d.Listings {
		d.Listings[i].Name, d.Listings[i].Brand = hostile(8), hostile(9)
	}
	dir := filepath.Join(t.TempDir(), "panel")
	if err := d.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	return apitest.Import(t, dir)
}

// unharmed fails the test if a text became more than a text, or if no text
// of a number is shown.
func (x *tab) unharmed(page string, numbers ...int) {
	x.t.Helper()
	x.settle()
	if get[bool](x, `() => "hacked" in window`) {
		x.t.Errorf("%s: a script of the snapshot ran", page)
	}
	if n := get[int](x, `() => document.querySelectorAll("img:not([src^='/figure.svg?'], [src^='/why.svg?']), [onerror], body script:not([src])").length`); n > 0 {
		x.t.Errorf("%s: %d elements of the snapshot's", page, n)
	}
	text := get[string](x, `() => document.body.textContent`)
	for _, n := range numbers {
		if !strings.Contains(text, hostile(n)) {
			x.t.Errorf("%s: the text of number %d is not there as it is", page, n)
		}
	}
}

// testEscaping has all names of the snapshot, and of a key, be markup.
func testEscaping(t *testing.T, b *browser) {
	f := serve(t, hostileSnapshot(t), apitest.Ample)
	x := b.open(t, f.API.BaseURL)
	x.visit("/shopper")
	x.unharmed("catalog", 7)
	x.fill("#search", "alias <img")
	x.there("#matches [role=option]")
	x.unharmed("search", 1, 4)
	x.fill("#search", hostile(3)[:40])
	x.unharmed("search")
	list := apitest.List(t, "toronto", "1,2,3x2,7x0.5,12")
	x.visit("/methodology")
	x.visit(apitest.PageURL("", list))
	x.compared(f.answers(list))
	x.unharmed("comparison", 1, 5)
	x.glance("hostile-shopper")

	_, secret := f.Created(state.NewKey{Name: "Key " + hostile(10)[:90], Tier: state.Standard})
	y := f.signedIn(b, secret)
	y.visit("/")
	y.there("#desk")
	y.click("#tab-chains")
	y.there("#tab-chains[aria-current]")
	y.choose("#place", "toronto")
	y.click("#add-series")
	await[bool](y, `() => document.querySelectorAll("#chosen li").length === 2`)
	y.unharmed("desk", 5, 7)
	y.click(".hand")
	y.unharmed("why")
	y.visit("/?tab=grid&days=365&grade=low&grade=medium&grade=high&s=toronto.overall")
	y.unharmed("grid and packs", 7)
	y.glance("hostile-desk")

	y.visit("/account")
	y.says("#account-name", "onerror")
	y.unharmed("account")
	y.glance("hostile-account")
	apitest.WantStatus(t, f.Get("/api/v1/products", secret), http.StatusOK)
}
