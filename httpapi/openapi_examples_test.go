package httpapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

var update = flag.Bool("update", false, "write openapi/examples.json anew; run go generate ./httpapi/openapi afterwards")

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
	released := apitest.ServeReleased(t)
	reader := released.Key(state.Standard)
	examples := map[string]*apitest.Response{
		"releases-announced":      released.Get("/releases.json", ""),
		"releases":                released.Get("/api/v1/releases", reader),
		"revisions":               released.Get("/api/v1/revisions?release=r1&level=national&category=overall&from=2026-11-01", reader),
		"public-index":            f.Get("/api/public/index?level=national&category=overall&from=2026-11-01", research),
		"index":                   f.Get("/api/v1/index?city=Toronto&level=city&category=overall&from=2026-11-08", standard),
		"companion-regular":       f.Get("/api/v1/companions/regular?city=Toronto&level=city&category=overall&from=2026-11-08", standard),
		"coverage":                f.Get("/api/v1/coverage?missing=1&level=city&from=2026-11-08&limit=2", standard),
		"index-included":          f.Get("/api/v1/index?city=Toronto&level=city&from=2026-11-15&limit=2&include=quality,wow_interval,contributions", standard),
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
	lists := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 4 })
	const path = "/api/shopper/compare"
	examples["shopper-catalog"] = lists.Get("/api/shopper/catalog", "")
	examples["shopper-lowest"] = lists.Post(path, `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5},{"id":12,"qty":1}],"stores":["northlarch","tillbrook","pennywold"]}`)
	examples["shopper-include-lines"] = f.Post(path, `{"city":"toronto","items":[{"id":1,"qty":2},{"id":9,"qty":0.75}],"stores":["northlarch","pennywold"],"include":["lines"],"conditions":["member"]}`)
	examples["shopper-insufficient"] = lists.Post(path, `{"city":"charlottetown","items":[{"id":2,"qty":1},{"id":9,"qty":0.25},{"id":21,"qty":0.25}]}`)
	examples["shopper-error-missing-parameter"] = lists.Get(path+"?city=toronto", "")
	examples["shopper-error-invalid-quantity"] = lists.Post(path, `{"city":"toronto","items":[{"id":1,"qty":0.5}]}`)
	examples["shopper-error-rate-limited"] = lists.Get(path, "")
	f.Clock.Set(apitest.Now.AddDate(0, 0, 2))
	examples["error-key-expired"] = f.Get("/api/v1/products", expired)
	text := []byte("{")
	for i, name := range slices.Sorted(maps.Keys(examples)) {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, `"%s":{"value":%s}`, name, asExample(examples[name]))
	}
	var got bytes.Buffer
	check(json.Indent(&got, append(text, '}'), "", "  "))
	const file = "openapi/examples.json"
	if *update {
		check(os.WriteFile(file, append(got.Bytes(), '\n'), 0o644))
	}
	if diff := cmp.Diff(string(apitest.Read(file)), got.String()+"\n"); diff != "" {
		t.Errorf("%s is out of date: go test ./httpapi -run OpenAPIExamples -update, then go generate ./httpapi/openapi\n-file +demo server:\n%s", file, diff)
	}
}

var (
	anyKey  = regexp.MustCompile(`"prefix":"larder_live_[0-9A-Za-z]{4}"`)
	anyID   = regexp.MustCompile(`"requestId":"[0-9a-f]{24}"`)
	anyHash = regexp.MustCompile(`"(hash|snapshot)":"[0-9a-f]{64}"`)
)

// asExample returns a body as the document shows it: with an id, a key and a hash of its
// own, and with the first two products and items alone.
func asExample(r *apitest.Response) []byte {
	body := anyID.ReplaceAll(r.Content, []byte(`"requestId":"d31f62a9c07b5e84a6f01c92"`))
	body = anyKey.ReplaceAll(body, []byte(`"prefix":"larder_live_Ab3x"`))
	// The snapshot's hash changes with the library that writes the file.
	body = anyHash.ReplaceAll(body, []byte(`"$1":"75b4f3b2e6b1d2c8a90f4d2f7c1e6a35b8d0c94e21f7a6835cd90be4127fa68d"`))
	if head, rows, ok := bytes.Cut(body, []byte(`"products":[{`)); ok && strings.HasSuffix(r.Request.URL.Path, "/products") {
		first := bytes.SplitAfterN(rows, []byte("},"), 3)
		body = slices.Concat(head, []byte(`"products":[{`), bytes.TrimSuffix(bytes.Join(first[:2], nil), []byte(",")), []byte("]}"))
	}
	if head, rest, ok := bytes.Cut(body, []byte(`"items":[{`)); ok && r.Request.URL.Path == "/api/shopper/catalog" {
		items, rest, _ := bytes.Cut(rest, []byte(`],"quantityUnits"`))
		first := bytes.SplitAfterN(items, []byte("},"), 3)
		body = slices.Concat(head, []byte(`"items":[{`), bytes.TrimSuffix(bytes.Join(first[:2], nil), []byte(",")), []byte(`],"quantityUnits"`), rest)
	}
	return bytes.TrimSpace(body)
}
