package httpapi_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi"
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

// TestOpenAPIAnswers gets every documented answer of every licensed address, except
// faults of the server, with keys of every tier. The recorder checks each answer.
func TestOpenAPIAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check(errors.Join(os.Mkdir(dir+"/r1", 0o700), os.WriteFile(dir+"/r1/leaf", []byte("leaf"), 0o600)))
	f, bare := apitest.ServeReleased(t, apitest.Ample, func(c *httpapi.Config) { c.Publish = dir }), apitest.Serve(t, apitest.Ample)
	standard := f.Key(state.Standard)
	disabled := f.Key(state.Standard)
	f.Disable(disabled)
	for path, item := range apitest.OpenAPI().Paths.Map() {
		if item.Get == nil || item.Get.Responses.Value("429") == nil || strings.HasPrefix(path, "/api/shopper/") {
			continue
		}
		responses := item.Get.Responses.Map()
		t.Run(path, func(t *testing.T) {
			f := f.For(t)
			path = strings.NewReplacer("{id}", "r1", "{path}", "r1/leaf").Replace(path)
			figure, none := strings.HasPrefix(path, "/figure.") || strings.HasPrefix(path, "/why."), "?to=2026-01-01"
			if strings.HasPrefix(path, "/why.") {
				none = "?week=2026-07-19" // the first one
			}
			if figure { // one that needs a key
				path += "?s=toronto.overall"
			} else if item.Get.Parameters.GetByInAndName("query", "limit") != nil {
				path += "?limit=2"
			}
			with := func(query string) string {
				if strings.Contains(path, "?") {
					query = strings.Replace(query, "?", "&", 1)
				}
				return path + query
			}
			// as makes the request with a key: in a session where it must be.
			as := func(secret, query string, change ...apitest.Change) *apitest.Response {
				if strings.HasPrefix(path, "/account/") {
					change, secret = append(change, apitest.WithCookie(f.SignIn(secret))), ""
				}
				return f.Get(with(query), secret, change...)
			}
			expect := func(r *apitest.Response, status int) {
				t.Helper()
				if r.StatusCode != status {
					t.Errorf("%s: %d %.300s; want %d", r.Request.URL, r.StatusCode, r.Content, status)
				}
			}
			r := as(standard, "")
			expect(r, http.StatusOK)
			if responses["304"] != nil {
				expect(as(standard, "", apitest.Header("If-None-Match", r.Header.Get("ETag"))), http.StatusNotModified)
			}
			expect(as(standard, "?nonesuch=1"), http.StatusBadRequest)
			switch key := bare.Key(state.Standard); {
			case responses["404"] == nil:
			case figure:
				expect(bare.For(t).Get(with(none), key), http.StatusNotFound)
			case strings.HasPrefix(path, "/account/"):
				expect(bare.For(t).Get(path, "", apitest.WithCookie(bare.SignIn(key))), http.StatusNotFound)
			default:
				expect(bare.For(t).Get(path, key), http.StatusNotFound)
			}
			expect(f.Get(path, ""), http.StatusUnauthorized)
			expect(f.Get(path, apitest.UnknownKey), http.StatusUnauthorized)
			for _, tier := range state.Tiers() {
				r := as(f.Key(tier), "")
				if tier != state.Research || responses["402"] == nil {
					expect(r, http.StatusOK)
					continue
				}
				expect(r, http.StatusPaymentRequired)
				if v := r.JSON(t); fmt.Sprint(v["code"], v["current_tier"], v["required_tier"], v["upgrade_url"]) != fmt.Sprint("tier_required", "research", "standard", "https://larder.example/account") {
					t.Errorf("%s", r.Content)
				}
			}
			if strings.HasPrefix(path, "/account/") {
				expect(ended(t, path), http.StatusForbidden)
			} else {
				expect(as(disabled, ""), http.StatusForbidden)
			}
			once := f.Key(state.Standard, func(n *state.NewKey) { n.PerMinute = 1 })
			expect(as(once, ""), http.StatusOK)
			expect(as(once, ""), http.StatusTooManyRequests)
			expect(f.Do(http.MethodHead, path, "", ""), http.StatusUnauthorized)
			expect(f.Do(http.MethodPut, path, standard, "{}"), http.StatusMethodNotAllowed)
		})
	}
}

// ended asks in a session whose key has expired since.
func ended(t *testing.T, path string) *apitest.Response {
	g := apitest.Serve(t)
	cookie := apitest.WithCookie(g.SignIn(g.Key(state.Standard, func(n *state.NewKey) { n.Expires = apitest.Now.Add(1) })))
	g.Clock.Advance(2)
	return g.Get(path, "", cookie)
}

// An answer that can't be logged after it was made and packed leaves nothing of
// itself in the refusal.
func TestUnloggedAnswer(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Standard)
	f.API.BeforeIndex(func() { f.State.Close() })
	r := f.Get("/api/v1/index", key, apitest.Header("Accept-Encoding", "gzip"))
	apitest.WantError(t, "unlogged", r, http.StatusInternalServerError, "internal_error")
	if r.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v", r.Header)
	}
}
