package httpapi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestForms asks for every kind of answer in every form. HEAD has the headers of GET. A
// packed body unpacks to the plain one and is smaller. A tag is taken back in every
// spelling that RFC 9110 knows, but only for a good query. A licensed answer is billed by
// its length, and HEAD by nothing.
func TestForms(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	key := f.Key(state.Professional)
	session := apitest.WithCookie(f.SignIn(key))
	rows := len(publicIndexResource.walk(f, key, "", func() int { return 8000 }).rows)
	type form struct {
		path, key string
		change    []apitest.Change
		tagged    bool
	}
	all := []form{
		{"/api/shopper/compare" + goodQuery, "", nil, false}, {"/account/session", "", []apitest.Change{session}, false},
		{"/account/shrinkflation", "", []apitest.Change{session}, true},
	}
	for _, path := range []string{"/openapi.json", "/llms.txt", "/api/shopper/catalog"} {
		all = append(all, form{path, "", nil, true})
	}
	for _, p := range allPages(f) {
		change := []apitest.Change{}
		if strings.HasSuffix(p.name, "signed in") {
			change = append(change, session)
		}
		personal := len(change) > 0 || p.path == "/account" || p.path == "/fr/account" || p.path == "/why"
		all = append(all, form{p.path, "", change, !personal})
	}
	for _, path := range []string{"/api/v1/index", "/api/v1/prices?limit=20", "/api/v1/products", "/api/v1/shrinkflation"} {
		all = append(all, form{path, key, nil, true})
	}
	// A page of the index is sent straight from the snapshot, also at its edges.
	for _, query := range []string{"", "?limit=8000", "?limit=1", "?limit=7&offset=13", fmt.Sprint("?offset=", rows-3), fmt.Sprint("?offset=", rows), "?from=2026-11-20&to=2026-11-01"} {
		all = append(all, form{"/api/public/index" + query, key, nil, true})
	}
	for _, x := range all {
		t.Run(x.path, func(t *testing.T) {
			f := f.For(t)
			get := func(change ...apitest.Change) *apitest.Response {
				return f.Get(x.path, x.key, append(change, x.change...)...)
			}
			before := billed(t, f)
			plain := get()
			apitest.WantStatus(t, plain, http.StatusOK)
			head := f.Do(http.MethodHead, x.path, x.key, "", x.change...)
			for name := range plain.Header {
				if strings.HasPrefix(name, "X-R") || strings.HasPrefix(name, "Ratelimit") || name == "Date" {
					continue // of the request and the limits
				}
				if head.Header.Get(name) != plain.Header.Get(name) {
					t.Errorf("HEAD: %s is %q, of GET %q", name, head.Header.Get(name), plain.Header.Get(name))
				}
			}
			if len(head.Content) > 0 || head.ContentLength != int64(len(plain.Content)) {
				t.Errorf("HEAD: %d bytes, length %d of %d", len(head.Content), head.ContentLength, len(plain.Content))
			}
			if got := billed(t, f) - before; x.key != "" && got != int64(len(plain.Content)) {
				t.Errorf("%d bytes were billed, not %d", got, len(plain.Content))
			}
			packed := get(apitest.Header("Accept-Encoding", "gzip"))
			body, err := packed.Plain()
			long := len(plain.Content) > 1024
			if err != nil || !bytes.Equal(body, plain.Content) || long != (packed.Header.Get("Content-Encoding") == "gzip") ||
				long && (len(packed.Content) >= len(plain.Content) || !strings.Contains(plain.Header.Get("Vary"), "Accept-Encoding")) {
				t.Errorf("packed, %d of %d bytes: %v, %v", len(packed.Content), len(plain.Content), err, packed.Header)
			}
			tag := plain.Header.Get("ETag")
			if (tag != "") != x.tagged {
				t.Fatalf("ETag %q", tag)
			}
			if !x.tagged {
				return
			}
			for have, status := range map[string]int{
				tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, strings.Trim(tag, `W/"`): 200,
			} {
				if r := get(apitest.Header("If-None-Match", have)); r.StatusCode != status || r.Header.Get("ETag") != tag || status == 304 && len(r.Content) > 0 {
					t.Errorf("If-None-Match %s: %d, want %d", have, r.StatusCode, status)
				}
			}
			if x.key != "" && !strings.Contains(x.path, "?") {
				apitest.WantStatus(t, f.Get(x.path+"?nonsense=1", x.key, apitest.Header("If-None-Match", "*")), http.StatusBadRequest)
			}
		})
	}
}

// billed returns the bytes that were billed to all keys.
func billed(t *testing.T, f *apitest.Server) (bytes int64) {
	t.Helper()
	all := must(f.State.Usage(t.Context(), state.MonthOf(apitest.Now), 0))
	for _, u := range all {
		bytes += u.Bytes
	}
	return bytes
}
