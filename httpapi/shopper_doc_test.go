package httpapi_test

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

const shopperDoc = "../docs/shopper.md"

// TestShopperDocCommands runs the commands of docs/shopper.md in their order. The minute is
// used up at first, so the first comparison is refused and the commands try again.
func TestShopperDocCommands(t *testing.T) {
	t.Parallel()
	needCurl(t)
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 60 })
	for range 60 {
		f.Post("/api/shopper/compare", goodList)
	}
	refused := 0
	url := ticking(t, f, func(_ *http.Request, status int) {
		if status == http.StatusTooManyRequests {
			refused++
		}
	})
	f.Clock.Advance(-time.Second) // the request for the catalog does not count
	blocks := codeBlocks(t, shopperDoc, "sh")
	if len(blocks) != 6 {
		t.Fatalf("%d blocks of commands", len(blocks))
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "sh", "-eu", "-c", strings.Join(blocks[1:], ""))
	run.Dir, run.Env, run.WaitDelay = dir, append(os.Environ(), "LARDER_URL="+url), time.Second
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if catalog := f.Get("/api/shopper/catalog", ""); !bytes.Equal(read("catalog.json"), catalog.Content) {
		t.Error("the catalog is another")
	}
	want := comparison(t, apitest.List(t, "toronto", "1x2,7x0.5,12"), apitest.Now)
	if !bytes.Equal(read("comparison.json"), want) || !bytes.Equal(read("by-address.json"), want) {
		t.Errorf("the comparison is another: %s", read("comparison.json"))
	}
	list := apitest.List(t, "toronto", "1x2,7x0.5,12")
	list.Include = []string{compare.IncludeLines}
	if !bytes.Equal(read("lines.json"), comparison(t, list, apitest.Now)) {
		t.Errorf("the lines are others: %s", read("lines.json"))
	}
	if !bytes.HasSuffix(out, []byte("lowest: nickelbasket\n")) {
		t.Errorf("%s", out)
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// TestShopperDocIsComplete makes sure that docs/shopper.md or the page of the comparison names every address,
// member, value and code of it, and the former the status beside each code.
func TestShopperDocIsComplete(t *testing.T) {
	t.Parallel()
	page := strings.NewReplacer("<code>", "`", "</code>", "`").Replace(string(apitest.Read("site/pages/built/docs/api/shopper-compare.html")))
	text, doc := string(apitest.Read(shopperDoc))+page, apitest.OpenAPI()
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			if strings.HasPrefix(path, "/api/shopper/") && method != "OPTIONS" && !strings.Contains(text, "`"+method+" "+path+"`") {
				t.Errorf("nothing is said of %s %s", method, path)
			}
		}
	}
	named := map[string]bool{}
	for _, word := range regexp.MustCompile("`([A-Za-z_]+)`").FindAllStringSubmatch(text, -1) {
		named[word[1]] = true
	}
	walk(t, doc, func(at string, s *openapi3.Schema) {
		name := strings.Split(at+"////", "/")[3]
		if !strings.HasPrefix(at, "/components/schemas/Shopper") || name == "ShopperCitySlug" || name == "ShopperFound" || strings.Contains(at, "/properties/split") {
			return // or it is for the service's own page
		}
		var words []string
		if name != "ShopperCatalog" && name != "ShopperCatalogItem" { // the page leaves those of the catalog to it
			words = slices.Collect(maps.Keys(s.Properties))
		}
		for _, v := range s.Enum {
			if word, ok := v.(string); ok && strings.Contains(word, "_") {
				words = append(words, word)
			}
		}
		if strings.Contains(s.Pattern, "close_total") {
			words = append(words, regexp.MustCompile(`[a-z_]{5,}`).FindAllString(s.Pattern, -1)...)
		}
		for _, word := range words {
			if !named[word] && word != "code" && word != "message" && word != "observedAt" && word != "split" {
				t.Errorf("%s: nothing is said of %s", at, word)
			}
		}
	})
	statuses := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| (\\d{3}) \\| `([a-z_]+)` \\|").FindAllStringSubmatch(text, -1) {
		statuses[row[2]] = row[1]
	}
	for name, status := range map[string]string{"ShopperQueryRefused": "400", "ShopperBodyRefused": "400"} {
		codes := doc.Components.Schemas[name].Value.Properties["error"].Value.Properties["code"].Value.Enum
		if len(codes) < 10 {
			t.Fatal(codes)
		}
		for _, code := range codes {
			if statuses[code.(string)] != status {
				t.Errorf("%s is beside %s, want %s", code, statuses[code.(string)], status)
			}
		}
	}
}
