package httpapi_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestMain(m *testing.M) { os.Exit(apitest.Run(m, true)) }

// scenario is one request and the answer that it must have.
type scenario struct {
	name   string
	query  string
	status int               // 0: 200
	has    map[string]string // JSON texts by path, such as meta.filters.from
	lacks  []string          // paths that must not be there
	rows   string            // how many rows: "some", "none" or empty for either
	each   func(row map[string]any) bool
}

// resource is an address and the name of its rows.
type resource struct{ path, rows string }

var (
	publicIndexResource   = resource{"/api/public/index", "observations"}
	indexResource         = resource{"/api/v1/index", "observations"}
	pricesResource        = resource{"/api/v1/prices", "observations"}
	productsResource      = resource{"/api/v1/products", "products"}
	regularResource       = resource{"/api/v1/companions/regular", "observations"}
	linkedResource        = resource{"/api/v1/companions/linked", "observations"}
	coverageResource      = resource{"/api/v1/coverage", "cells"}
	shrinkflationResource = resource{"/api/v1/shrinkflation", "events"}
)

// play asks for every scenario with a key of a tier.
func (x resource) play(t *testing.T, f *apitest.Server, tier state.Tier, list []scenario) {
	key := f.Key(tier)
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			f := f.For(t)
			r := f.Get(x.path+x.short(&c), key)
			if want := cmp.Or(c.status, http.StatusOK); r.StatusCode != want {
				t.Fatalf("%s: status %d, want %d: %.300s", c.query, r.StatusCode, want, r.Content)
			}
			v := r.JSON(t)
			for path, want := range c.has {
				if got := at(v, path); got != want {
					t.Errorf("%s: %s is %s, want %s", c.query, path, got, want)
				}
			}
			for _, path := range c.lacks {
				if got := at(v, path); got != absent {
					t.Errorf("%s: has %s: %s", c.query, path, got)
				}
			}
			rows, _ := v[x.rows].([]any)
			if c.rows == "some" && len(rows) == 0 || c.rows == "none" && (v[x.rows] == nil || len(rows) > 0) {
				t.Errorf("%s: %d rows, want %s", c.query, len(rows), c.rows)
			}
			for _, row := range rows {
				if c.each != nil && !c.each(row.(map[string]any)) {
					t.Fatalf("%s: has the row %v", c.query, row)
				}
			}
			if got := at(v, "meta.count"); r.StatusCode == http.StatusOK && got != strconv.Itoa(len(rows)) {
				t.Errorf("%s: count is %s of %d rows", c.query, got, len(rows))
			}
			if r.StatusCode != http.StatusOK {
				apitest.WantError(t, c.query, r, c.status, v["code"].(string))
			}
		})
	}
}

// short asks for a short page, except in scenarios of the length.
func (x resource) short(c *scenario) string {
	switch {
	case x == productsResource, strings.Contains(c.query, "limit"), c.has["meta.limit"] != "":
		return c.query
	case c.query == "":
		return "?limit=300"
	}
	return c.query + "&limit=300"
}

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

// escape writes a query whose values hold spaces and apostrophes.
func escape(query string) string {
	return strings.NewReplacer(" ", "%20", "'", "%27").Replace(query)
}

// refused makes scenarios of requests that are 400 for one parameter.
func refused(parameter string, values ...string) (list []scenario) {
	for _, v := range values {
		list = append(list, scenario{
			name: fmt.Sprintf("%s %q is refused", parameter, v), query: "?" + url.Values{parameter: {v}}.Encode(), status: 400,
			has: map[string]string{"code": `"invalid_parameter"`, "parameter": strconv.Quote(parameter)},
		})
	}
	return list
}

