package httpapi

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// scenario is one request and what must come of it.
type scenario struct {
	name   string
	query  string
	status int               // 0: 200
	has    map[string]string // JSON texts by path, such as meta.filters.from
	lacks  []string          // paths that must not be there
	rows   string            // how many rows: "some", "none" or empty for either
	each   func(row map[string]any) bool
}

// resource is what scenarios ask for.
type resource struct{ path, rows string }

var (
	publicIndexResource   = resource{"/api/public/index", "observations"}
	indexResource         = resource{"/api/v1/index", "observations"}
	pricesResource        = resource{"/api/v1/prices", "observations"}
	productsResource      = resource{"/api/v1/products", "products"}
	shrinkflationResource = resource{"/api/v1/shrinkflation", "events"}
)

// play asks for every scenario with a key of the lowest tier that will do.
func (x resource) play(t *testing.T, f *fixture, tier state.Tier, list []scenario) {
	key := f.key(tier)
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			f := *f
			f.t = t
			r := f.get(x.path+x.short(&c), key)
			if want := cmp.Or(c.status, http.StatusOK); r.StatusCode != want {
				t.Fatalf("%s: status %d, want %d: %.300s", c.query, r.StatusCode, want, r.body)
			}
			v := r.json(t)
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
			if r.StatusCode == http.StatusOK {
				checkPage(t, v, x.rows)
			} else {
				checkRefusal(t, v)
			}
		})
	}
}

// short asks for a short page where the length is not what a scenario is about.
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

// members holds the names of an object's members against a list.
func members(t *testing.T, what string, v any, want string) {
	t.Helper()
	object, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%s is no object: %v", what, v)
	}
	got, names := slices.Sorted(maps.Keys(object)), strings.Fields(want)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("%s has the members %v, want %v", what, got, names)
	}
}

// checkPage holds a page's meta against its rows.
func checkPage(t *testing.T, v map[string]any, rows string) {
	t.Helper()
	if got, want := at(v, "meta.count"), strconv.Itoa(len(v[rows].([]any))); got != want {
		t.Errorf("count is %s with %s rows", got, want)
	}
	if at(v, "meta.limit") == absent {
		return // not paged
	}
	if more := at(v, "meta.has_more") == "true"; more != (at(v, "meta.next_offset") != "null") {
		t.Errorf("has_more is %t and next_offset %s", more, at(v, "meta.next_offset"))
	}
}

// checkRefusal holds an error against the contract.
func checkRefusal(t *testing.T, v map[string]any) {
	t.Helper()
	for _, name := range []string{"error", "code", "requestId"} {
		if s, _ := v[name].(string); s == "" {
			t.Errorf("the refusal has no %s: %v", name, v)
		}
	}
}

// ample lets a test make as many requests of the public index as it needs.
func ample(c *Config) { c.PublicPerMinute = 1_000_000 }

// escape writes a query whose values hold spaces and apostrophes.
func escape(query string) string {
	return strings.NewReplacer(" ", "%20", "'", "%27").Replace(query)
}
