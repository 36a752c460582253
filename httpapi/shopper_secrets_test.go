package httpapi

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// The parts of the lists that are sent below, each as it is sent and as the
// answers repeat it.
var listParts = []string{
	"7x0.75", "0.750000", "11x3.25", "3.250000", "charlottetown", "tillbrook", "northlarch", "nosuchtown", "nosuchchain", "sesame", "items=", "city=",
	`"qty"`, `\"qty\"`, "#city", "7,11",
}

// everything returns all that the server has written: its log, its state and its
// metrics.
func (f *fixture) everything() map[string][]byte {
	f.t.Helper()
	places := map[string][]byte{"the log": []byte(f.log.String())}
	for _, end := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(f.statePath + end)
		if err != nil && !os.IsNotExist(err) {
			f.t.Fatal(err)
		}
		places["the state"+end] = content
	}
	places["the metrics"] = f.admin(http.MethodGet, "/metrics").body
	return places
}

// wantNoList checks that nothing written holds a part of the lists.
func (f *fixture) wantNoList() {
	f.t.Helper()
	places := f.everything()
	if len(places["the state"])+len(places["the state-wal"]) < 10_000 || !bytes.Contains(places["the metrics"], []byte(pathCompare)) {
		f.t.Fatal("the state file or the metrics were not read")
	}
	for place, content := range places {
		for _, part := range listParts {
			if i := bytes.Index(content, []byte(part)); i >= 0 {
				f.t.Errorf("%s holds %s: %q", place, part, content[max(0, i-200):min(len(content), i+100)])
			}
		}
	}
}

// TestShopperListIsKeptNowhere sends lists in all ways, good and refused, and
// looks for them in all that is written.
func TestShopperListIsKeptNowhere(t *testing.T) {
	f := serveDemo(t, func(c *Config) { c.ShopperPerMinute = 19 })
	const query = "?city=charlottetown&items=7x0.750000,11x3.250000"
	const body = `{"city":"charlottetown","items":[{"id":7,"qty":0.750000},{"id":11,"qty":3.250000}]`
	send := func(first int) (n int) {
		t.Helper()
		all := []*response{
			f.get(pathCompare+query, ""), f.do(http.MethodHead, pathCompare+query, "", ""), f.post(pathCompare, body+"}"),
			f.get(pathCompare+query+"&stores=tillbrook,nosuchchain", ""), f.post(pathCompare, body+`,"stores":["northlarch","nosuchchain"]}`),
			f.get(pathCompare+query+"&sesame=1", ""), f.get(pathCompare+query+"&city=nosuchtown", ""), f.get(pathCompare+query+"&items=%zz", ""),
			f.post(pathCompare, body), f.post(pathCompare, body+`,"sesame":1}`), f.post(pathCompare, body+"}sesame"), f.post(pathCompare+query, body+"}"),
			f.post(pathCompare, body+"}", header("Content-Type", "text/sesame")), f.post(pathCompare, body+"}", header("Content-Encoding", "sesame")),
			f.post(pathCompare, body+strings.Repeat("\n", 9000)+"}"), f.post(pathCompare, "x", chunked(body+strings.Repeat("\n", 9000)+"}")),
			f.get(pathCompare+"?city=nosuchtown&items=7x0.750000", "", header("Referer", "https://larder.example/shopper#city=charlottetown&items=7x0.75")),
			f.get(pathCompare+"?city=tillbrook&items=7x0.750000", "", header("User-Agent", "sesame")),
			f.do(http.MethodOptions, pathCompare+query, "", ""), f.do(http.MethodPut, pathCompare+query, "", body), f.get("/api/shopper/sesame"+query, ""), f.get(pathCatalog+query, ""),
			f.post(pathCompare, body+"}", header("Authorization", "Bearer "+f.key(state.Standard))),
		}
		wantStatus(t, all[0], first)
		return len(all)
	}
	n := send(http.StatusOK) + send(http.StatusTooManyRequests) // the minute is used up
	f.wantNoList()
	log := f.log.String()
	if got := strings.Count(log, `"route":"/api/shopper/compare"`); got != n-4 { // all but the catalog and what is not there
		t.Errorf("%d of %d requests were logged as comparisons", got, n)
	}
	if rows := f.column("SELECT count(*) FROM requests"); len(rows) != 1 || rows[0] != "0" {
		t.Errorf("the billing log has %v rows", rows)
	}
}

// TestShopperPanicTellsNothing panics with the list, before and after the answer
// has begun.
func TestShopperPanicTellsNothing(t *testing.T) {
	f := serveDemo(t)
	f.snapshots.Current().shopper = func() *shopperData {
		panic(fmt.Sprintf("no chain of charlottetown has %v", []string{"7x0.75", "11x3.25"}))
	}
	const query = "?city=charlottetown&items=7x0.750000,11x3.250000"
	wantShopperError(t, "GET", f.get(pathCompare+query, ""), http.StatusInternalServerError, "internal_error")
	wantShopperError(t, "POST", f.post(pathCompare, `{"city":"charlottetown","items":[{"id":7,"qty":0.750000}]}`), http.StatusInternalServerError, "internal_error")
	wantShopperError(t, "catalog", f.get(pathCatalog, ""), http.StatusInternalServerError, "internal_error")
	f.wantNoList()
	log := f.log.String()
	if strings.Count(log, `"msg":"panic"`) != 3 || !strings.Contains(log, "shopper_compare.go") || !strings.Contains(log, "a string, which is not shown") {
		t.Errorf("what panicked, and where, is not in the log: %s", log)
	}
	if got := f.metric("larder_panics_total"); got != "3" {
		t.Errorf("%s panics were counted", got)
	}
	// What has begun is cut off.
	x := &shopper{f.server}
	guarded := x.guard(func(w http.ResponseWriter, r *http.Request) error {
		w.WriteHeader(http.StatusOK)
		panic("7x0.75")
	})
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // it is the value itself
			t.Errorf("it ends with %v", p)
		}
		f.wantNoList()
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	guarded(&seenWriter{ResponseWriter: discard{}}, r) //nolint:errcheck // it does not get so far
	t.Error("the panic is lost")
}

// discard is where responses go that nobody looks at.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}
