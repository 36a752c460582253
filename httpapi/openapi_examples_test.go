package httpapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// Only this writes the examples of the OpenAPI document anew. The program is to
// be built again afterwards: they are embedded.
var updateExamples = flag.Bool("update-openapi", false, "write the examples of the OpenAPI document anew")

// TestOpenAPIExamplesAreReal asks the demo server for every example.
func TestOpenAPIExamplesAreReal(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	research, standard := f.Key(state.Research), f.Key(state.Standard)
	slow := f.Key(state.Research, func(n *state.NewKey) { n.PerMinute = 1 })
	f.Get("/api/v1/products", slow)
	brief := f.Key(state.Research, func(n *state.NewKey) { n.Expires = apitest.Now.AddDate(0, 0, 30) })
	expired := f.Key(state.Research, func(n *state.NewKey) { n.Expires = apitest.Now.AddDate(0, 0, 1) })
	f.Get("/api/v1/products", brief)
	examples := map[string]*apitest.Response{
		"public-index":            f.Get("/api/public/index?level=national&category=overall&from=2026-11-01", research),
		"index":                   f.Get("/api/v1/index?city=Toronto&level=city&category=overall&from=2026-11-08", standard),
		"prices":                  f.Get("/api/v1/prices?banner=broadmoose&from=2026-11-10&to=2026-11-12&limit=2", standard),
		"products":                f.Get("/api/v1/products", research),
		"shrinkflation":           f.Get("/api/v1/shrinkflation?confidence=low&limit=2", standard),
		"usage":                   f.Get("/api/v1/usage", brief),
		"readyz":                  f.Get("/readyz", ""),
		"session":                 f.Do(http.MethodPost, "/account/session", "", `{"key":"`+brief+`"}`, apitest.Header("Content-Type", "application/json")),
		"error-unauthorized":      f.Get("/api/v1/index", ""),
		"error-tier-required":     f.Get("/api/v1/prices", research),
		"error-invalid-parameter": f.Get("/api/v1/index?city=Quebec", standard),
		"error-rate-limited":      f.Get("/api/v1/products", slow),
	}
	maps.Copy(examples, shopperExamples(t))
	f.Clock.Set(apitest.Now.AddDate(0, 0, 2))
	examples["error-key-expired"] = f.Get("/api/v1/products", expired)
	for name, r := range examples {
		got := asExample(t, r)
		file := filepath.Join("openapi", "examples", name+".json")
		if *updateExamples {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the demo server answers\n%s", file, got)
		}
	}
	files, err := filepath.Glob("openapi/examples/*.json")
	if err != nil || len(files) != len(examples) {
		t.Errorf("there are %d examples, of which %d are looked at (%v)", len(files), len(examples), err)
	}
}

var (
	anyID   = regexp.MustCompile(`"requestId":"[0-9a-f]{24}"`)
	anyHash = regexp.MustCompile(`"hash":"[0-9a-f]{64}"`)
)

// asExample returns a body as it is shown: indented, with an id and a hash of its
// own, and of products and items the first two.
func asExample(t *testing.T, r *apitest.Response) []byte {
	t.Helper()
	body := anyID.ReplaceAll(r.Content, []byte(`"requestId":"d31f62a9c07b5e84a6f01c92"`))
	// The snapshot's hash changes with the library that writes the file.
	body = anyHash.ReplaceAll(body, []byte(`"hash":"75b4f3b2e6b1d2c8a90f4d2f7c1e6a35b8d0c94e21f7a6835cd90be4127fa68d"`))
	if head, rows, ok := bytes.Cut(body, []byte(`"products":[{`)); ok && strings.HasSuffix(r.Request.URL.Path, "/products") {
		first := bytes.SplitAfterN(rows, []byte("},"), 3)
		body = slices.Concat(head, []byte(`"products":[{`), bytes.TrimSuffix(bytes.Join(first[:2], nil), []byte(",")), []byte("]}"))
	}
	if head, rest, ok := bytes.Cut(body, []byte(`"items":[{`)); ok && r.Request.URL.Path == "/api/shopper/catalog" {
		items, rest, _ := bytes.Cut(rest, []byte(`],"quantityUnits"`))
		first := bytes.SplitAfterN(items, []byte("},"), 3)
		body = slices.Concat(head, []byte(`"items":[{`), bytes.TrimSuffix(bytes.Join(first[:2], nil), []byte(",")), []byte(`],"quantityUnits"`), rest)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(body), "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), '\n')
}

// shopperExamples are the examples of the OpenAPI document.
func shopperExamples(t *testing.T) map[string]*apitest.Response {
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 4 })
	const path = "/api/shopper/compare"
	examples := map[string]*apitest.Response{
		"shopper-catalog":                 f.Get("/api/shopper/catalog", ""),
		"shopper-lowest":                  f.Post(path, `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5},{"id":12,"qty":1}],"stores":["northlarch","tillbrook","pennywold"]}`),
		"shopper-insufficient":            f.Post(path, `{"city":"charlottetown","items":[{"id":2,"qty":1},{"id":9,"qty":0.25},{"id":21,"qty":0.25}]}`),
		"shopper-error-missing-parameter": f.Get(path+"?city=toronto", ""),
		"shopper-error-invalid-quantity":  f.Post(path, `{"city":"toronto","items":[{"id":1,"qty":0.5}]}`),
	}
	examples["shopper-error-rate-limited"] = f.Get(path, "")
	examples["shopper-lines"] = apitest.Serve(t).Post("/shopper/lines", `{"city":"toronto","items":[{"id":1,"qty":2},{"id":9,"qty":0.5},{"id":12,"qty":1}],"stores":["nickelbasket","northlarch","bigfathom"]}`)
	return examples
}
