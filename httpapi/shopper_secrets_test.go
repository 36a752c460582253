package httpapi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// listParts are parts of the lists below, as sent and as repeated in answers.
var listParts = []string{
	"7x0.75", "0.750000", "11x3.25", "3.250000", "charlottetown", "tillbrook", "northlarch", "nosuchtown", "nosuchchain", "sesame", "items=", "city=",
	`"qty"`, `\"qty\"`, "#city", "7,11",
}

// wantNoList checks that the server has written no part of the lists.
func wantNoList(f *apitest.Server) {
	f.T.Helper()
	for place, content := range f.Written() {
		for _, part := range listParts {
			if i := bytes.Index(content, []byte(part)); i >= 0 {
				f.T.Errorf("%s holds %s: %q", place, part, content[max(0, i-200):min(len(content), i+100)])
			}
		}
	}
}

// TestListIsKeptNowhere sends lists in all ways, good and refused, and searches all that
// the server wrote for them.
func TestListIsKeptNowhere(t *testing.T) {
	t.Parallel()
	const query = "?city=charlottetown&items=7x0.750000,11x3.250000"
	const body = `{"city":"charlottetown","items":[{"id":7,"qty":0.750000},{"id":11,"qty":3.250000}]`
	const path = "/api/shopper/compare"
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 19 }) // the rest is 405
	long := body + strings.Repeat("\n", 9000) + "}"
	sent := 0
	for _, first := range []int{http.StatusOK, http.StatusTooManyRequests} { // then the minute is used up
		all := []*apitest.Response{
			f.Post(path, body+"}"), f.Post(path, body+`,"stores":["northlarch","nosuchchain"]}`), f.Post(path, body), f.Post(path, body+`,"sesame":1}`),
			f.Post(path, body+"}sesame"), f.Post(path+query, body+"}"), f.Post(path, body+"}", apitest.Header("Content-Type", "text/sesame")),
			f.Post(path, body+"}", apitest.Header("Content-Encoding", "sesame")), f.Post(path, long), f.Post(path, "x", apitest.Chunked(long)),
			f.Post(path, strings.Replace(body, "charlottetown", "nosuchtown", 1)+"}"), f.Do(http.MethodOptions, path+query, "", ""), f.Do(http.MethodPut, path+query, "", body),
			f.Post(path, body+"}", apitest.Header("Referer", "https://larder.example/shopper#city=charlottetown&items=7x0.75"), apitest.Header("User-Agent", "sesame")),
			f.Post(path, body+"}", apitest.Header("Authorization", "Bearer "+f.Key(state.Standard))),
			f.Get(path+query, ""), f.Do(http.MethodHead, path+query, "", ""), f.Get(path+query+"&stores=tillbrook,nosuchchain", ""),
			f.Get(path+query+"&sesame=1", ""), f.Get(path+query+"&city=nosuchtown", ""), f.Get(path+query+"&items=%zz", ""),
		}
		apitest.WantStatus(t, all[0], first)
		sent += len(all)
	}
	f.Get("/api/shopper/sesame"+query, "")
	f.Get("/api/shopper/catalog"+query, "")
	wantNoList(f)
	if got := strings.Count(f.Log.String(), `"route":"`+path+`"`); got != sent {
		t.Errorf("%d of %d requests were logged as of %s", got, sent, path)
	}
	if rows := f.Column("SELECT count(*) FROM requests"); len(rows) != 1 || rows[0] != "0" {
		t.Errorf("the billing log has %v rows", rows)
	}
}

// TestListPanic panics with a value made of the list. The value is not logged.
func TestListPanic(t *testing.T) {
	t.Parallel()
	f, _ := apitest.ServeCopy(t)
	f.Snapshots.Current().Projection = func() *compare.Projection {
		panic(fmt.Sprintf("no chain of charlottetown has %v", []string{"7x0.75", "11x3.25"}))
	}
	const body = `{"city":"charlottetown","items":[{"id":7,"qty":0.750000}]}`
	for what, r := range map[string]*apitest.Response{
		"GET": f.Get("/api/shopper/compare?city=charlottetown&items=7x0.750000,11x3.250000", ""), "POST": f.Post("/api/shopper/compare", body),
		"form": f.PostForm("/shopper", goodForm), "catalog": f.Get("/api/shopper/catalog", ""),
	} {
		apitest.WantError(t, what, r, http.StatusInternalServerError, "internal_error")
	}
	wantNoList(f)
	log := f.Log.String()
	if strings.Count(log, `"msg":"panic"`) != 4 || !strings.Contains(log, "shopper") || !strings.Contains(log, "a string, which is not shown") {
		t.Errorf("what panicked, and where, is not in the log: %s", log)
	}
	if got := f.Metric("larder_panics_total"); got != "4" {
		t.Errorf("%s panics were counted", got)
	}
}
