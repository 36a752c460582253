package httpapi_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

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
