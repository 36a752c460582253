package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// TestOpenAPIRoutes holds the document against the route table, both ways.
func TestOpenAPIRoutes(t *testing.T) {
	d, f := theDocument(), serveDemo(t)
	documented := slices.Collect(maps.Keys(d.paths()))
	for _, x := range f.server.routes {
		if x.page {
			continue
		}
		i := slices.Index(documented, x.path)
		if i < 0 {
			t.Errorf("%s is served and not documented", x.path)
			continue
		}
		documented = slices.Delete(documented, i, i+1)
		if want, got := sorted(x.methods), sorted(strings.Split(allowOf(d.paths()[x.path]), ", ")); !slices.Equal(got, want) {
			t.Errorf("%s: served are the methods %v, documented are %v", x.path, want, got)
		}
		if !x.licensed {
			continue
		}
		var query []string
		parameters, _ := d.at(d.paths()[x.path], "get", "parameters").([]any)
		for _, p := range parameters {
			if d.at(p, "in") == "query" {
				query = append(query, d.at(p, "name").(string))
			}
		}
		if !slices.Equal(sorted(query), sorted(x.params)) {
			t.Errorf("%s: taken are the parameters %v, documented are %v", x.path, x.params, query)
		}
		var schemes []string
		for _, one := range d.at(d.paths()[x.path], "get", "security").([]any) {
			schemes = append(schemes, slices.Collect(maps.Keys(one.(map[string]any)))...)
		}
		want := []string{"key"}
		switch {
		case x.public:
			want = []string{"key", "session"}
		case x.sessionOnly:
			want = []string{"session"}
		}
		if !slices.Equal(sorted(schemes), want) {
			t.Errorf("%s: it takes %v, documented are %v", x.path, want, schemes)
		}
	}
	for _, path := range documented {
		t.Errorf("%s is documented and not served", path)
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestOpenAPIParameters tries what the document says of parameters: the values
// that are accepted, defaults, and the largest page.
func TestOpenAPIParameters(t *testing.T) {
	d, f := theDocument(), serveDemo(t)
	key := f.key(state.Standard)
	for path, operations := range d.paths() {
		if !strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, shopperPrefix) {
			continue
		}
		parameters, _ := d.at(operations, "get", "parameters").([]any)
		for _, p := range parameters {
			name, _ := d.at(p, "name").(string)
			if d.at(p, "in") != "query" {
				continue
			}
			t.Run(path+" "+name, func(t *testing.T) {
				ask := func(value string) *response {
					query := "?" + name + "=" + value
					if name != "limit" {
						query += "&limit=1"
					}
					return f.get(path+query, key)
				}
				schema := d.at(p, "schema")
				if ref, ok := d.at(schema, "$ref").(string); ok {
					schema = d.pointer(ref)
				}
				if values, ok := d.at(schema, "enum").([]any); ok {
					for _, v := range values {
						if r := ask(v.(string)); r.StatusCode != http.StatusOK {
							t.Errorf("%s: %d %s", v, r.StatusCode, r.body)
						}
					}
					r := ask("nonesuch")
					if accepted := r.json(t)["accepted"]; r.StatusCode != http.StatusBadRequest || !slices.Equal(accepted.([]any), values) {
						t.Errorf("accepted are %v; documented %v", accepted, values)
					}
				}
				if example, ok := d.at(p, "example").(string); ok {
					if r := ask(strings.ReplaceAll(example, " ", "%20")); r.StatusCode != http.StatusOK {
						t.Errorf("the example %q: %d %s", example, r.StatusCode, r.body)
					}
				}
				meta := func(r *response) any {
					m := r.json(t)["meta"].(map[string]any)
					if v, ok := m[name]; ok {
						return v
					}
					return m["filters"].(map[string]any)[name]
				}
				if byDefault := d.at(schema, "default"); byDefault != nil {
					if got := meta(f.get(path, key)); got != byDefault {
						t.Errorf("the default is %v; documented %v", got, byDefault)
					}
				}
				if largest := d.at(p, "x-largest"); largest != nil {
					if got := meta(ask("99999999")); got != largest {
						t.Errorf("the largest is %v; documented %v", got, largest)
					}
				}
			})
		}
	}
}
