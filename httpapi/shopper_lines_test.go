package httpapi

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
)

// expectedLines is the body that package compare makes of a list's lines.
func expectedLines(t testing.TB, p *compare.Projection, list compare.Request, now time.Time) []byte {
	t.Helper()
	result, err := compare.Evaluate(p, list, now)
	if err != nil {
		t.Fatal(err)
	}
	return result.AppendLinesJSON(nil)
}

// wantSameAnswer checks that the lines are refused as the comparison is, byte for
// byte, or given where it is.
func wantSameAnswer(t testing.TB, lines, compared *response) {
	t.Helper()
	if lines.StatusCode != compared.StatusCode || compared.StatusCode != http.StatusOK && !bytes.Equal(lines.body, compared.body) {
		t.Errorf("the lines: %d %s\nthe comparison: %d %s", lines.StatusCode, lines.body, compared.StatusCode, compared.body)
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

// TestShopperLines gets the lines of lists with every outcome, and of random
// ones: those that package compare makes, with the totals of the comparison.
func TestShopperLines(t *testing.T) {
	f := serveDemo(t, manyComparisons)
	splits := map[any]bool{}
	check := func(list compare.Request, now time.Time) {
		t.Helper()
		f.clock.Set(now)
		got := f.post(pathLines, bodyOf(t, list))
		if want := expectedLines(t, reference(), list, now); got.StatusCode != http.StatusOK || !bytes.Equal(got.body, want) {
			t.Fatalf("%s: %d\n%s\nwant\n%s", queryOf(list), got.StatusCode, got.body, want)
		}
		compared := f.post(pathCompare, bodyOf(t, list))
		wantSameAnswer(t, got, compared)
		lines, whole := got.json(t), compared.json(t)
		splits[lines["split"].(map[string]any)["status"]] = true
		for _, member := range []string{"version", "currency", "city", "evaluatedOn"} {
			if at(lines, member) != at(whole, member) {
				t.Errorf("%s: %s is %s, of the comparison %s", queryOf(list), member, at(lines, member), at(whole, member))
			}
		}
		stores, others := lines["stores"].([]any), whole["stores"].([]any)
		if len(stores) != len(others) || len(lines["lines"].([]any)) != len(stores)*len(list.Items) {
			t.Errorf("%s: %d stores of %d, %d lines", queryOf(list), len(stores), len(others), len(lines["lines"].([]any)))
			return
		}
		for i := range stores {
			for _, member := range []string{"key", "name", "totalCad", "sizeAdjustedTotalCad", "completeRequestedList"} {
				if s, o := stores[i].(map[string]any)[member], others[i].(map[string]any)[member]; s != o {
					t.Errorf("%s: %s is %v, of the comparison %v", queryOf(list), member, s, o)
				}
			}
		}
	}
	for _, c := range outcomes {
		check(listFrom(t, c.city, c.items, c.stores...), testNow.AddDate(0, 0, c.days))
	}
	catalog := compare.Catalog(reference())
	r := rand.New(rand.NewPCG(13, 21))
	for n := range 80 {
		list := compare.Request{City: catalog.Cities[r.IntN(len(catalog.Cities))].Slug}
		for _, i := range r.Perm(len(catalog.Items))[:1+r.IntN(1+n%20)] {
			it := catalog.Items[i]
			steps := int((it.MaxQuantity - it.MinQuantity) / it.QuantityStep)
			list.Items = append(list.Items, compare.Item{ID: it.ID, Qty: it.MinQuantity + compare.Quantity(r.IntN(steps+1))*it.QuantityStep})
		}
		check(list, testNow.AddDate(0, 0, r.IntN(12)-6))
	}
	if len(splits) != 6 { // every status that there is
		t.Errorf("splits: %v", splits)
	}
}

// TestShopperLinesPacked compares the packed body with the plain one.
func TestShopperLinesPacked(t *testing.T) {
	f := serveDemo(t)
	list := bodyOf(t, listFrom(t, "toronto", "25,4,13,9x0.25"))
	plain, packed := f.post(pathLines, list), f.post(pathLines, list, header("Accept-Encoding", "gzip"))
	body, err := plainBody(packed)
	if err != nil || !bytes.Equal(body, plain.body) || packed.Header.Get("Content-Encoding") != "gzip" || len(packed.body) >= len(plain.body) {
		t.Errorf("%v: %v, %d bytes of %d", err, packed.Header, len(packed.body), len(plain.body))
	}
}

// TestShopperLinesMethods makes sure that the address takes POST alone, and tells
// no page of another site anything.
func TestShopperLinesMethods(t *testing.T) {
	f := serveDemo(t)
	for _, method := range []string{"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
		for _, change := range [][]func(*http.Request){
			nil, {header("Accept", "text/html")},
			{header("Origin", "https://agent.example"), header("Access-Control-Request-Method", "POST"), header("Access-Control-Request-Headers", "content-type")},
		} {
			r := f.do(method, pathLines+"?city=toronto&items=1", "", "", change...)
			if method == http.MethodHead {
				wantStatus(t, r, http.StatusMethodNotAllowed)
			} else {
				wantShopperError(t, method, r, http.StatusMethodNotAllowed, "method_not_allowed")
			}
			if r.Header.Get("Allow") != "POST" || r.Header.Get("RateLimit") != "" || len(openHeaders(r.Header)) > 0 {
				t.Errorf("%s: %v", method, r.Header)
			}
		}
	}
	if r := f.post(pathLines, goodList); r.Header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("other methods took from the minute: %v", r.Header)
	}
	for _, path := range []string{"/shopper/", "/shopper/lines/", "/shopper/Lines", "/shopper/linesx"} {
		wantRefusal(t, f.post(path, goodList), http.StatusNotFound, "not_found")
	}
}

// TestShopperLinesCrossSite does what browsers do for pages of this site and of
// others. What is refused takes nothing from the visitor's minute.
func TestShopperLinesCrossSite(t *testing.T) {
	f := serveDemo(t)
	left := 30
	for _, c := range senders(f.http.URL) {
		r := f.post(pathLines, goodList, c.change...)
		if !c.ours {
			wantShopperError(t, c.name, r, http.StatusForbidden, "cross_site")
			if r.Header.Get("RateLimit") != "" {
				t.Errorf("%s: %v", c.name, r.Header)
			}
			continue
		}
		left--
		wantStatus(t, r, http.StatusOK)
		if got := r.json(t); len(got) == 0 || r.Header.Get("X-RateLimit-Remaining") != strconv.Itoa(left) {
			t.Errorf("%s: %s are left, want %d", c.name, r.Header.Get("X-RateLimit-Remaining"), left)
		}
	}
}
