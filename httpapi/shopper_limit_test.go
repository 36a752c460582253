package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestShopperOverloaded asks while as many comparisons are being made as there may be.
// All addresses take from the same places, and each comparison gives its place back,
// refused or not.
func TestShopperOverloaded(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	release := f.API.CompareAll()
	for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
		r := f.Post(path, goodList)
		apitest.WantError(t, path, r, http.StatusServiceUnavailable, "overloaded")
		if r.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: Retry-After is %s", path, r.Header.Get("Retry-After"))
		}
		apitest.WantError(t, path+", and refused", f.Post(path, "{}"), http.StatusBadRequest, "invalid_body")
	}
	session := agent(f)
	if code, seconds := refusedAs(callTool(t, session, "compare", goodList)); code != "overloaded" || seconds != 1 {
		t.Errorf("a tool: %s, %g s", code, seconds)
	}
	release(1)
	for range 2 {
		for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
			apitest.WantStatus(t, f.Post(path, goodList), http.StatusOK)
			apitest.WantStatus(t, f.Post(path, `{"city":"springfield","items":[{"id":1,"qty":1}]}`), http.StatusBadRequest)
		}
		if res := callTool(t, session, "compare", goodList); res.IsError {
			t.Errorf("%+v", res.Content)
		}
	}
}
