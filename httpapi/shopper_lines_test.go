package httpapi_test

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// wantSameAnswer checks that the lines are refused as the comparison is, byte for
// byte, or given where it is.
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

// TestShopperLines gets the lines of lists with every outcome, and of random
// ones: those that package compare makes, with the totals of the comparison.
func TestShopperLines(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	splits := map[any]bool{}
	check := func(list compare.Request, now time.Time) {
		t.Helper()
		f.Clock.Set(now)
		got := f.Post("/shopper/lines", apitest.Body(t, list))
		if want := linesOfList(t, list, now); got.StatusCode != http.StatusOK || !bytes.Equal(got.Content, want) {
			t.Fatalf("%s: %d\n%s\nwant\n%s", apitest.Query(list), got.StatusCode, got.Content, want)
		}
		compared := f.Post("/api/shopper/compare", apitest.Body(t, list))
		wantSameAnswer(t, got, compared)
		lines, whole := got.JSON(t), compared.JSON(t)
		splits[lines["split"].(map[string]any)["status"]] = true
		for _, member := range []string{"version", "currency", "city", "evaluatedOn"} {
			if at(lines, member) != at(whole, member) {
				t.Errorf("%s: %s is %s, of the comparison %s", apitest.Query(list), member, at(lines, member), at(whole, member))
			}
		}
		stores, others := lines["stores"].([]any), whole["stores"].([]any)
		if len(stores) != len(others) || len(lines["lines"].([]any)) != len(stores)*len(list.Items) {
			t.Errorf("%s: %d stores of %d, %d lines", apitest.Query(list), len(stores), len(others), len(lines["lines"].([]any)))
			return
		}
		for i := range stores {
			for _, member := range []string{"key", "name", "totalCad", "sizeAdjustedTotalCad", "completeRequestedList"} {
				if s, o := stores[i].(map[string]any)[member], others[i].(map[string]any)[member]; s != o {
					t.Errorf("%s: %s is %v, of the comparison %v", apitest.Query(list), member, s, o)
				}
			}
		}
	}
	for _, c := range outcomes {
		check(apitest.List(t, c.city, c.items, c.stores...), apitest.Now.AddDate(0, 0, c.days))
	}
	for list, now := range randomLists(13, 80) {
		check(list, now)
	}
	if len(splits) != 6 { // every status that there is
		t.Errorf("splits: %v", splits)
	}
}

func linesOfList(t testing.TB, list compare.Request, now time.Time) []byte {
	t.Helper()
	_, lines := apitest.Compared(t, apitest.Reference(), list, now)
	return lines
}

// TestShopperLinesMethods makes sure that the address takes POST alone, and that
// other methods take nothing from the minute.
func TestShopperLinesMethods(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	for _, method := range []string{"GET", "PUT", "OPTIONS"} {
		r := f.Do(method, "/shopper/lines?city=toronto&items=1", "", "", apitest.Header("Origin", "https://agent.example"), apitest.Header("Accept", "text/html"))
		apitest.WantError(t, method, r, http.StatusMethodNotAllowed, "method_not_allowed")
		if r.Header.Get("RateLimit") != "" || len(openHeaders(r.Header)) > 0 {
			t.Errorf("%s: %v", method, r.Header)
		}
	}
	if r := f.Post("/shopper/lines", goodList); r.Header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("other methods took from the minute: %v", r.Header)
	}
}

// TestShopperLinesCrossSite does what browsers do for pages of this site and of
// others. What is refused takes nothing from the visitor's minute.
func TestShopperLinesCrossSite(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	left := 30
	for _, c := range senders(f.HTTP.URL) {
		r := f.Post("/shopper/lines", goodList, c.change...)
		if !c.ours {
			apitest.WantError(t, c.name, r, http.StatusForbidden, "cross_site")
			if r.Header.Get("RateLimit") != "" {
				t.Errorf("%s: %v", c.name, r.Header)
			}
			continue
		}
		left--
		apitest.WantStatus(t, r, http.StatusOK)
		if got := r.JSON(t); len(got) == 0 || r.Header.Get("X-RateLimit-Remaining") != strconv.Itoa(left) {
			t.Errorf("%s: %s are left, want %d", c.name, r.Header.Get("X-RateLimit-Remaining"), left)
		}
	}
}
