package httpapi_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
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

// canadian finds words of the default publication.
var canadian = regexp.MustCompile(`Canad|\bCAD\b|_cad\b|Cad\b|[Dd]ollar|[Tt]oronto|dairy|\$`)

// ownNames are categories of the publisher in the middle of a sentence.
var ownNames = regexp.MustCompile(`<h1[^>]*>[^<]*[:;] (Fresh food|Meat|Bread|Cupboard|Home)[^<]* (added|took) `)

// TestElsewhere asks for pages, pictures, files, documents and answers of a publisher in Germany. Each fits the
// publication's own /openapi.json, where it is in that, and has no name of the default publication.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	f := apitest.ServeElsewhere(t, apitest.Ample)
	key := f.Key(state.Standard)
	session := apitest.WithCookie(f.SignIn(key))
	list := `{"city":"berlin","items":[{"id":14,"qty":1},{"id":700,"qty":2}],"accept":["variants"],"include":["lines","codes"]}`
	for _, path := range []string{
		"/", "/fr", "/shopper", "/fr/shopper", "/releases", "/fr/releases",
		"/figure?view=cost", "/figure?s=berlin.overall&view=cost&lang=fr", "/figure?s=national.brot&s=national.frisch", "/embed/figure?view=cost", "/why", "/why?lang=fr", "/why.svg", "/why.csv?lang=fr", "/why.json?lang=fr",
		"/figure.svg?view=cost", "/figure.svg?view=cost&lang=fr", "/figure.csv?view=cost", "/figure.json?view=cost", "/figure.txt",
		"/openapi.json", "/llms.txt", "/robots.txt", "/sitemap.xml",
		"/releases.json", "/releases.atom", "/account", "/?tab=chains", "/fr?tab=chains",
		"/api/shopper/catalog", "POST /api/shopper/compare",
		"/api/public/index?include=quality&limit=20", "/api/v1/index?view=cost&limit=20", "/api/v1/companions/regular?limit=20", "/api/v1/coverage?limit=20",
		"/api/v1/prices?limit=20", "/api/v1/prices?product_id=700&limit=20", "/api/v1/products", "/api/v1/shrinkflation?confidence=low", "/api/v1/releases",
		"/api/v1/revisions?limit=20", "/api/v1/usage", "/api/v1/files/r1/datapackage.json", "/api/shopper/compare?city=berlin&items=14x1,700x2&include=lines", "POST /mcp tools/list", "POST /mcp catalog", "POST /mcp compare",
	} {
		t.Run(path, func(t *testing.T) {
			f := f.For(t)
			var r *apitest.Response
			switch {
			case path == "POST /api/shopper/compare":
				r = f.Post("/api/shopper/compare", list)
			case strings.HasPrefix(path, "POST /mcp"):
				message := map[string]string{
					"tools/list": `"tools/list"`, "catalog": `"tools/call","params":{"name":"catalog","arguments":{}}`,
					"compare": `"tools/call","params":{"name":"compare","arguments":` + list + `}`,
				}[path[len("POST /mcp "):]]
				r = f.Post("/mcp", `{"jsonrpc":"2.0","id":1,"method":`+message+`}`, apitest.Header("Accept", "application/json, text/event-stream"))
			case strings.HasPrefix(path, "/figure") || strings.HasPrefix(path, "/embed") || strings.HasPrefix(path, "/why") || path == "/account" || strings.HasSuffix(path, "?tab=chains"):
				r = f.Get(path, "", session)
			case strings.HasPrefix(path, "/api/v1/") || strings.HasPrefix(path, "/api/public/"):
				r = f.Get(path, key)
			default:
				r = f.Get(path, "")
			}
			apitest.WantStatus(t, r, http.StatusOK)
			text := string(r.Content)
			if path == "/openapi.json" || strings.HasSuffix(path, "datapackage.json") { // names of members and ends of patterns
				text = strings.ReplaceAll(text, "$", "")
			}
			if strings.Contains(path, "mcp c") && (!strings.Contains(text, `"currency":"EUR"`) || strings.Contains(text, `"isError":true`)) {
				t.Errorf("not in euros, or refused: %.2000s", text)
			}
			if path == "/why" && !ownNames.MatchString(text) {
				t.Errorf("the categories are not named as the publisher does: %.2000s", text)
			}
			for _, at := range canadian.FindAllStringIndex(text, -1) {
				t.Errorf("it says %.120q", text[max(0, at[0]-60):min(len(text), at[1]+40)])
			}
		})
	}
}

