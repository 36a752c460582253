package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// The lists of the demo snapshot that lead to each outcome.
var outcomes = []struct {
	name, city, items string
	stores            []string
	days              int // after apitest.Now
	status, scope     string
}{
	{"lowest", "toronto", "25,4,13,9x0.25", nil, 0, "lowest", "complete_requested_list"},
	{"lowest of two chains", "toronto", "25,4,13", []string{"northlarch", "pennywold"}, 0, "lowest", "complete_requested_list"},
	{"close", "edmonton", "43,38,45,8x0.25", nil, 0, "too_close_to_call", "complete_requested_list"},
	{"sizes", "vancouver", "49,38,2,1", nil, 0, "size_basis_disagrees", "complete_requested_list"},
	{"too little", "charlottetown", "9x0.25,42,16,2,21x0.25", nil, 0, "insufficient_coverage", "complete_requested_list"},
	{"a chain alone", "toronto", "25,4,13", []string{"northlarch"}, 0, "insufficient_coverage", "complete_requested_list"},
	{"in part", "toronto", "25,4", []string{"bigfathom"}, 0, "insufficient_coverage", "partial_requested_list"},
	{"nothing fresh", "toronto", "25,4,13", nil, 60, "insufficient_coverage", "no_comparable_items"},
}

// comparison is the body that package compare makes of a list of the demo.
func comparison(t testing.TB, list compare.Request, now time.Time) []byte {
	t.Helper()
	body, _ := apitest.Compared(t, apitest.Reference(), list, now)
	return body
}

// TestShopperOutcomes gets every status of a recommendation and every scope over
// a connection, by POST and by GET.
func TestShopperOutcomes(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	for _, c := range outcomes {
		t.Run(c.name, func(t *testing.T) {
			f := f.For(t)
			f.Clock.Set(apitest.Now.AddDate(0, 0, c.days))
			list := apitest.List(t, c.city, c.items, c.stores...)
			posted := f.Post("/api/shopper/compare", apitest.Body(t, list))
			got := f.Get("/api/shopper/compare"+apitest.Query(list), "")
			if posted.StatusCode != http.StatusOK || !bytes.Equal(posted.Content, got.Content) {
				t.Fatalf("POST: %d %s\nGET: %d %s", posted.StatusCode, posted.Content, got.StatusCode, got.Content)
			}
			v := posted.JSON(t)
			if at(v, "recommendation.status") != `"`+c.status+`"` || at(v, "comparisonScope") != `"`+c.scope+`"` {
				t.Errorf("%s, %s", at(v, "recommendation.status"), at(v, "comparisonScope"))
			}
			keys := 0
			if c.status == "lowest" {
				keys = 1
			}
			if n := len(v["recommendation"].(map[string]any)["storeKeys"].([]any)); n != keys {
				t.Errorf("%d store keys", n)
			}
			if want := apitest.Now.AddDate(0, 0, c.days).Format("2006-01-02"); at(v, "evaluatedOn") != `"`+want+`"` {
				t.Errorf("evaluated on %s, want %s", at(v, "evaluatedOn"), want)
			}
			head := f.Do(http.MethodHead, "/api/shopper/compare"+apitest.Query(list), "", "")
			if head.StatusCode != http.StatusOK || head.ContentLength != int64(len(got.Content)) || len(head.Content) > 0 {
				t.Errorf("HEAD: %d, %d bytes", head.StatusCode, head.ContentLength)
			}
		})
	}
}

// randomLists yields lists of the demo's catalog, each with a moment around now.
func randomLists(seed uint64, n int) func(yield func(list compare.Request, now time.Time) bool) {
	catalog := compare.Catalog(apitest.Reference())
	r := rand.New(rand.NewPCG(seed, 8))
	return func(yield func(compare.Request, time.Time) bool) {
		for n := range n {
			list := compare.Request{City: catalog.Cities[r.IntN(len(catalog.Cities))].Slug}
			for _, i := range r.Perm(len(catalog.Items))[:1+r.IntN(1+n%20)] {
				it := catalog.Items[i]
				steps := int((it.MaxQuantity - it.MinQuantity) / it.QuantityStep)
				list.Items = append(list.Items, compare.Item{ID: it.ID, Qty: it.MinQuantity + compare.Quantity(r.IntN(steps+1))*it.QuantityStep})
			}
			if !yield(list, apitest.Now.AddDate(0, 0, r.IntN(12)-6)) {
				return
			}
		}
	}
}

