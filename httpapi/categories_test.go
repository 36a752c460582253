package httpapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// serveCategories serves a panel whose products are spread over categories of its own.
func serveCategories(t *testing.T, slugs []string) *apitest.Server {
	t.Helper()
	d, err := synth.Generate(synth.Config{Weeks: 4, Stores: 30, Through: panel.Calendar{}.DateIn(apitest.Now)})
	if err != nil {
		t.Fatal(err)
	}
	d.Pilot = nil
	rows := "slug,name,name_fr\n"
	for _, slug := range slugs {
		rows += slug + "," + strings.ToUpper(slug) + ",La " + slug + "\n"
	}
	for i := range d.Products {
		d.Products[i].Category = slugs[i%len(slugs)]
	}
	for i := range d.Listings {
		d.Listings[i].GTIN = "04006381333931"
	}
	dir := filepath.Join(t.TempDir(), "panel")
	if err := d.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "categories.csv"), []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return apitest.ServeFile(t, apitest.Import(t, dir), apitest.Ample)
}

// get asks as a client does, but for the document of the default panel, which answers are not held against.
func get(t *testing.T, f *apitest.Server, path, key string) (code int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.HTTP.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	content, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(content)
}

// TestOwnCategories serves a panel with five categories of its own: it filters by them, and says nothing of others.
func TestOwnCategories(t *testing.T) {
	t.Parallel()
	f := serveCategories(t, []string{"obst", "brot", "milch", "fleisch", "haus"})
	key := f.Key(state.Standard)
	var index struct {
		Observations []struct{ Category string }
	}
	_, body := get(t, f, "/api/v1/index?category=brot&from=2026-07-19", key)
	if err := json.Unmarshal([]byte(body), &index); err != nil || len(index.Observations) == 0 {
		t.Fatalf("%v: %.300s", err, body)
	}
	if _, body := get(t, f, "/api/v1/prices?product_id=1", key); !strings.Contains(body, `,"gtin":"04006381333931","products":{"id":1,`) {
		t.Errorf("the prices have no GTIN: %.600s", body)
	}
	for _, row := range index.Observations {
		if row.Category != "brot" {
			t.Errorf("a row of %q", row.Category)
		}
	}
	code, body := get(t, f, "/api/v1/index?category=dairy", key)
	if code != 400 || !strings.Contains(body, `"accepted":["overall","obst","brot","milch","fleisch","haus"]`) {
		t.Errorf("%d: %s", code, body)
	}
	for path, want := range map[string]string{
		"/": "5 categories, change", "/fr": "La brot", "/api/v1/index": `"haus"`, "/api/v1/coverage": `"obst"`,
		"/api/v1/products": `"milch"`, "/openapi.json": `"fleisch"`, "/figure.svg?s=national.obst": "OBST",
	} {
		if _, got := get(t, f, path, key); !strings.Contains(got, want) ||
			strings.Contains(got, "dairy") || strings.Contains(got, "ine categories") {
			t.Errorf("%s: no %s, or a default category: %.2000s", path, want, got)
		}
	}
}

// TestManyCategories shows as many categories as a panel may have.
func TestManyCategories(t *testing.T) {
	t.Parallel()
	var slugs []string
	for i := range 64 {
		slugs = append(slugs, fmt.Sprint("part-", i))
	}
	code, page := get(t, serveCategories(t, slugs), "/", "")
	if n := strings.Count(page, `<li id="part-`); code != 200 || n != 64 {
		t.Errorf("%d: %d categories: %.500s", code, n, page)
	}
}