// TestFrenchFirst walks the site of a publication whose first language is French. French pages stand at /, English ones
// at /en. Links, names and feeds lead there.
func TestFrenchFirst(t *testing.T) {
	t.Parallel()
	d := must(synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(apitest.Now), Weeks: 8, Stores: 26}))
	for key, value := range map[string]string{"country": "DE", "language": "fr", "time_zone": "Europe/Berlin"} {
		d.Settings = append(d.Settings, panel.Setting{Key: key, Value: value})
	}
	folder := filepath.Join(t.TempDir(), "panel")
	check(d.WriteDir(folder))
	f, x := apitest.ServeReleases(t)
	f.Clock.Set(apitest.Now)
	x.Publish(t, f, apitest.Import(t, folder), "")
	f.Look(false)
	links := regexp.MustCompile(`(?:href|action)="(/[^"#?]*)`)
	known := regexp.MustCompile(`^/(assets/|openapi\.json|llms\.txt|releases\.(atom|json)|why|figure)`)
	for path, says := range map[string]string{
		"/": "", "/shopper": "", "/methodology": "", "/docs": "", "/docs/api": "", "/account": "",
		"/releases": "heure de Berlin",
		"/en":       "", "/en/shopper": "", "/en/methodology": "Europe/Berlin", "/en/docs/api": "", "/en/account": "",
		"/en/releases": "Berlin time",
	} {
		r := f.Get(path, "")
		apitest.WantStatus(t, r, http.StatusOK)
		text, tag, other, english := string(r.Content), "fr-DE", "en-DE", strings.HasPrefix(path, "/en")
		if english {
			tag, other = other, tag
		}
		if !strings.Contains(text, `<html lang="`+tag+`"`) || !strings.Contains(text, `hreflang="`+other+`" lang="`+other+`"`) || !strings.Contains(text, says) {
			t.Errorf("%s: %.300s", path, text)
		}
		for _, link := range links.FindAllStringSubmatch(text, -1) {
			page := link[1]
			switches := strings.Contains(text, `<a id="language" href="`+page+`"`)
			if !known.MatchString(page) && !switches && strings.HasPrefix(page, "/en") != english {
				t.Errorf("%s links to %s", path, page)
			}
		}
	}
	for path, want := range map[string]int{"/fr/nosuch": 404, "/fr//docs": 404, "/fr/api/v1/index": 404, "/en/api/v1/index": 404, "/en/nosuch": 404, "/shopper/worker.js": 200, "/en/shopper/worker.js": 200} {
		apitest.WantStatus(t, f.Get(path, ""), want)
	}
	for path, text := range map[string]string{
		"/nosuch":                         `<html lang="fr-DE"`,
		"/en/nosuch":                      `<html lang="en-DE"`,
		"/docs/methodology":               "Location: /methodology",
		"/fr/":                            "Location: /\n",
		"/fr/shopper?city=berlin":         "Location: /shopper?city=berlin\n",
		"/en/docs/methodology":            "Location: /en/methodology",
		"/shopper/worker.js":              `page = "/shopper"`,
		"/en/shopper/worker.js":           `page = "/en/shopper"`,
		"/figure?view=x":                  `Vérifiez « view ».</p>` + "\n<p lang=\"en-CA\">index, yoy,",
		"/figure?view=yoy":                "Rien n’est publié pour ces séries",
		"/embed/figure?s=toronto.overall": "Seul un graphique qui ne demande pas de clé",
		"/figure?lang=en&from=x":          `Check “from”.</p>` + "\n<p lang=\"en-CA\">from: &#34;x&#34; is no date",
		"/sitemap.xml":                    `hreflang="en-DE" href="` + f.API.BaseURL + `/en/shopper"`,
	} {
		r := f.Get(path, "", apitest.Header("Accept", "text/html"))
		if !strings.Contains("Location: "+r.Header.Get("Location")+"\n"+string(r.Content), text) {
			t.Errorf("%s lacks %s: %.200s", path, text, r.Content)
		}
	}
}
