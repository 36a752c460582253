package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

const (
	goodList  = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5}]}`
	goodQuery = "?city=toronto&items=1x2,7x0.5"
)

// comparison is the body that package compare makes of a list of the demo.
func comparison(t testing.TB, list compare.Request, now time.Time) []byte {
	t.Helper()
	body, _ := apitest.Compared(t, apitest.Reference(), list, now)
	return body
}

// wantSameAnswer checks that the lines are refused byte for byte as the comparison is,
// and given where it is given.
func wantSameAnswer(t testing.TB, lines, compared *apitest.Response) {
	t.Helper()
	if lines.StatusCode != compared.StatusCode || compared.StatusCode != http.StatusOK && !bytes.Equal(lines.Content, compared.Content) {
		t.Errorf("the lines: %d %s\nthe comparison: %d %s", lines.StatusCode, lines.Content, compared.StatusCode, compared.Content)
	}
	for _, name := range []string{"Content-Type", "Cache-Control", "Vary", "X-Content-Type-Options", "RateLimit-Policy", "X-RateLimit-Limit", "Retry-After"} {
		if got, want := lines.Header.Get(name), compared.Header.Get(name); got != want {
			t.Errorf("%s is %q, of the comparison %q", name, got, want)
		}
	}
	if names := openHeaders(lines.Header); len(names) > 0 {
		t.Errorf("the lines are open to other sites: %v", names)
	}
}

// openHeaders lists the headers that open an answer to pages of other sites.
func openHeaders(h http.Header) []string {
	return slices.DeleteFunc(slices.Collect(maps.Keys(h)), func(name string) bool { return !strings.HasPrefix(name, "Access-Control-") })
}

// lists yields lists of the demo's catalog, each with an instant: the largest list of
// every city, a few lists whose outcome is rare, and random ones.
func lists(t testing.TB, n int) func(yield func(list compare.Request, now time.Time) bool) {
	catalog := compare.Catalog(apitest.Reference())
	r := rand.New(rand.NewPCG(5, 8))
	return func(yield func(compare.Request, time.Time) bool) {
		for _, c := range catalog.Cities {
			list := compare.Request{City: c.Slug}
			for _, it := range catalog.Items {
				list.Items = append(list.Items, compare.Item{ID: it.ID, Qty: it.MaxQuantity})
			}
			if !yield(list, apitest.Now) {
				return
			}
		}
		for _, c := range []struct {
			city, items string
			stores      []string
			days        int
		}{
			{"edmonton", "43,38,45,8x0.25", nil, 0},
			{"toronto", "25,4,13", []string{"northlarch"}, 0},
			{"toronto", "25,4", []string{"bigfathom"}, 0},
			{"toronto", "25,4,13", nil, 60},
		} {
			if !yield(apitest.List(t, c.city, c.items, c.stores...), apitest.Now.AddDate(0, 0, c.days)) {
				return
			}
		}
		for n := range n {
			list, now := compare.Request{City: catalog.Cities[r.IntN(len(catalog.Cities))].Slug}, apitest.Now.AddDate(0, 0, r.IntN(12)-6)
			for _, i := range r.Perm(len(catalog.Items))[:1+r.IntN(1+n%20)] {
				it := catalog.Items[i]
				steps := int((it.MaxQuantity - it.MinQuantity) / it.QuantityStep)
				list.Items = append(list.Items, compare.Item{ID: it.ID, Qty: it.MinQuantity + compare.Quantity(r.IntN(steps+1))*it.QuantityStep})
			}
			list.Conditions = compare.Conditions[:n%5%3]
			if !yield(list, now) {
				return
			}
		}
	}
}

// TestShopperIsPackageCompare compares bodies with those that package compare makes of
// a projection of its own, byte for byte: by POST and GET, and of the lines.
func TestShopperIsPackageCompare(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	outcomes, splits, scopes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for list, now := range lists(t, 60) {
		f.Clock.Set(now)
		want, lines := apitest.Compared(t, apitest.Reference(), list, now)
		posted := f.Post("/api/shopper/compare", apitest.Body(t, list))
		if got := f.Get("/api/shopper/compare"+apitest.Query(list), ""); !bytes.Equal(posted.Content, want) || !bytes.Equal(got.Content, want) {
			t.Fatalf("%s: POST %d %s\nGET %d %s\nwant %s", apitest.Query(list), posted.StatusCode, posted.Content, got.StatusCode, got.Content, want)
		}
		ours := f.Post("/shopper/lines", apitest.Body(t, list))
		if !bytes.Equal(ours.Content, lines) {
			t.Fatalf("%s: the lines: %d %s\nwant %s", apitest.Query(list), ours.StatusCode, ours.Content, lines)
		}
		wantSameAnswer(t, ours, posted)
		v := posted.JSON(t)
		outcomes[at(v, "recommendation.status")], scopes[at(v, "comparisonScope")], splits[at(ours.JSON(t), "split.status")] = true, true, true
	}
	if len(outcomes) != 4 || len(scopes) != 3 || len(splits) != 6 { // all that there are
		t.Errorf("outcomes %v, scopes %v, splits %v", outcomes, scopes, splits)
	}
}

// TestShopperCatalog compares the catalog with that of package compare, at two instants.
func TestShopperCatalog(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	catalog := compare.Catalog(apitest.Reference())
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(catalog); err != nil {
		t.Fatal(err)
	}
	for _, now := range []time.Time{apitest.Now, apitest.Now.AddDate(1, 0, 0)} {
		f.Clock.Set(now)
		if r := f.Get("/api/shopper/catalog", ""); !bytes.Equal(r.Content, want.Bytes()) || r.Header.Get("Cache-Control") != "public, max-age=3600" || r.Header.Get("RateLimit") != "" {
			t.Errorf("%d %v: another catalog than package compare has", r.StatusCode, r.Header)
		}
	}
}

// oneItem is a list of one item and a few stores.
func oneItem(id, qty string, stores ...string) string {
	list, _ := json.Marshal(append([]string{}, stores...))
	return fmt.Sprintf(`{"city":"toronto","items":[{"id":%s,"qty":%s}],"stores":%s}`, id, qty, list)
}

// itemsOf is a list of n items. Their ids go on past the last product.
func itemsOf(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"id":%d,"qty":1}`, i+1))
	}
	return `{"city":"toronto","items":[` + strings.Join(list, ",") + `]}`
}

