package httpapi_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi/datamodel"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestOpenAPIIsValid validates the document with the schema that the OpenAPI Initiative
// publishes for 3.1.
func TestOpenAPIIsValid(t *testing.T) {
	t.Parallel()
	official, err := jsonschema.UnmarshalJSON(strings.NewReader(datamodel.OpenAPI31SchemaData))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("https://spec.openapis.org/oas/3.1/schema/2022-10-07", official); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("https://spec.openapis.org/oas/3.1/schema/2022-10-07")
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(apitest.OpenAPI().Root); err != nil {
		t.Errorf("%v", err)
	}
}

func TestOpenAPIReferences(t *testing.T) {
	t.Parallel()
	d := apitest.OpenAPI()
	used := map[string]bool{}
	d.Walk("", d.Root, func(at string, x map[string]any) {
		if ref, ok := x["$ref"].(string); ok {
			used[ref] = true
			if d.Pointer(ref) == nil {
				t.Errorf("%s: %s leads nowhere", at, ref)
			}
		}
	})
	// What any address and method may answer is named in the text.
	for _, name := range []string{"NotFound", "MethodNotAllowed", "ShopperNotFound", "ShopperMethodNotAllowed"} {
		used["#/components/responses/"+name] = true
	}
	for kind, all := range d.Root["components"].(map[string]any) {
		for name := range all.(map[string]any) {
			if ref := "#/components/" + kind + "/" + name; kind != "securitySchemes" && !used[ref] {
				t.Errorf("%s is not used", ref)
			}
		}
	}
}

// TestOpenAPISchemasAreClosed makes sure that the recorder notices an undocumented member
// and a missing one.
func TestOpenAPISchemasAreClosed(t *testing.T) {
	t.Parallel()
	d := apitest.OpenAPI()
	optional := map[string][]string{ // members that may be absent, and where
		"/components/schemas/InvalidParameter":                         {"accepted", "parameter"},
		"/components/schemas/AccountInvalid":                           {"parameter"},
		"/components/schemas/SignIn":                                   {"key", "signin"},
		"/components/schemas/IndexObservation":                         {"contributions", "pct_change_since", "quality", "wow_interval"},
		"/components/schemas/PublicIndexObservation":                   {"contributions", "pct_change_since", "pct_change_yoy", "quality", "wow_interval"},
		"/components/schemas/PriceObservation":                         {"promo_detail", "regular_price_source"},
		"/components/schemas/PriceObservation/properties/promo_detail": {"packagePrice", "packageWasPrice", "regularPriceBasisUnavailable"},
		"/components/schemas/CellsMeta":                                {"release"},
		"/components/schemas/CompanionMeta":                            {"release"},
		"/components/schemas/IndexMeta":                                {"release", "view"},
		"/components/schemas/PublicIndexMeta":                          {"release", "view"},
		"/components/schemas/Figure":                                   {"release"},
		"/components/schemas/FigureRow":                                {"basket_cost_cad", "index_value", "pct_change_mom", "pct_change_since", "pct_change_yoy"},
		"/components/schemas/ShrinkflationMeta":                        {"note", "release", "scan_truncated"},
		"/components/schemas/PricesMeta":                               {"note", "release"},
		"/components/schemas/Products/properties/meta":                 {"note", "release"},
		"/components/schemas/SnapshotHealth":                           {"due", "release", "sources"},
		"/components/schemas/SnapshotHealth/properties/sources/items":  {"since"},
		"/components/schemas/Announced":                                {"note"},
		"/components/schemas/Releases/properties/meta":                 {"note"},
		"/components/schemas/ShopperCatalog":                           {"note"},
		"/components/schemas/ShopperComparison":                        {"hints", "split"},
		"/components/schemas/ShopperStore":                             {"lines"},
		"/components/schemas/Linkset/properties/linkset/items":         {"author", "item", "service-desc", "service-doc", "service-meta", "status"},
		"/components/schemas/Links/items":                              {"title", "type"},
		"/components/schemas/SnapshotHealth/properties/file":           {"reason", "since"},
		"/components/schemas/StateHealth":                              {"empty"},
		"/components/schemas/ShopperCatalogItem":                       {"aliases", "nameFr"},
		"/components/schemas/ShopperRequest":                           {"conditions", "include", "stores"},
		"/components/schemas/Usage":                                    {"days", "expiring", "secrets"},
		"/components/schemas/RotatedKey":                               {"old_until"},
		"/components/schemas/Rotation":                                 {"overlap"},
	}
	d.Walk("", d.Root["components"].(map[string]any)["schemas"], func(at string, x map[string]any) {
		at = "/components/schemas" + at
		properties, ok := x["properties"].(map[string]any)
		if !ok || strings.HasSuffix(at, "/properties") {
			return
		}
		if x["additionalProperties"] != false {
			t.Errorf("%s takes any member", at)
		}
		missing := slices.Sorted(maps.Keys(properties))
		required, _ := x["required"].([]any)
		for _, name := range required {
			i := slices.Index(missing, name.(string))
			if i < 0 {
				t.Errorf("%s requires %s, which it doesn't know", at, name)
				continue
			}
			missing = slices.Delete(missing, i, i+1)
		}
		if !slices.Equal(missing, optional[at]) {
			t.Errorf("%s: %q may be absent; meant are %q", at, missing, optional[at])
		}
	})
}

