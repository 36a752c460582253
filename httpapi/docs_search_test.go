package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestDocsSearch searches the documentation in both languages.
func TestDocsSearch(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	for path, first := range map[string]string{
		"/docs/search?q=trim":                                 `"/methodology#the-trim"`,
		"/docs/search?q=RETRY-after":                          `"/docs/api#programs"`,
		"/fr/docs/search?q=systemd":                           `"/fr/docs/operations#install"`,
		"/docs/search?q=":                                     "",
		"/docs/search":                                        "",
		"/docs/search?q=trim+" + strings.Repeat("a", 200):     "", // most of it counts
		"/docs/search?q=" + strings.Repeat("+", 200) + "trim": "",
		"/docs/search?q=xyzzy":                                "",
	} {
		r := f.Get(path, "")
		apitest.WantStatus(t, r, http.StatusOK)
		body := r.JSON(t)
		if got := at(body, "found.0.path"); first != "" && got != first || first == "" && string(r.Content) != `{"found":[]}`+"\n" {
			t.Errorf("%s: first is %s: %s", path, got, r.Content)
		}
	}
}
