package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// refused makes scenarios of requests that are 400 for one parameter's sake.
func refused(parameter string, values ...string) (list []scenario) {
	for _, v := range values {
		list = append(list, scenario{
			name: fmt.Sprintf("%s %q is refused", parameter, v), query: "?" + url.Values{parameter: {v}}.Encode(), status: 400,
			has:   map[string]string{"code": `"invalid_parameter"`, "parameter": strconv.Quote(parameter)},
			lacks: []string{"meta"},
		})
	}
	return list
}

// window is what all paged resources promise of from, to, limit and offset.
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

// admission is what all licensed resources promise of keys.
func admission(t *testing.T, f *fixture, x resource, lowest state.Tier) {
	t.Helper()
	if r := f.get(x.path, ""); r.StatusCode != 401 || r.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s without a key: %d", x.path, r.StatusCode)
	}
	if r := f.get(x.path, "larder_live_nobody"); r.StatusCode != 401 {
		t.Errorf("%s with an unknown key: %d", x.path, r.StatusCode)
	}
	for _, tier := range state.Tiers() {
		r := f.get(x.path+"?", f.key(tier))
		if tier >= lowest {
			if r.StatusCode != 200 || r.Header.Get("Content-Type") != jsonType {
				t.Errorf("%s with tier %s: %d", x.path, tier, r.StatusCode)
			}
			continue
		}
		v := r.json(t)
		if r.StatusCode != 402 || at(v, "code") != `"tier_required"` || at(v, "current_tier") != strconv.Quote(tier.String()) ||
			at(v, "required_tier") != strconv.Quote(lowest.String()) || at(v, "upgrade_url") != `"https://larder.example/account"` {
			t.Errorf("%s with tier %s: %d %s", x.path, tier, r.StatusCode, r.body)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		if r := f.do(method, x.path, f.key(lowest), ""); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s %s: %d, Allow %q", method, x.path, r.StatusCode, r.Header.Get("Allow"))
		}
	}
	if r := f.do(http.MethodHead, x.path, f.key(lowest), ""); r.StatusCode != 200 || len(r.body) > 0 || r.ContentLength < 100 {
		t.Errorf("HEAD %s: %d, %d bytes", x.path, r.StatusCode, r.ContentLength)
	}
	// A tag is taken back only for a request that is good.
	key := f.key(lowest)
	tag := f.get(x.path, key).Header.Get("ETag")
	if r := f.get(x.path, key, header("If-None-Match", tag)); tag == "" || r.StatusCode != 304 || len(r.body) > 0 {
		t.Errorf("%s with its tag %q: %d", x.path, tag, r.StatusCode)
	}
	if r := f.get(x.path+"?nonsense=1", key, header("If-None-Match", "*")); r.StatusCode != 400 {
		t.Errorf("%s, a bad query with a tag: %d", x.path, r.StatusCode)
	}
}