// TestOpenAPIMayGrow makes sure that the published schemas of licensed answers take
// members that are added later, as docs/api.md promises. Those of request bodies don't.
func TestOpenAPIMayGrow(t *testing.T) {
	t.Parallel()
	d := apitest.Published()
	for path, operations := range d.Paths() {
		if !strings.HasPrefix(path, "/api/v1/") && path != "/api/public/index" {
			continue
		}
		for status, answer := range d.At(operations, "get", "responses").(map[string]any) {
			schema := d.At(answer, "content", "application/json", "schema")
			if ref, ok := d.At(schema, "$ref").(string); ok {
				schema = d.Pointer(ref)
			}
			d.Walk("", schema, func(at string, x map[string]any) {
				if x["additionalProperties"] == false {
					t.Errorf("%s, %s: %s takes no other member", path, status, at)
				}
			})
		}
	}
	if d.At(d.Schema("SignIn"), "additionalProperties") != false {
		t.Error("SignIn takes members that the server refuses")
	}
}

// TestOpenAPIOperations makes sure that every operation has an id of its own, a summary and
// a security.
func TestOpenAPIOperations(t *testing.T) {
	t.Parallel()
	d := apitest.OpenAPI()
	ids := map[any]bool{}
	for path, operations := range d.Paths() {
		for method, op := range operations.(map[string]any) {
			id, summary := d.At(op, "operationId"), d.At(op, "summary")
			if id == nil || ids[id] || summary == nil || d.At(op, "security") == nil {
				t.Errorf("%s %s: operationId %v, summary %v", method, path, id, summary)
			}
			ids[id] = true
		}
	}
}

// TestOpenAPIExamples validates each example of a body with the schema beside it.
func TestOpenAPIExamples(t *testing.T) {
	t.Parallel()
	d := apitest.OpenAPI()
	n := 0
	d.Walk("", d.Root, func(at string, x map[string]any) {
		if x["schema"] == nil {
			return
		}
		examples, _ := x["examples"].(map[string]any)
		for name, e := range examples {
			n++
			if err := d.Validate(x["schema"], d.At(e, "value")); err != nil {
				t.Errorf("%s: example %s: %v", at, name, err)
			}
		}
		if e, ok := x["example"]; ok {
			n++
			if err := d.Validate(x["schema"], e); err != nil {
				t.Errorf("%s: %v", at, err)
			}
		}
	})
	if n < 25 {
		t.Errorf("there are %d examples", n)
	}
	for path, operations := range d.Paths() {
		content, _ := d.At(operations, "get", "responses", "200", "content", "application/json").(map[string]any)
		if content != nil && strings.HasPrefix(path, "/api/") && d.At(content, "examples") == nil {
			t.Errorf("%s shows no example", path)
		}
	}
}

