package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

const pathSearch = "/shopper/search"

// TestSearch looks up a pasted list, line by line.
func TestSearch(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	r := f.Post(pathSearch, `{"text":"- 2 dozen eggs\nham\n1,5 kg de poulet"}`)
	apitest.WantStatus(t, r, http.StatusOK)
	var body struct {
		Found []struct {
			Text, Status string
			Matches      []struct {
				ID  int
				Qty *json.Number
			}
		}
		More *int
	}
	if err := json.Unmarshal(r.Content, &body); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(*body.More)
	for _, x := range body.Found {
		got += fmt.Sprintf("|%s %s", x.Text, x.Status)
		for _, m := range x.Matches {
			got += fmt.Sprintf(" %dx%s", m.ID, *m.Qty)
		}
	}
	if want := "0|2 dozen eggs one 2x2|ham not_compared|1,5 kg de poulet one 7x1.5"; got != want {
		t.Errorf("%s is found, not %s", got, want)
	}
	if h := r.Header; h.Get("Cache-Control") != "no-store" || h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("headers %v", h)
	}
}

// TestSearchRefused sends what is refused. The text is in no log.
func TestSearchRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 1 })
	const text = `{"text":"sesame"}`
	for _, c := range []struct {
		name   string
		got    *apitest.Response
		status int
		code   string
	}{
		{"GET", f.Get(pathSearch+"?text=sesame", ""), 405, "method_not_allowed"},
		{"another site", f.Post(pathSearch, text, apitest.Header("Origin", "https://evil.example")), 403, "cross_site"},
		{"another site, as browsers say", f.Post(pathSearch, text, apitest.Header("Sec-Fetch-Site", "cross-site")), 403, "cross_site"},
		{"type", f.Post(pathSearch, text, apitest.Header("Content-Type", "text/plain")), 415, "unsupported_media_type"},
		{"long", f.Post(pathSearch, `{"text":"`+strings.Repeat("sesame ", 1000)+`"}`), 413, "body_too_large"},
		{"JSON", f.Post(pathSearch, `{"text":"sesame`), 400, "invalid_json"},
		{"member", f.Post(pathSearch, `{"sesame":"x"}`), 400, "invalid_body"},
		{"kind", f.Post(pathSearch, `{"text":["sesame"]}`), 400, "invalid_body"},
	} {
		apitest.WantError(t, c.name, c.got, c.status, c.code)
	}
	for range 5 {
		apitest.WantStatus(t, f.Post(pathSearch, text), http.StatusOK)
	}
	apitest.WantError(t, "the eleventh", f.Post(pathSearch, text), http.StatusTooManyRequests, "rate_limited")
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList), http.StatusOK) // has a minute of its own
	for place, content := range f.Written() {
		if strings.Contains(string(content), "sesame") {
			t.Errorf("%s holds the text", place)
		}
	}
	none := apitest.ServeFile(t, t.TempDir()+"/none.db")
	apitest.WantError(t, "no snapshot", none.Post(pathSearch, text), http.StatusServiceUnavailable, "data_unavailable")
}
