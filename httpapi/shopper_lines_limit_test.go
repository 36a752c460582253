package httpapi

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestShopperLinesLimit uses up one minute at both addresses.
func TestShopperLinesLimit(t *testing.T) {
	f := serveDemo(t, func(c *Config) { c.ShopperPerMinute = 8 })
	for n, r := range []*response{
		f.post(pathLines, goodList), f.post(pathCompare, goodList), f.post(pathLines, "nonsense"), f.get(pathCompare+"?city=toronto&items=1", ""),
		f.post(pathLines+"?x", goodList), f.post(pathLines, goodList, header("Content-Type", "text/plain")), f.post(pathLines, padded(8193)), f.post(pathLines, goodList),
	} {
		if got, want := r.Header.Get("RateLimit"), fmt.Sprintf(`"minute";r=%d;`, 7-n); !strings.HasPrefix(got, want) || r.Header.Get("X-RateLimit-Limit") != "8" {
			t.Errorf("request %d: %s, want %s", n, got, want)
		}
	}
	lines, compared := f.post(pathLines, goodList), f.post(pathCompare, goodList)
	wantShopperError(t, "used up", lines, http.StatusTooManyRequests, "rate_limited")
	wantSameAnswer(t, lines, compared)
	if got := f.metric(`larder_limited_requests_total{limit="shopper_minute"}`); got != "2" {
		t.Errorf("%s requests were counted as refused for the limit", got)
	}
	f.clock.Advance(8 * time.Second)
	wantStatus(t, f.post(pathLines, goodList), http.StatusOK)
	wantStatus(t, f.post(pathCompare, goodList), http.StatusTooManyRequests)
}

// TestShopperLinesOrder makes sure of the order in which refusals are looked for:
// 405, 403, 429, 415, 413, 400, 503.
func TestShopperLinesOrder(t *testing.T) {
	f := serveSnapshot(t, filepath.Join(t.TempDir(), "none.db"), func(c *Config) { c.ShopperPerMinute = 9 })
	big, text, other := strings.Repeat("x", 9000), header("Content-Type", "text/plain"), header("Origin", "https://evil.example")
	for _, c := range []struct {
		name   string
		got    *response
		status int
		code   string
	}{
		{"another site before type", f.post(pathLines, big, text, other), 403, "cross_site"},
		{"type before size", f.post(pathLines, big, text), 415, "unsupported_media_type"},
		{"type before the query", f.post(pathLines+"?x", goodList, text), 415, "unsupported_media_type"},
		{"size before JSON", f.post(pathLines, big), 413, "body_too_large"},
		{"size before the query", f.post(pathLines+"?x", big), 413, "body_too_large"},
		{"the query before JSON", f.post(pathLines+"?city=toronto", "{"), 400, "unknown_parameter"},
		{"JSON before the snapshot", f.post(pathLines, "{"), 400, "invalid_json"},
		{"quantity before the snapshot", f.post(pathLines, `{"city":"toronto","items":[{"id":1,"qty":21}]}`), 400, "invalid_quantity"},
		{"no snapshot for a city that may be none", f.post(pathLines, `{"city":"springfield","items":[{"id":1,"qty":2}]}`), 503, "data_unavailable"},
		{"no snapshot", f.post(pathLines, goodList), 503, "data_unavailable"},
		{"the limit before all", f.post(pathLines, big, text), 429, "rate_limited"},
		{"another site before the limit", f.post(pathLines, goodList, other), 403, "cross_site"},
		{"the method before the limit", f.do(http.MethodPut, pathLines, "", big, text, other), 405, "method_not_allowed"},
	} {
		wantShopperError(t, c.name, c.got, c.status, c.code)
	}
}

