package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
)

// The lists of the demo snapshot that lead to each outcome.
var outcomes = []struct {
	name, city, items string
	stores            []string
	days              int // after testNow
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

// TestShopperOutcomes gets every status of a recommendation and every scope over
// a connection, by POST and by GET.
func TestShopperOutcomes(t *testing.T) {
	f := serveDemo(t, manyComparisons)
	for _, c := range outcomes {
		t.Run(c.name, func(t *testing.T) {
			f := *f
			f.t = t
			f.clock.Set(testNow.AddDate(0, 0, c.days))
			list := listFrom(t, c.city, c.items, c.stores...)
			posted := f.post(pathCompare, bodyOf(t, list))
			got := f.get(pathCompare+queryOf(list), "")
			if posted.StatusCode != http.StatusOK || !bytes.Equal(posted.body, got.body) {
				t.Fatalf("POST: %d %s\nGET: %d %s", posted.StatusCode, posted.body, got.StatusCode, got.body)
			}
			v := posted.json(t)
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
			if want := testNow.AddDate(0, 0, c.days).Format("2006-01-02"); at(v, "evaluatedOn") != `"`+want+`"` {
				t.Errorf("evaluated on %s, want %s", at(v, "evaluatedOn"), want)
			}
			head := f.do(http.MethodHead, pathCompare+queryOf(list), "", "")
			if head.StatusCode != http.StatusOK || head.ContentLength != int64(len(got.body)) || len(head.body) > 0 {
				t.Errorf("HEAD: %d, %d bytes", head.StatusCode, head.ContentLength)
			}
		})
	}
	f.clock.Set(testNow)
}

// TestShopperIsPackageCompare holds bodies of random lists against those that
// package compare makes of a projection of its own, byte for byte.
func TestShopperIsPackageCompare(t *testing.T) {
	f := serveDemo(t, manyComparisons)
	catalog := compare.Catalog(reference())
	r := rand.New(rand.NewPCG(5, 8))
	seen := map[compare.Status]int{}
	for n := range 150 {
		now := testNow.AddDate(0, 0, r.IntN(12)-6)
		f.clock.Set(now)
		list := compare.Request{City: catalog.Cities[r.IntN(len(catalog.Cities))].Slug}
		for _, i := range r.Perm(len(catalog.Items))[:1+r.IntN(1+n%20)] {
			it := catalog.Items[i]
			steps := int((it.MaxQuantity - it.MinQuantity) / it.QuantityStep)
			list.Items = append(list.Items, compare.Item{ID: it.ID, Qty: it.MinQuantity + compare.Quantity(r.IntN(steps+1))*it.QuantityStep})
		}
		result, err := compare.Evaluate(reference(), list, now)
		if err != nil {
			t.Fatal(err)
		}
		if n%3 == 0 { // some of the chains, in another order
			for _, s := range result.Stores[:(len(result.Stores)+1)/2] {
				list.Stores = append([]string{s.Key}, list.Stores...)
			}
		}
		want := expected(t, reference(), list, now)
		seen[result.Recommendation.Status]++
		for method, got := range map[string]*response{"POST": f.post(pathCompare, bodyOf(t, list)), "GET": f.get(pathCompare+queryOf(list), "")} {
			if got.StatusCode != http.StatusOK || !bytes.Equal(got.body, want) {
				t.Fatalf("%s %s: %d\n%s\nwant\n%s", method, queryOf(list), got.StatusCode, got.body, want)
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("statuses: %v", seen)
	}
}

// TestShopperMembers makes sure that a body has the members that are documented,
// the optional ones among them, and the addresses of the service.
func TestShopperMembers(t *testing.T) {
	f := serveDemo(t)
	v := f.post(pathCompare, `{"city":"toronto","items":[{"id":12,"qty":1},{"id":7,"qty":0.50},{"id":1,"qty":2.0}],"stores":["tillbrook","northlarch"]}`).json(t)
	members(t, "the body", v, `version currency city evaluatedOn comparisonScope requestedItemIds comparedItemIds untrackedItemIds weightedItemIds
		normalizedCountItemIds unsupportedQuantityItemIds recommendation stores excludedStores exclusions observationSpan caveats sourceUrls comparisonUrl`)
	members(t, "recommendation", v["recommendation"], "status storeKeys reasons closeStoreKeys")
	for _, s := range v["stores"].([]any) {
		members(t, "a store", s, `key name totalCad sizeAdjustedTotalCad totalScope completeRequestedList pricedItemIds missingItemIds oldest newest
			onSaleItemIds conditionalPromotionItemIds differentSizeItemIds itemObservationDates`)
	}
	for path, want := range map[string]string{
		"version": `"1"`, "currency": `"CAD"`, "city.province": `"ON"`, "requestedItemIds": "[1,7,12]", "weightedItemIds": "[7]",
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

// TestShopperHead makes sure that the handler itself sends HEAD no body, which
// would count as bytes sent.
func TestShopperHead(t *testing.T) {
	f := serveDemo(t)
	if got := f.ask(t, http.MethodHead, pathCompare, "city=toronto&items=1x2", "", nil); got.StatusCode != http.StatusOK || len(got.body) > 0 || got.Header.Get("Content-Length") == "0" {
		t.Errorf("%d, %d bytes, %v", got.StatusCode, len(got.body), got.Header)
	}
}

// TestShopperPacked compares the packed body with the plain one.
func TestShopperPacked(t *testing.T) {
	f := serveDemo(t)
	list := bodyOf(t, listFrom(t, "toronto", "25,4,13,9x0.25"))
	plain, packed := f.post(pathCompare, list), f.post(pathCompare, list, header("Accept-Encoding", "gzip"))
	body, err := plainBody(packed)
	if err != nil || !bytes.Equal(body, plain.body) || packed.Header.Get("Content-Encoding") != "gzip" || len(packed.body) >= len(plain.body) ||
		plain.Header.Get("Vary") != "Accept-Encoding" || plain.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v: %v, %v", err, packed.Header, plain.Header)
	}
}

// TestShopperFullList compares the largest list in all forms.
func TestShopperFullList(t *testing.T) {
	f := serveDemo(t, manyComparisons)
	var ids, items []string
	weighed := []int{}
	for _, it := range compare.Catalog(reference()).Items {
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
		list := listFrom(t, city, strings.Join(items, ","))
		got := f.post(pathCompare, bodyOf(t, list))
		var v struct {
			RequestedItemIDs json.RawMessage `json:"requestedItemIds"`
			City             struct{ Slug string }
		}
		if err := json.Unmarshal(got.body, &v); err != nil || string(v.RequestedItemIDs) != "["+strings.Join(ids, ",")+"]" || v.City.Slug != city {
			t.Errorf("%s: %v: %d %.200s", city, err, got.StatusCode, got.body)
		}
		if again := f.get(pathCompare+queryOf(list), ""); !bytes.Equal(again.body, got.body) {
			t.Errorf("%s: GET answers another body", city)
		}
	}
}
