package httpapi_test

import (
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// places returns the answers of every address that shows figures or names their publisher,
// by address. The OpenAPI document comes without its examples, which are the demo's.
func places(f *apitest.Server, city string) map[string]string {
	key := f.Key(state.Standard)
	session, html := apitest.WithCookie(f.SignIn(key)), apitest.Header("Accept", "text/html")
	list := `{"city":"` + city + `","items":[{"id":1,"qty":1}]}`
	all := map[string]string{
		"signed in":              string(f.Get("/", "", session).Content),
		"account":                string(f.Get("/account", "", session).Content),
		"no page":                string(f.Get("/nosuch", "", html).Content),
		"/account/shrinkflation": string(f.Get("/account/shrinkflation", "", session).Content),
		"POST compare":           string(f.Post("/api/shopper/compare", list).Content),
		"form":                   string(f.PostForm("/shopper", url.Values{"city": {city}, "items": {"1"}}).Content),
		"v1":                     string(f.Get("/api/v1/index?series=v1", key).Content),
	}
	for path := range apitest.OpenAPI().Paths.Map() {
		if slices.Contains([]string{"/healthz", "/readyz", "/metrics", "/mcp", "/account/usage", "/account/session", "/api/v1/usage", "/releases/checkpoint"}, path) ||
			!slices.Contains(apitest.Methods(path), "GET") || all[path] != "" {
			continue // operation, not prices
		}
		address := strings.Replace(path, "{id}", "r1", 1)
		if path == "/api/shopper/compare" {
			address += "?items=1&city=" + city
		}
		if strings.HasPrefix(path, "/account/") {
			all[path] = string(f.Get(address, "", session).Content)
		} else {
			got := f.Get(address, key)
			all[path] = got.Header.Get("X-Notice") + string(got.Content)
		}
	}
	page := f.Get("/docs", "")
	all["/"], all["/docs"], all["/shopper"] = string(f.Get("/", "", html).Content), string(page.Content), string(f.Get("/shopper", "").Content)
	for _, link := range strings.Split(string(page.Content), `<dt><a href="`)[1:] {
		path, _, _ := strings.Cut(link, `"`)
		all[path] = string(f.Get(path, "").Content)
	}
	document := f.Get("/openapi.json", "").JSON(f.T)
	delete(document["components"].(map[string]any), "examples")
	text, _ := json.Marshal(document)
	all["/openapi.json"] = string(text)
	for name, message := range map[string]string{
		"instructions":   `"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`,
		"tools":          `"tools/list"`,
		"answer catalog": `"tools/call","params":{"name":"catalog","arguments":{}}`,
		"answer compare": `"tools/call","params":{"name":"compare","arguments":` + list + `}`,
	} {
		r := f.Post("/mcp", `{"jsonrpc":"2.0","id":1,"method":`+message+`}`, apitest.Header("Accept", "application/json, text/event-stream"))
		all["MCP "+name] = string(r.Content)
		v := r.JSON(f.T)
		if name == "instructions" {
			all["MCP instructions"] = at(v, "result.instructions")
		}
		tools, _ := v["result"].(map[string]any)["tools"].([]any)
		for _, tool := range tools {
			all["MCP tool "+at(tool, "name")] = at(tool, "description")
		}
	}
	return all
}

// Every answer, page and tool of invented prices says that they are invented. With real
// prices, nothing says so.
func TestSyntheticNotice(t *testing.T) {
	t.Parallel()
	demo, real := places(apitest.ServeReleased(t), "toronto"), places(apitest.ServeFile(t, milkMarket().Snapshot(t)), "here")
	if len(demo) < 35 {
		t.Errorf("only %d places are looked at", len(demo))
	}
	for at, text := range demo {
		if strings.HasSuffix(at, ".png") || at == "/api/v1/files/{path}" {
			continue // a picture, which is an SVG too; files that were published, of which this server has none
		}
		said := panel.SyntheticNotice
		if strings.HasSuffix(at, ".csv") {
			said = panel.SyntheticMark // in every line
		}
		if !strings.Contains(text, said) {
			t.Errorf("%s of the demo does not say %q: %.300s", at, said, text)
		}
	}
	for at, text := range real {
		if strings.HasPrefix(at, "/docs/") { // a document may quote the notice, but not in the banner
			text, _, _ = strings.Cut(text, "<main")
		}
		if strings.Contains(text, panel.SyntheticNotice) || strings.Contains(text, strings.TrimSpace(panel.SyntheticMark)) {
			t.Errorf("%s says that real prices are invented", at)
		}
		if strings.Contains(text, "index, Canada") && !strings.HasPrefix(at, "/docs/") {
			t.Errorf("%s names a country, and the prices are of one city", at)
		}
	}
}

// The texts of the settings are in every place that names them, and are never read as markup.
func TestSettingsAreNamed(t *testing.T) {
	t.Parallel()
	plain := func(s string) string { return s }
	inJSON := func(s string) string {
		text, _ := json.Marshal(s)
		return strings.Trim(string(text), `"`)
	}
	m := milkMarket()
	set := map[string]string{}
	for _, key := range []string{"publisher", "source", "licence", "attribution", "coverage_note"} {
		set[key] = `<b>The ` + key + `</b> & "Co" {week}`
	}
	set["contact"] = "prices@example.org"
	for key, value := range set {
		m.Settings = append(m.Settings, panel.Setting{Key: key, Value: value})
	}
	said := places(apitest.ServeFile(t, m.Snapshot(t)), "here")
	for _, c := range []struct {
		at     string
		escape func(string) string
		keys   string
	}{
		{"/api/public/index", inJSON, "source licence attribution coverage_note"},
		{"/api/v1/index", inJSON, "source licence attribution coverage_note"},
		{"v1", inJSON, "source licence attribution"},
		{"/api/v1/products", inJSON, "source"},
		{"/llms.txt", plain, "publisher contact source licence attribution coverage_note"},
		{"/openapi.json", inJSON, "publisher contact source licence attribution"},
		{"MCP instructions", inJSON, "publisher contact source licence attribution"},
		{"/", html.EscapeString, "publisher contact source licence attribution"},
		{"/methodology", html.EscapeString, "publisher contact source licence attribution"},
		{"/docs/api", html.EscapeString, "source"},
		{"no page", html.EscapeString, "publisher contact source licence attribution"},
	} {
		for _, key := range strings.Fields(c.keys) {
			if want := c.escape(set[key]); !strings.Contains(said[c.at], want) {
				t.Errorf("%s has no %s %q", c.at, key, want)
			}
		}
		if c.at[0] == '/' && strings.Contains(said[c.at], "<b>The") && c.at != "/llms.txt" {
			t.Errorf("%s has markup of the settings", c.at)
		}
	}
}
