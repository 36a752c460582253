package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel/sqlite"
)

// manyComparisons lets a test compare as often as it needs.
func manyComparisons(c *Config) { c.ShopperPerMinute = 1_000_000 }

// reference is the projection of the demo snapshot, made beside the server.
var reference = sync.OnceValue(func() *compare.Projection {
	_, db := demo()
	return referenceOf(db)
})

func referenceOf(db string) *compare.Projection {
	all, err := sqlite.LoadAll(context.Background(), db)
	if err != nil {
		panic(err)
	}
	return compare.NewProjection(all.Panel, all.Rows)
}

// expected is the body that package compare makes of a list.
func expected(t testing.TB, p *compare.Projection, list compare.Request, now time.Time) []byte {
	t.Helper()
	result, err := compare.Evaluate(p, list, now)
	if err != nil {
		t.Fatal(err)
	}
	return result.WithLinks("https://larder.example").AppendJSON(nil)
}

// listFrom makes a list of its textual form.
func listFrom(t testing.TB, city, items string, stores ...string) compare.Request {
	t.Helper()
	list, err := compare.ParseItems(items)
	if err != nil {
		t.Fatal(err)
	}
	return compare.Request{City: city, Items: list, Stores: stores}
}

// bodyOf is a list as POST sends it.
func bodyOf(t testing.TB, list compare.Request) string {
	t.Helper()
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// queryOf is a list as GET sends it.
func queryOf(list compare.Request) string {
	query := "?city=" + list.City + "&items=" + compare.FormatItems(list.Items)
	if len(list.Stores) > 0 {
		query += "&stores=" + strings.Join(list.Stores, ",")
	}
	return query
}

// chunked sends a body without saying how long it is.
func chunked(body string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength, r.GetBody = io.NopCloser(strings.NewReader(body)), -1, nil
	}
}

// wantShopperError checks that a response is a refusal in the form of the
// comparison: the documented members and no others.
func wantShopperError(t testing.TB, what string, got *response, status int, code string) {
	t.Helper()
	var body struct {
		Error *struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		CatalogURL string `json:"catalogUrl"`
	}
	d := json.NewDecoder(bytes.NewReader(got.body))
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil || body.Error == nil {
		t.Errorf("%s: %d %q: %v", what, got.StatusCode, got.body, err)
		return
	}
	if got.StatusCode != status || body.Error.Code != code || body.Error.Message == "" || body.CatalogURL != "https://larder.example/api/shopper/catalog" {
		t.Errorf("%s: %d %s, want %d %s", what, got.StatusCode, got.body, status, code)
	}
	h, open := got.Header, "*"
	if u := got.Request.URL; u != nil && u.Path == pathLines {
		open = ""
	}
	if h.Get("Content-Type") != jsonType || h.Get("Cache-Control") != "no-store" || h.Get("Access-Control-Allow-Origin") != open || len(h.Get("X-Request-Id")) != 24 {
		t.Errorf("%s: %v", what, h)
	}
	if retry := h.Get("Retry-After"); (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable) != (retry != "") {
		t.Errorf("%s: Retry-After is %q with %d", what, retry, status)
	}
}

// shopperExamples are the examples of the OpenAPI document.
func shopperExamples(t *testing.T) map[string]*response {
	f := serveDemo(t, func(c *Config) { c.ShopperPerMinute = 4 })
	const path = pathCompare
	examples := map[string]*response{
		"shopper-catalog":                 f.get(pathCatalog, ""),
		"shopper-lowest":                  f.post(path, `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5},{"id":12,"qty":1}],"stores":["northlarch","tillbrook","pennywold"]}`),
		"shopper-insufficient":            f.post(path, `{"city":"charlottetown","items":[{"id":2,"qty":1},{"id":9,"qty":0.25},{"id":21,"qty":0.25}]}`),
		"shopper-error-missing-parameter": f.get(path+"?city=toronto", ""),
		"shopper-error-invalid-quantity":  f.post(path, `{"city":"toronto","items":[{"id":1,"qty":0.5}]}`),
	}
	examples["shopper-error-rate-limited"] = f.get(path, "")
	examples["shopper-lines"] = serveDemo(t).post(pathLines, `{"city":"toronto","items":[{"id":1,"qty":2},{"id":9,"qty":0.5},{"id":12,"qty":1}],"stores":["nickelbasket","northlarch","bigfathom"]}`)
	return examples
}
