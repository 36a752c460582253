package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestIndexAgainst: rows have their difference to a city, and what makes no sense is refused. The recorder checks
// each answer against the OpenAPI document.
func TestIndexAgainst(t *testing.T) {
	f := apitest.ServeReleased(t, apitest.Ample)
	key := f.Key(state.Standard)
	const path = "/api/v1/index?level=city&from=2026-11-15"
	for query, want := range map[string][]string{
		"&against=Toronto&city=Toronto&category=overall":  {`"against":"Toronto"`, `"against":{"city":"Toronto","pct_difference":0.0000,"pct_difference_low":null,"pct_difference_high":null}`},
		"&against=Toronto&city=Halifax&category=overall":  {`"against":{"city":"Toronto","pct_difference":`},
		"&against=Toronto&category=dairy&include=quality": {`"quality":{`, `"pct_difference_low":null,"pct_difference_high":null}`},
	} {
		r, public := f.Get(path+query, key), f.Get(strings.Replace(path+query, "/v1/", "/public/", 1), key)
		for _, text := range want {
			for _, r := range []*apitest.Response{r, public} {
				if r.StatusCode != http.StatusOK || !strings.Contains(string(r.Content), text) {
					t.Errorf("%s lacks %s: %d %.900s", query, text, r.StatusCode, r.Content)
				}
			}
		}
	}
	for query, want := range map[string]string{
		path + "&against=Toronot":                    `against: \"Toronot\" is not known here`,
		path + "&against=Toronto&series=v1":          "leave out against or series",
		path + "&against=Toronto&as_of=r1":           "leave out against or as_of",
		"/api/v1/companions/regular?against=Toronto": "there is no parameter",
	} {
		if r := f.Get(query, key); r.StatusCode != http.StatusBadRequest || !strings.Contains(string(r.Content), want) {
			t.Errorf("%s: %d %.300s, want %s", query, r.StatusCode, r.Content, want)
		}
	}
	if r := f.Get(path, key); strings.Contains(string(r.Content), `"against":`) {
		t.Error("rows have the member unasked")
	}
}
