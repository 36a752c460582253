package httpapi_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/shrink"
)

// TestProductsAreTheCatalog compares every member with the basket itself.
func TestProductsAreTheCatalog(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	products := slices.SortedFunc(slices.Values(basket.Canada().Products), func(a, b basket.Product) int {
		return cmp.Or(strings.Compare(a.Category, b.Category), strings.Compare(a.Name, b.Name))
	})
	var want []any
	for _, p := range products {
		var sub any
		if p.Subcategory != "" {
			sub = p.Subcategory
		}
		want = append(want, map[string]any{
			"id": float64(p.ID), "name": p.Name, "category": p.Category, "subcategory": sub,
			"standard_size": p.StandardSize, "unit": p.Unit.String(), "basket_weight": p.Weight,
		})
	}
	var got map[string]any
	if err := json.Unmarshal(f.Get("/api/v1/products", f.Key(state.Research)).Content, &got); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got["products"]); diff != "" {
		t.Errorf("-catalog +served:\n%s", diff)
	}
}

// TestProductsMeta has the members of the document and no other one. Headers have the rest.
func TestProductsMeta(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	got := f.Get("/api/v1/products", f.Key(state.Research))
	members := slices.Sorted(maps.Keys(got.JSON(t)["meta"].(map[string]any)))
	if diff := gocmp.Diff([]string{"count", "endpoint", "generated_at", "source", "version"}, members); diff != "" {
		t.Errorf("-document +served:\n%s", diff)
	}
	if h := got.Header; !strings.Contains(h.Get("X-Notice"), "invented") || h.Get("X-Release") != "r1" {
		t.Errorf("the headers are %v", h)
	}
}

// TestPagesNameTheirSnapshot compares meta.snapshot with what /readyz says is served.
func TestPagesNameTheirSnapshot(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key, served := f.Key(state.Standard), at(f.Get("/readyz", "").JSON(t), "snapshot.hash")
	for _, path := range []string{"/api/public/index", "/api/v1/index", "/api/v1/prices", "/api/v1/shrinkflation", "/api/v1/coverage"} {
		if got := at(f.Get(path+"?limit=1", key).JSON(t), "meta.snapshot"); got != served || len(got) != len(`""`)+64 {
			t.Errorf("%s: the snapshot is %s, and %s is served", path, got, served)
		}
	}
}

// TestOffsetIsTakenAsItIs asks for rows far past the end. What is no count of rows is refused.
func TestOffsetIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	key := f.Key(state.Standard)
	for _, path := range []string{"/api/public/index", "/api/v1/index", "/api/v1/prices", "/api/v1/shrinkflation", "/api/v1/coverage",
		"/api/v1/releases", "/api/v1/revisions"} {
		got := f.Get(path+"?offset=4503599627370497", key)
		if meta := got.JSON(t); at(meta, "meta.offset") != "4503599627370497" || at(meta, "meta.count") != "0" || at(meta, "meta.has_more") != "false" {
			t.Errorf("%s: %.300s", path, got.Content)
		}
		apitest.WantError(t, path, f.Get(path+"?offset=99999999999999999999", key), http.StatusBadRequest, "invalid_parameter")
	}
}

// TestProductsAsOfARelease changes weights between two releases. Each release keeps its own.
func TestProductsAsOfARelease(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	key, db := f.Key(state.Research), x.Snapshots(t)[0]
	x.Publish(t, f, db, "")
	f.Look(false)
	f.Clock.Advance(time.Hour)
	first := f.Get("/api/v1/products", key)
	if got := f.Get("/api/v1/products?as_of=r1", key); withoutDate(got.Content) != withoutDate(first.Content) {
		t.Errorf("of the one in service: %s", got.Content)
	}
	folder, next := filepath.Join(t.TempDir(), "panel"), filepath.Join(t.TempDir(), "next.db")
	if err := sqlite.Export(t.Context(), db, folder); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "products.csv")
	swapped := regexp.MustCompile(`(?m)^(2,.*),[0-9.]+,(package,.*)$`).ReplaceAllString(string(apitest.Read(file)), "$1,0.25,$2")
	if err := cmp.Or(os.WriteFile(file, []byte(swapped), 0o600), os.WriteFile(next, apitest.Read(db), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Import(t.Context(), folder, next, sqlite.ImportOptions{Detect: shrink.Detect}); err != nil {
		t.Fatal(err)
	}
	x.Publish(t, f, next, "", "revision", "restatement")
	f.Look(false)
	f.Clock.Advance(time.Hour)
	second := f.Get("/api/v1/products", key)
	weight := `"unit":"unit","basket_weight":0.25}`
	if text := string(second.Content); strings.Count(text, weight) != 1 || strings.Contains(string(first.Content), weight) {
		t.Errorf("the second release has %s", text)
	}
	for asked, want := range map[string]string{
		"r1": withoutDate(first.Content), "r2": withoutDate(second.Content), f.Clock.Now().Add(-90 * time.Minute).Format(time.RFC3339): withoutDate(first.Content),
	} {
		if got := f.Get("/api/v1/products?as_of="+asked, key); withoutDate(got.Content) != want {
			t.Errorf("as of %s: %s\nwant %s", asked, got.Content, want)
		}
	}
	before := f.Get("/api/v1/products?as_of=2026-01-01T00:00:00Z", key).JSON(t)
	if at(before, "meta.count") != "0" {
		t.Errorf("before the first release: %v", before)
	}
	apitest.WantError(t, "unknown", f.Get("/api/v1/products?as_of=r3", key), http.StatusBadRequest, "invalid_parameter")
}

// TestExamplesOfRefusals sends what a refusal gives as an example. It is accepted.
func TestExamplesOfRefusals(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	const path = "/api/shopper/compare"
	for _, bad := range []string{"[]", "{", `{"city":"toronto"}`, `{"items":[]}`, `{"city":"toronto","items":[{"id":1,"qty":1}],"day":1}`} {
		message := f.Post(path, bad).JSON(t)["error"].(map[string]any)["message"].(string)
		example := message[strings.LastIndex(message, "send"):]
		if i := strings.Index(example, `{"city"`); i < 0 || f.Post(path, example[i:]).StatusCode != http.StatusOK {
			t.Errorf("%s: %s", bad, message)
		}
	}
	for _, bad := range []string{"", "?city=toronto", "?city=toronto&items=1&day=1", "?city=toronto&items=1&items=2", "?%zz"} {
		message := f.Get(path+bad, "").JSON(t)["error"].(map[string]any)["message"].(string)
		if i := strings.Index(message, "city="); i < 0 || f.Get(path+"?"+message[i:], "").StatusCode != http.StatusOK {
			t.Errorf("%s: %s", bad, message)
		}
	}
	message := f.Get(path+"?city=toronto&items=1&stores=%20", "").JSON(t)["error"].(map[string]any)["message"].(string)
	_, chain, _ := strings.Cut(message, "such as ")
	chain, _, _ = strings.Cut(chain, ",")
	if f.Get(path+"?city=toronto&items=1&stores="+chain, "").StatusCode != http.StatusOK {
		t.Error(message)
	}
	for _, unknown := range []string{path + "?city=toronto&items=1&day=1", "/api/v1/index?day=1"} {
		if got := f.Get(unknown, f.Key(state.Standard)); !strings.Contains(string(got.Content), "leave it out") {
			t.Errorf("%s: %s", unknown, got.Content)
		}
	}
}
