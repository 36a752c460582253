package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestOpenAPIIsValid has a validator of OpenAPI 3.0 look at the document and at its examples. A
// member that is required has a schema. What is referred to is there, and what is there is used.
func TestOpenAPIIsValid(t *testing.T) {
	t.Parallel()
	doc := apitest.OpenAPI()
	if err := doc.Validate(t.Context(), openapi3.EnableSchemaFormatValidation()); err != nil || doc.OpenAPI != "3.0.3" {
		t.Errorf("version %s: %v", doc.OpenAPI, err)
	}
	text := string(apitest.Serve(t).Get("/openapi.json", "").Content)
	used := func(kind, name string) {
		if !strings.Contains(text, `"#/components/`+kind+"/"+name+`"`) && !strings.HasSuffix(name, "NotFound") && !strings.HasSuffix(name, "MethodNotAllowed") {
			t.Errorf("%s/%s is not used", kind, name)
		}
	}
	for name := range doc.Components.Schemas {
		used("schemas", name)
	}
	for name := range doc.Components.Responses {
		used("responses", name)
	}
	for name := range doc.Components.Headers {
		used("headers", name)
	}
	for name := range doc.Components.Parameters {
		used("parameters", name)
	}
	for name := range doc.Components.Examples {
		used("examples", name)
	}
	walk(t, doc, func(at string, s *openapi3.Schema) {
		for _, name := range s.Required {
			if len(s.Properties) > 0 && s.Properties[name] == nil {
				t.Errorf("%s requires %s, which it doesn't know", at, name)
			}
		}
	})
}

func walk(t *testing.T, doc *openapi3.T, visit func(at string, s *openapi3.Schema)) {
	t.Helper()
	check(doc.WalkSchemas(func(at string, s *openapi3.SchemaRef) error { visit(at, s.Value); return nil }))
}