// TestOpenAPIRoutes compares the document with the table of routes, both ways.
func TestOpenAPIRoutes(t *testing.T) {
	t.Parallel()
	d, f := apitest.OpenAPI(), apitest.ServeReleased(t)
	documented := slices.Collect(maps.Keys(d.Paths()))
	for _, x := range f.API.Routes() {
		if x.Page {
			continue
		}
		i := slices.Index(documented, x.Path)
		if i < 0 {
			t.Errorf("%s is served and not documented", x.Path)
			continue
		}
		documented = slices.Delete(documented, i, i+1)
		if want, got := sorted(x.Methods), sorted(d.Methods(x.Path)); !slices.Equal(got, want) {
			t.Errorf("%s: served are the methods %v, documented are %v", x.Path, want, got)
		}
		if !x.Licensed {
			continue
		}
		var query []string
		parameters, _ := d.At(d.Paths()[x.Path], "get", "parameters").([]any)
		for _, p := range parameters {
			if d.At(p, "in") == "query" {
				query = append(query, d.At(p, "name").(string))
			}
		}
		if !slices.Equal(sorted(query), sorted(x.Params)) {
			t.Errorf("%s: taken are the parameters %v, documented are %v", x.Path, x.Params, query)
		}
		var schemes []string
		for _, one := range d.At(d.Paths()[x.Path], "get", "security").([]any) {
			schemes = append(schemes, slices.Collect(maps.Keys(one.(map[string]any)))...)
		}
		want := []string{"key"}
		switch {
		case x.Public:
			want = []string{"key", "session"}
		case x.SessionOnly:
			want = []string{"session"}
		}
		if !slices.Equal(sorted(schemes), want) {
			t.Errorf("%s: it takes %v, documented are %v", x.Path, want, schemes)
		}
	}
	for _, path := range documented {
		t.Errorf("%s is documented and not served", path)
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestOpenAPIParameters tries the documented values, examples, defaults and largest pages
// of parameters.
func TestOpenAPIParameters(t *testing.T) {
	t.Parallel()
	d, f := apitest.OpenAPI(), apitest.ServeReleased(t)
	key := f.Key(state.Standard)
	for path, operations := range d.Paths() {
		if !strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/api/shopper/") {
			continue
		}
		parameters, _ := d.At(operations, "get", "parameters").([]any)
		for _, p := range parameters {
			name, _ := d.At(p, "name").(string)
			if d.At(p, "in") != "query" {
				continue
			}
			t.Run(path+" "+name, func(t *testing.T) {
				ask := func(value string) *apitest.Response {
					query := "?" + name + "=" + value
					if name != "limit" && name != "month" {
						query += "&limit=1"
					}
					if value == "since" { // it needs a week
						query += "&level=national&since=2026-11-15"
					} else if name == "since" && d.At(p, "description").(string)[:4] == "With" { // and the week needs it
						query += "&level=national&view=since"
					}
					return f.Get(path+query, key)
				}
				schema := d.At(p, "schema")
				if ref, ok := d.At(schema, "$ref").(string); ok {
					schema = d.Pointer(ref)
				}
				if values, ok := d.At(schema, "enum").([]any); ok {
					for _, v := range values {
						if r := ask(v.(string)); r.StatusCode != http.StatusOK {
							t.Errorf("%s: %d %s", v, r.StatusCode, r.Content)
						}
					}
					r := ask("nonesuch")
					if accepted := r.JSON(t)["accepted"]; r.StatusCode != http.StatusBadRequest || !slices.Equal(accepted.([]any), values) {
						t.Errorf("accepted are %v; documented %v", accepted, values)
					}
				}
				if example, ok := d.At(p, "example").(string); ok {
					if r := ask(strings.ReplaceAll(example, " ", "%20")); r.StatusCode != http.StatusOK {
						t.Errorf("the example %q: %d %s", example, r.StatusCode, r.Content)
					}
				}
				meta := func(r *apitest.Response) any {
					m := r.JSON(t)["meta"].(map[string]any)
					if v, ok := m[name]; ok {
						return v
					}
					return m["filters"].(map[string]any)[name]
				}
				if byDefault := d.At(schema, "default"); byDefault != nil {
					if got := meta(f.Get(path, key)); got != byDefault {
						t.Errorf("the default is %v; documented %v", got, byDefault)
					}
				}
				if largest := d.At(p, "x-largest"); largest != nil {
					if got := meta(ask("99999999")); got != largest {
						t.Errorf("the largest is %v; documented %v", got, largest)
					}
				}
			})
		}
	}
}
