package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

func TestMain(m *testing.M) { os.Exit(apitest.Run(m)) }

// resource is an address and the name of its rows.
type resource struct{ path, rows string }

var (
	publicIndexResource = resource{"/api/public/index", "observations"}
	indexResource       = resource{"/api/v1/index", "observations"}
	pricesResource      = resource{"/api/v1/prices", "observations"}
	regularResource     = resource{"/api/v1/companions/regular", "observations"}
	coverageResource    = resource{"/api/v1/coverage", "cells"}
)

const absent = "(absent)"

// at returns the JSON text at a path.
func at(v any, path string) string {
	for step := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = x[step]; !ok {
				return absent
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(x) {
				return absent
			}
			v = x[i]
		default:
			return absent
		}
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// walked is the result of following next_offset to the end.
type walked struct {
	rows                 []json.RawMessage
	identity, quarantine int // rows that the gate drops
}

// walk follows next_offset from the first page to the last. query has no limit and no offset. limit returns the length
// of the next page.
func (x resource) walk(f *apitest.Server, key, query string, limit func() int) (all walked) {
	t := f.T
	t.Helper()
	for offset := 0; ; {
		n := limit()
		url := fmt.Sprintf("%s?%s&limit=%d&offset=%d", x.path, query, n, offset)
		var r *apitest.Response
		if offset == 0 {
			r = f.Get(url, key)
		} else { // there are many
			r = page(f, url, key, "")
		}
		if r.StatusCode != 200 {
			t.Fatalf("%s: %d %s", url, r.StatusCode, r.Content)
		}
		var page map[string]json.RawMessage
		var meta struct {
			Limit, Offset, Count int
			HasMore              bool `json:"has_more"`
			NextOffset           *int `json:"next_offset"`
			Identity             int  `json:"filtered_identity"`
			Quarantine           int  `json:"filtered_quarantine"`
		}
		var rows []json.RawMessage
		check(json.Unmarshal(r.Content, &page))
		check(json.Unmarshal(page["meta"], &meta))
		check(json.Unmarshal(page[x.rows], &rows))
		if meta.Count != len(rows) || meta.Offset != offset || meta.Limit != n || meta.HasMore != (meta.NextOffset != nil) ||
			meta.HasMore && (len(rows)+meta.Identity+meta.Quarantine != n || *meta.NextOffset != offset+n) {
			t.Fatalf("%s: meta %+v with %d rows", url, meta, len(rows))
		}
		all.rows = append(all.rows, rows...)
		all.identity += meta.Identity
		all.quarantine += meta.Quarantine
		if !meta.HasMore {
			return all
		}
		offset = *meta.NextOffset
	}
}

// page asks for a page, or posts a body, without a connection and a look at the OpenAPI document.
func page(f *apitest.Server, url, key, body string) *apitest.Response {
	r, w := httptest.NewRequest(http.MethodGet, url, http.NoBody), httptest.NewRecorder()
	if body != "" {
		r = httptest.NewRequest(http.MethodPost, url, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		key = ""
	}
	r.Header.Set("Authorization", "Bearer "+key)
	f.API.Handler().ServeHTTP(w, r)
	got := w.Result() //nolint:bodyclose // it is in memory
	got.Request = r
	return &apitest.Response{Response: got, Content: w.Body.Bytes()}
}

// sameRows compares rows byte by byte.
func sameRows(t *testing.T, got, want []json.RawMessage) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range got {
		if string(got[i]) != string(want[i]) {
			t.Fatalf("row %d is %s, want %s", i, got[i], want[i])
		}
	}
}

// must returns the result of a call that works, or panics.
func must[T any](x T, err error) T {
	check(err)
	return x
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