// TestOpenAPIMayGrow makes sure that the published schemas of licensed answers take
// members that are added later, as docs/api.md promises. Those of request bodies don't.
func TestOpenAPIMayGrow(t *testing.T) {
	t.Parallel()
	doc := apitest.Published()
	closed := func(s *openapi3.Schema) bool {
		return s.AdditionalProperties.Has != nil && !*s.AdditionalProperties.Has
	}
	for path, item := range doc.Paths.Map() {
		if !strings.HasPrefix(path, "/api/v1/") && path != "/api/public/index" {
			continue
		}
		for status, answer := range item.Get.Responses.Map() {
			for _, body := range answer.Value.Content {
				err := body.Schema.WalkSubtree(func(at string, s *openapi3.SchemaRef) error {
					if closed(s.Value) {
						t.Errorf("%s %s %s takes no other member", path, status, at)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
	if !closed(doc.Components.Schemas["SignIn"].Value) {
		t.Error("SignIn takes members that the server refuses")
	}
}

// TestOpenAPIRoutes compares the document with the table of routes, both ways.
func TestOpenAPIRoutes(t *testing.T) {
	t.Parallel()
	doc, f := apitest.OpenAPI(), apitest.ServeReleased(t)
	documented := doc.Paths.Map()
	for _, x := range f.API.Routes() {
		if x.Page {
			continue
		}
		item := documented[x.Path]
		if item == nil {
			t.Errorf("%s is served and not documented", x.Path)
			continue
		}
		delete(documented, x.Path)
		if want, got := sorted(x.Methods), sorted(apitest.Methods(x.Path)); !slices.Equal(got, want) {
			t.Errorf("%s: served are the methods %v, documented are %v", x.Path, want, got)
		}
		for method, op := range item.Operations() {
			if op.OperationID == "" || op.Summary == "" || op.Security == nil {
				t.Errorf("%s %s: operationId %q, summary %q", method, x.Path, op.OperationID, op.Summary)
			}
		}
		if ok := item.Get != nil && item.Get.Responses.Value("200") != nil; ok && strings.HasPrefix(x.Path, "/api/") {
			if body := item.Get.Responses.Value("200").Value.Content["application/json"]; body != nil && len(body.Examples) == 0 {
				t.Errorf("%s shows no example", x.Path)
			}
		}
		if !x.Licensed {
			continue
		}
		if item.Get.Responses.Value("503") != nil {
			t.Errorf("%s: a licensed address has no 503", x.Path)
		}
		var query, schemes []string
		for _, p := range item.Get.Parameters {
			if p.Value.In == "query" {
				query = append(query, p.Value.Name)
			}
		}
		if !slices.Equal(sorted(query), sorted(x.Params)) {
			t.Errorf("%s: taken are the parameters %v, documented are %v", x.Path, x.Params, query)
		}
		for _, one := range *item.Get.Security {
			schemes = slices.AppendSeq(schemes, maps.Keys(one))
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
	for path := range documented {
		t.Errorf("%s is documented and not served", path)
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestOpenAPIParameters tries the documented values, examples, defaults and largest pages
// of parameters.
func TestOpenAPIParameters(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	key := f.Key(state.Standard)
	for path, item := range apitest.OpenAPI().Paths.Map() {
		if !strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/api/shopper/") {
			continue
		}
		for _, p := range item.Get.Parameters {
			p := p.Value
			if p.In != "query" {
				continue
			}
			t.Run(path+" "+p.Name, func(t *testing.T) {
				ask := func(value string) *apitest.Response {
					query := "?" + p.Name + "=" + value
					if p.Name != "limit" && item.Get.Parameters.GetByInAndName("query", "limit") != nil {
						query += "&limit=1"
					}
					if value == "since" { // it needs a week
						query += "&level=national&since=2026-11-15"
					} else if p.Name == "since" && strings.HasPrefix(p.Description, "With") { // and the week needs it
						query += "&level=national&view=since"
					}
					return f.Get(path+query, key)
				}
				if values := p.Schema.Value.Enum; values != nil {
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
				if example, ok := p.Example.(string); ok {
					if r := ask(strings.ReplaceAll(example, " ", "%20")); r.StatusCode != http.StatusOK {
						t.Errorf("the example %q: %d %s", example, r.StatusCode, r.Content)
					}
				}
				meta := func(r *apitest.Response) string {
					m := r.JSON(t)["meta"].(map[string]any)
					if v, ok := m[p.Name]; ok {
						return fmt.Sprint(v)
					}
					return fmt.Sprint(m["filters"].(map[string]any)[p.Name])
				}
				if byDefault := p.Schema.Value.Default; byDefault != nil {
					query := "?limit=1"
					if p.Name == "limit" || p.Name == "month" {
						query = ""
					}
					if got := meta(f.Get(path+query, key)); got != fmt.Sprint(byDefault) {
						t.Errorf("the default is %v; documented %v", got, byDefault)
					}
				}
				if largest := p.Extensions["x-largest"]; largest != nil {
					if got := meta(page(f, path+"?"+p.Name+"=99999999", key, "")); got != fmt.Sprint(largest) {
						t.Errorf("the largest is %v; documented %v", got, largest)
					}
				}
			})
		}
	}
}

// TestRefusalsAreDocumented makes sure that docs/api.md names every code of a refusal, or docs/shopper.md where it is
// one of the comparison alone.
func TestRefusalsAreDocumented(t *testing.T) {
	t.Parallel()
	api, shopper := string(apitest.Read("../docs/api.md")), string(apitest.Read("../docs/shopper.md"))
	codes := 0
	walk(t, apitest.OpenAPI(), func(at string, s *openapi3.Schema) {
		if !strings.HasSuffix(at, "/properties/code") || strings.Contains(at, "/properties/codes/") {
			return
		}
		name, page := "api.md", api
		if strings.Contains(at, "/Shopper") {
			name, page = "shopper.md", shopper+api
		}
		for _, code := range s.Enum {
			if codes++; !strings.Contains(page, fmt.Sprintf("`%s`", code)) {
				t.Errorf("%s says nothing of the code %s (%s)", name, code, at)
			}
		}
	})
	if codes < 30 {
		t.Errorf("%d codes", codes)
	}
}