func padded(bytes int) string { return goodList + strings.Repeat(" ", bytes-len(goodList)) }

func numbered(n int, prefix string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(prefix, i+1)
	}
	return list
}

// TestShopperBody sends bodies to both addresses, with their length and without. The
// tests of package compare say which lists are refused; here every code comes once.
func TestShopperBody(t *testing.T) {
	t.Parallel()
	documented, f := apitest.OpenAPI().Components.Schemas["ShopperRequest"], apitest.Serve(t, apitest.Ample)
	for _, c := range []struct {
		name, body string
		status     int
		code       string
		schema     bool // the documented schema refuses it too
	}{
		{"8192 bytes", padded(8192), 200, "", false},
		{"8193 bytes", padded(8193), 413, "body_too_large", false},
		{"nothing", "", 400, "invalid_json", false},
		{"a city twice", `{"city":"toronto","city":"toronto","items":[{"id":1,"qty":2}]}`, 400, "invalid_json", false},
		{"an array", "[]", 400, "invalid_body", true},
		{"an unknown member", `{"city":"toronto","items":[{"id":1,"qty":2}],"date":"2026-11-20"}`, 400, "invalid_body", true},
		{"no city", `{"items":[{"id":1,"qty":2}]}`, 400, "invalid_body", true},
		{"null for stores", `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":null}`, 400, "invalid_body", true},
		{"no such city", `{"city":"springfield","items":[{"id":1,"qty":2}]}`, 400, "unsupported_city", true},
		{"an empty list", `{"city":"toronto","items":[]}`, 400, "invalid_items", true},
		{"50 items", itemsOf(50), 200, "", false},
		{"51 items", itemsOf(51), 400, "too_many_items", true},
		{"item 51", oneItem("51", "1"), 400, "unknown_item", true},
		{"an item twice", `{"city":"toronto","items":[{"id":1,"qty":1},{"id":1.0,"qty":2}]}`, 400, "duplicate_item", false},
		{"0.30 kilograms", oneItem("7", "0.30"), 400, "invalid_quantity", true},
		{"40 stores", oneItem("1", "1", numbered(40, "chain")...), 400, "unknown_store", false},
		{"41 stores", oneItem("1", "1", numbered(41, "chain")...), 400, "too_many_stores", true},
		{"a store twice", oneItem("1", "2", "northlarch", "northlarch"), 400, "duplicate_store", true},
		{"a store of other cities", oneItem("1", "2", "gullhaven"), 400, "store_unavailable", false},
		{"lines and conditions", `{"city":"toronto","items":[{"id":1,"qty":2}],"include":["lines"],"conditions":["multi_buy","member"]}`, 200, "", false},
		{"something else included", `{"city":"toronto","items":[{"id":1,"qty":2}],"include":["prices"]}`, 400, "invalid_include", true},
		{"no such condition", `{"city":"toronto","items":[{"id":1,"qty":2}],"conditions":["members"]}`, 400, "invalid_conditions", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := f.For(t)
			whole := f.Post("/api/shopper/compare", c.body)
			for form, got := range map[string]*apitest.Response{"with its length": whole, "in chunks": f.Post("/api/shopper/compare", "x", apitest.Chunked(c.body))} {
				if c.code != "" {
					apitest.WantError(t, form, got, c.status, c.code)
				} else if want := f.Post("/api/shopper/compare", strings.TrimSpace(c.body)); got.StatusCode != c.status || !bytes.Equal(got.Content, want.Content) {
					t.Errorf("%s: %d %s", form, got.StatusCode, got.Content)
				}
			}
			wantSameAnswer(t, f.Post("/shopper/lines", c.body), whole)
			var v any
			if json.Unmarshal([]byte(c.body), &v) == nil && (apitest.Validate(documented, v) != nil) != c.schema {
				t.Errorf("the documented schema: %v", apitest.Validate(documented, v))
			}
		})
	}
}