// window holds the scenarios of from, to, limit and offset at every paged resource.
func window(usual, most int) []scenario {
	text := strconv.Itoa
	list := slices.Concat(
		refused("from", "2026-13-01", "2026-02-30", "2026-8-1", "20260801", "yesterday", "2026-08-01T00:00:00Z", " 2026-08-01"),
		refused("to", "2026-13-01", "2026-11-31", "26-11-01", "today", "-1"),
		refused("limit", "0", "-1", "1.5", "1e3", "+5", "ten", " 5", "0x10", "\u0665"),
		refused("offset", "-1", "1.5", "1e3", "+5", "first"),
		refused("form", "2026-08-01"), refused("Limit", "5"), refused("api_key", "x"),
	)
	return append(list,
		scenario{name: "limit and offset by default", has: map[string]string{"meta.limit": text(usual), "meta.offset": "0"}, rows: "some"},
		scenario{name: "to is today by default", has: map[string]string{"meta.filters.to": `"2026-11-20"`}},
		scenario{name: "limit at the cap", query: "?limit=" + text(most), has: map[string]string{"meta.limit": text(most)}},
		scenario{name: "limit above the cap", query: "?limit=" + text(most+1), has: map[string]string{"meta.limit": text(most)}},
		scenario{name: "limit far above the cap", query: "?limit=99999999999999999999999", has: map[string]string{"meta.limit": text(most)}},
		scenario{
			name: "a small limit", query: "?limit=1&offset=2",
			has: map[string]string{"meta.limit": "1", "meta.offset": "2", "meta.has_more": "true", "meta.next_offset": "3"},
		},
		scenario{
			name: "offset past the end", query: "?offset=10000000", rows: "none",
			has: map[string]string{"meta.count": "0", "meta.has_more": "false", "meta.next_offset": "null", "meta.offset": "10000000"},
		},
		scenario{
			name: "offset far past the end", query: "?offset=99999999999999999999999", rows: "none",
			has: map[string]string{"meta.count": "0", "meta.has_more": "false", "meta.next_offset": "null"},
		},
		scenario{
			name: "from after to", query: "?from=2026-11-01&to=2026-10-01", rows: "none",
			has: map[string]string{"meta.filters.from": `"2026-11-01"`, "meta.filters.to": `"2026-10-01"`, "meta.has_more": "false", "meta.next_offset": "null"},
		},
		scenario{name: "the first days there are", query: "?to=0001-01-01", rows: "none"},
		scenario{name: "the last days there are", query: "?from=9999-12-31", rows: "none"},
		scenario{name: "all days there are", query: "?from=0001-01-01&to=9999-12-31", rows: "some"},
		scenario{name: "an empty value is none", query: "?from=&to=&limit=&offset=&banner=", has: map[string]string{"meta.limit": text(usual), "meta.filters.banner": `"all"`}, rows: "some"},
		scenario{name: "a parameter twice", query: "?limit=5&limit=5", status: 400, has: map[string]string{"parameter": `"limit"`}},
		scenario{name: "no query at all", query: "?limit=%zz", status: 400, has: map[string]string{"code": `"invalid_parameter"`}},
		scenario{name: "parted by semicolons", query: "?limit=5;offset=5", status: 400},
	)
}

// walked is the result of following next_offset to the end.
type walked struct {
	rows                 []json.RawMessage
	requests             int
	raw                  int // rows walked, those that the gate drops included
	identity, quarantine int
}

// walk follows next_offset from the first page to the last. query has no limit and no
// offset. limit returns the length of the next page. between is called before each page
// but the first, with the number of rows walked.
func (x resource) walk(f *apitest.Server, key, query string, limit func() int, between func(raw int)) walked {
	t := f.T
	t.Helper()
	var all walked
	for offset := 0; ; all.requests++ {
		if all.requests > 0 && between != nil {
			between(all.raw)
		}
		n := limit()
		url := x.path + "?" + query + "&limit=" + strconv.Itoa(n) + "&offset=" + strconv.Itoa(offset)
		r := page(f, url, key, all.requests == 0)
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
		for _, part := range []struct {
			text func() json.RawMessage
			to   any
		}{
			{func() json.RawMessage { return r.Content }, &page},
			{func() json.RawMessage { return page["meta"] }, &meta},
			{func() json.RawMessage { return page[x.rows] }, &rows},
		} {
			if err := json.Unmarshal(part.text(), part.to); err != nil {
				t.Fatalf("%s: %v", url, err)
			}
		}
		raw := len(rows) + meta.Identity + meta.Quarantine
		switch {
		case meta.Count != len(rows), meta.Offset != offset, meta.Limit != n:
			t.Fatalf("%s: meta %+v with %d rows", url, meta, len(rows))
		case meta.HasMore != (meta.NextOffset != nil):
			t.Fatalf("%s: has_more is %t, next_offset %v", url, meta.HasMore, meta.NextOffset)
		case meta.HasMore && (raw != n || *meta.NextOffset != offset+n):
			t.Fatalf("%s: %d rows walked, next_offset %d", url, raw, *meta.NextOffset)
		}
		all.rows = append(all.rows, rows...)
		all.raw += raw
		all.identity += meta.Identity
		all.quarantine += meta.Quarantine
		if !meta.HasMore {
			all.requests++
			return all
		}
		offset = *meta.NextOffset
	}
}

// page asks for one page. Only the first is sent over a connection and checked against
// the OpenAPI document, since there are many.
func page(f *apitest.Server, url, key string, first bool) *apitest.Response {
	if first {
		return f.Get(url, key)
	}
	r, w := httptest.NewRequest(http.MethodGet, url, http.NoBody), httptest.NewRecorder()
	r.Header.Set("Authorization", "Bearer "+key)
	f.API.Handler().ServeHTTP(w, r)
	return &apitest.Response{Response: w.Result(), Content: w.Body.Bytes()} //nolint:bodyclose // it is in memory
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