// TestShopperLinesOverloaded asks while as many comparisons are being made as may
// be: both addresses take from the same places.
func TestShopperLinesOverloaded(t *testing.T) {
	f := serveDemo(t)
	for range maxComparing {
		f.server.comparing <- struct{}{}
	}
	r := f.post(pathLines, goodList)
	wantShopperError(t, "overloaded", r, http.StatusServiceUnavailable, "overloaded")
	wantSameAnswer(t, r, f.post(pathCompare, goodList))
	wantShopperError(t, "overloaded, and refused", f.post(pathLines, "{}"), http.StatusBadRequest, "invalid_body")
	<-f.server.comparing
	for range 3 { // each gives its place back, refused or not
		wantStatus(t, f.post(pathLines, goodList), http.StatusOK)
		wantStatus(t, f.post(pathLines, `{"city":"springfield","items":[{"id":1,"qty":1}]}`), http.StatusBadRequest)
	}
}

// TestShopperLinesAreKeptNowhere sends lists in all ways, good and refused, and
// looks for them in all that is written.
func TestShopperLinesAreKeptNowhere(t *testing.T) {
	f := serveDemo(t, func(c *Config) { c.ShopperPerMinute = 12 })
	const query = "?city=charlottetown&items=7x0.750000,11x3.250000"
	const body = `{"city":"charlottetown","items":[{"id":7,"qty":0.750000},{"id":11,"qty":3.250000}]`
	f.post(pathCompare, body+"}")
	sent := 0
	for _, first := range []int{http.StatusOK, http.StatusTooManyRequests} { // then the minute is used up
		all := []*response{
			f.post(pathLines, body+"}"), f.post(pathLines, body+`,"stores":["northlarch","nosuchchain"]}`), f.post(pathLines, body), f.post(pathLines, body+`,"sesame":1}`),
			f.post(pathLines, body+"}sesame"), f.post(pathLines+query, body+"}"), f.post(pathLines, body+"}", header("Content-Type", "text/sesame")),
			f.post(pathLines, body+"}", header("Content-Encoding", "sesame")), f.post(pathLines, body+strings.Repeat("\n", 9000)+"}"),
			f.post(pathLines, "x", chunked(body+strings.Repeat("\n", 9000)+"}")), f.post(pathLines, strings.Replace(body, "charlottetown", "nosuchtown", 1)+"}"),
			f.get(pathLines+query, ""), f.do(http.MethodOptions, pathLines+query, "", ""), f.do(http.MethodPut, pathLines+query, "", body),
			f.post(pathLines+query, body+"}", header("Origin", "https://sesame.example")),
			f.post(pathLines, body+"}", header("Referer", "https://larder.example/shopper#city=charlottetown&items=7x0.75"), header("User-Agent", "sesame")),
		}
		wantStatus(t, all[0], first)
		sent += len(all)
	}
	f.wantNoList()
	if got := strings.Count(f.log.String(), `"route":"/shopper/lines"`); got != sent {
		t.Errorf("%d of %d requests were logged as of the lines", got, sent)
	}
	if got := f.metric(`larder_http_requests_total{class="2xx",route="/shopper/lines"}`); got != "1" {
		t.Errorf("%s answers were counted", got)
	}
	if rows := f.column("SELECT count(*) FROM requests"); len(rows) != 1 || rows[0] != "0" {
		t.Errorf("the billing log has %v rows", rows)
	}
}

// TestShopperLinesPanic panics with the list.
func TestShopperLinesPanic(t *testing.T) {
	f := serveDemo(t)
	f.snapshots.Current().shopper = func() *shopperData {
		panic(fmt.Sprintf("no chain of charlottetown has %v", []string{"7x0.75", "11x3.25"}))
	}
	const body = `{"city":"charlottetown","items":[{"id":7,"qty":0.750000}]}`
	r := f.post(pathLines, body)
	wantShopperError(t, "a panic", r, http.StatusInternalServerError, "internal_error")
	wantSameAnswer(t, r, f.post(pathCompare, body))
	f.wantNoList()
	if log := f.log.String(); strings.Count(log, `"msg":"panic"`) != 2 || !strings.Contains(log, "shopper_lines.go") {
		t.Errorf("what panicked, and where, is not in the log: %s", log)
	}
	if len(f.server.comparing) != 0 {
		t.Errorf("%d places were not given back", len(f.server.comparing))
	}
}