// TestShopperQuery sends queries. The tests of package compare say which items and
// stores are refused; here every code comes once.
func TestShopperQuery(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	// A quantity with so many zeros makes items of any length.
	items := func(length int) string { return "7x0.5" + strings.Repeat("0", length-len("7x0.5")) }
	for _, c := range []struct{ name, query, code string }{
		{"escaped", "city=%74oronto&%69tems=1x2%2C7x0.5", ""},
		{"1200 characters", "city=toronto&items=" + items(1200), ""},
		{"no query", "", "missing_parameter"},
		{"no city", "items=1", "missing_parameter"},
		{"unknown", "city=toronto&items=1&store=northlarch", "unknown_parameter"},
		{"unknown before twice", "city=toronto&city=toronto&x=1", "unknown_parameter"},
		{"twice, once escaped", "city=toronto&items=1&i%74ems=1", "duplicate_parameter"},
		{"twice before missing", "city=toronto&city=toronto", "duplicate_parameter"},
		{"a bad escape", "city=toronto&items=%zz", "invalid_query"},
		{"semicolons", "city=toronto;items=1", "invalid_query"},
		{"no UTF-8 in a value", "city=toronto%ff&items=1", "invalid_query"},
		{"an empty city", "city=&items=1", "unsupported_city"},
		{"empty items", "city=toronto&items=", "invalid_items"},
		{"1201 characters", "city=toronto&items=" + items(1201), "invalid_items"},
		{"an item twice", "city=toronto&items=1,2,1x3", "duplicate_item"},
		{"empty stores", "city=toronto&items=1&stores=", "invalid_stores"},
		{"40 stores", "city=toronto&items=1&stores=" + strings.Join(numbered(40, "chain"), ","), "unknown_store"},
		{"a store of other cities", "city=toronto&items=1&stores=gullhaven", "store_unavailable"},
		{"lines and conditions", "city=toronto&items=1&include=lines&conditions=member,multi_buy", ""},
		{"nothing included", "city=toronto&items=1&include=", "invalid_include"},
	} {
		if got := f.Get("/api/shopper/compare?"+c.query, ""); c.code != "" {
			apitest.WantError(t, c.name, got, http.StatusBadRequest, c.code)
		} else if got.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", c.name, got.StatusCode, got.Content)
		}
	}
}