// TestShopperIsPackageCompare holds bodies of random lists against those that
// package compare makes of a projection of its own, byte for byte.
func TestShopperIsPackageCompare(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	seen := map[compare.Status]int{}
	for list, now := range randomLists(5, 150) {
		f.Clock.Set(now)
		result, err := compare.Evaluate(apitest.Reference(), list, now)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Items)%3 == 0 { // some of the chains, in another order
			for _, s := range result.Stores[:(len(result.Stores)+1)/2] {
				list.Stores = append([]string{s.Key}, list.Stores...)
			}
		}
		want := comparison(t, list, now)
		seen[result.Recommendation.Status]++
		for method, got := range map[string]*apitest.Response{
			"POST": f.Post("/api/shopper/compare", apitest.Body(t, list)), "GET": f.Get("/api/shopper/compare"+apitest.Query(list), ""),
		} {
			if got.StatusCode != http.StatusOK || !bytes.Equal(got.Content, want) {
				t.Fatalf("%s %s: %d\n%s\nwant\n%s", method, apitest.Query(list), got.StatusCode, got.Content, want)
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("statuses: %v", seen)
	}
}

// TestShopperAddresses compares the addresses in a body with those of the service.
func TestShopperAddresses(t *testing.T) {
	t.Parallel()
	v := apitest.Serve(t).Post("/api/shopper/compare", `{"city":"toronto","items":[{"id":12,"qty":1},{"id":7,"qty":0.50},{"id":1,"qty":2.0}],"stores":["tillbrook","northlarch"]}`).JSON(t)
	for path, want := range map[string]string{
		"requestedItemIds": "[1,7,12]", "weightedItemIds": "[7]",
		"sourceUrls": `["https://larder.example/api/shopper/catalog","https://larder.example/methodology"]`,
	} {
		if at(v, path) != want {
			t.Errorf("%s is %s, want %s", path, at(v, path), want)
		}
	}
	if got, want := v["comparisonUrl"], "https://larder.example/shopper#city=toronto&items=1x2,7x0.5,12x1&stores=northlarch,tillbrook"; got != want {
		t.Errorf("comparisonUrl is %s, want %s", got, want)
	}
}

// TestShopperPacked compares packed bodies with plain ones, and HEAD with GET.
func TestShopperPacked(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	list := apitest.Body(t, apitest.List(t, "toronto", "25,4,13,9x0.25"))
	for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
		plain, packed := f.Post(path, list), f.Post(path, list, apitest.Header("Accept-Encoding", "gzip"))
		body, err := packed.Plain()
		if err != nil || !bytes.Equal(body, plain.Content) || packed.Header.Get("Content-Encoding") != "gzip" || len(packed.Content) >= len(plain.Content) || plain.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v: %v, %v", path, err, packed.Header, plain.Header)
		}
	}
	// The handler itself sends HEAD no body, which would count as bytes sent.
	if got := f.Ask(t, httptest.NewRequest(http.MethodHead, "/api/shopper/compare?city=toronto&items=1x2", nil)); got.StatusCode != http.StatusOK || len(got.Content) > 0 || got.Header.Get("Content-Length") == "0" {
		t.Errorf("%d, %d bytes, %v", got.StatusCode, len(got.Content), got.Header)
	}
}

// TestShopperFullList compares the largest list in all forms.
func TestShopperFullList(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	var ids, items []string
	weighed := []int{}
	for _, it := range compare.Catalog(apitest.Reference()).Items {
		ids = append(ids, fmt.Sprint(it.ID))
		items = append(items, fmt.Sprintf("%dx%s", it.ID, it.MaxQuantity))
		if it.QuantityUnit == "kg" {
			weighed = append(weighed, it.ID)
		}
	}
	if want := []int{7, 8, 9, 11, 18, 21, 27, 50}; !slices.Equal(weighed, want) {
		t.Errorf("by the kilogram are sold %v, want %v", weighed, want)
	}
	for _, city := range strings.Fields("vancouver calgary edmonton saskatoon winnipeg toronto ottawa montreal quebec-city moncton halifax charlottetown st-johns") {
		list := apitest.List(t, city, strings.Join(items, ","))
		got := f.Post("/api/shopper/compare", apitest.Body(t, list))
		var v struct {
			RequestedItemIDs json.RawMessage `json:"requestedItemIds"`
			City             struct{ Slug string }
		}
		if err := json.Unmarshal(got.Content, &v); err != nil || string(v.RequestedItemIDs) != "["+strings.Join(ids, ",")+"]" || v.City.Slug != city {
			t.Errorf("%s: %v: %d %.200s", city, err, got.StatusCode, got.Content)
		}
		if again := f.Get("/api/shopper/compare"+apitest.Query(list), ""); !bytes.Equal(again.Content, got.Content) {
			t.Errorf("%s: GET answers another body", city)
		}
	}
}

// TestShopperForms makes sure that equal lists have one answer, however they are
// written.
func TestShopperForms(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	want := string(comparison(t, apitest.List(t, "toronto", "1x2,7x1,12x1", "northlarch", "tillbrook"), apitest.Now))
	for _, query := range []string{
		"city=toronto&items=1x2,7,12&stores=northlarch,tillbrook", "stores=tillbrook,northlarch&items=12x1.0,7x1.00,1x2&city=toronto",
	} {
		if got := f.Get("/api/shopper/compare?"+query, ""); string(got.Content) != want {
			t.Errorf("%s: %s", query, got.Content)
		}
	}
	for _, body := range []string{
		`{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":1},{"id":12,"qty":1}],"stores":["northlarch","tillbrook"]}`,
		` { "stores" : ["tillbrook","\u006eorthlarch"], "items":[{"qty":1.0,"id":12.0},{"qty":1e0,"id":0.7e1},{"qty":200e-2,"id":1}], "city":"toronto" } `,
	} {
		if got := f.Post("/api/shopper/compare", body); string(got.Content) != want {
			t.Errorf("%s: %s", body, got.Content)
		}
	}
	for _, body := range []string{`{"city":"toronto","items":[{"id":1,"qty":2}]}`, `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":[]}`} {
		if got := f.Post("/api/shopper/compare", body); string(got.Content) != string(comparison(t, compare.Request{City: "toronto", Items: []compare.Item{{ID: 1, Qty: 200}}}, apitest.Now)) {
			t.Errorf("%s: %s", body, got.Content)
		}
	}
}
