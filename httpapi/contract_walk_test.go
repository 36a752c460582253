package httpapi

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// walked is what following next_offset to the end brings.
type walked struct {
	rows                 []json.RawMessage
	requests             int
	raw                  int // rows walked, those that the gate drops included
	identity, quarantine int
}

// walk follows next_offset from the first page to the last. query has no limit
// and no offset; limit says how long the next page shall be, and between is
// called before each page but the first, with the rows walked so far.
func (x resource) walk(f *fixture, key, query string, limit func() int, between func(raw int)) walked {
	t := f.t
	t.Helper()
	var all walked
	for offset := 0; ; all.requests++ {
		if all.requests > 0 && between != nil {
			between(all.raw)
		}
		n := limit()
		url := x.path + "?" + query + "&limit=" + strconv.Itoa(n) + "&offset=" + strconv.Itoa(offset)
		r := f.page(url, key, all.requests == 0)
		if r.StatusCode != 200 {
			t.Fatalf("%s: %d %s", url, r.StatusCode, r.body)
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
			{func() json.RawMessage { return r.body }, &page},
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

// page asks for one page: the first over the network, with all the checks that
// a response gets there, the others of the handler itself, since there are many.
func (f *fixture) page(url, key string, first bool) *response {
	if first {
		return f.get(url, key)
	}
	r, w := httptest.NewRequest(http.MethodGet, url, http.NoBody), httptest.NewRecorder()
	r.Header.Set("Authorization", "Bearer "+key)
	f.server.Handler().ServeHTTP(w, r)
	return &response{w.Result(), w.Body.Bytes()} //nolint:bodyclose // it is in memory
}

// pageLengths are the ways to page that tests try, by name.
func pageLengths(r *rand.Rand) map[string]func() int {
	fixed := func(n int) func() int { return func() int { return n } }
	return map[string]func() int{
		"1": fixed(1), "7": fixed(7), "1000": fixed(1000), "9999": fixed(9999),
		"random": func() int { return 1 + r.IntN(1+r.IntN(3000)) },
	}
}

// sameRows compares rows as they were sent.
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
