package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

const newestFiles = "/api/v1/files/latest.json"

// TestAPICatalog follows the links of the catalog. It and llms.txt list every address of
// the API.
func TestAPICatalog(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	r := f.Get("/.well-known/api-catalog", "")
	var catalog struct {
		Linkset []map[string]json.RawMessage `json:"linkset"`
	}
	if err := json.Unmarshal(r.Content, &catalog); err != nil {
		t.Fatal(err)
	}
	var items []string
	for _, set := range catalog.Linkset {
		for relation, raw := range set {
			if relation == "anchor" {
				continue
			}
			var links []struct{ Href string }
			if err := json.Unmarshal(raw, &links); err != nil {
				t.Fatal(err)
			}
			for _, link := range links {
				u, err := url.Parse(link.Href)
				if err != nil {
					t.Fatal(err)
				}
				if u.Host != "larder.example" {
					continue
				}
				if relation == "item" {
					items = append(items, u.Path)
				}
				want := http.StatusOK
				if u.Path == newestFiles {
					want = http.StatusNotFound // this server publishes none
				}
				if u.Path == "/api/shopper/compare" {
					want = http.StatusBadRequest // it is of no use without a list
				}
				if r := f.Get(u.Path, f.Key(state.Standard)); r.StatusCode != want {
					t.Errorf("%s %s: %d", relation, link.Href, r.StatusCode)
				}
			}
		}
	}
	var want []string
	for path := range apitest.OpenAPI().Paths.Map() {
		if strings.HasPrefix(path, "/api/") && !strings.Contains(path, "{id}") { // of one release; /api/v1/releases leads there
			want = append(want, strings.Replace(path, "{path}", "latest.json", 1))
		}
	}
	if !slices.Equal(sorted(items), sorted(want)) {
		t.Errorf("its items are %v; served are %v", items, want)
	}
	llms := string(f.Get("/llms.txt", "").Content)
	for path := range apitest.OpenAPI().Paths.Map() {
		if strings.HasPrefix(path, "/api/") && !strings.Contains(llms, "GET "+path+":") {
			t.Errorf("llms.txt does not name %s", path)
		}
	}
	if note := at(f.Get("/api/v1/index?limit=1", f.Key(state.Standard)).JSON(t), "meta.note"); !strings.Contains(llms, strings.Trim(note, `"`)) {
		t.Error("llms.txt lacks the note that responses have")
	}
}

// ExampleNew serves synthetic prices and asks for the products with a key.
func ExampleNew() {
	ctx := context.Background()
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "larder")
	check(err)
	defer os.RemoveAll(dir)
	made, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: 2, Stores: 20})
	check(err)
	check(made.WriteDir(filepath.Join(dir, "panel")))
	snapshot := filepath.Join(dir, "panel.db")
	_, err = sqlite.Import(ctx, filepath.Join(dir, "panel"), snapshot, sqlite.ImportOptions{Detect: shrink.Detect})
	check(err)

	now := func() time.Time { return time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC) }
	db, err := state.Open(ctx, filepath.Join(dir, "state.db"), state.Options{Serve: true, Now: now})
	check(err)
	defer db.Close()
	_, key, err := db.CreateKey(ctx, state.NewKey{Name: "Example", Tier: state.Research})
	check(err)
	snapshots := prepared.NewSnapshots(snapshot, now)
	check(snapshots.Refresh(ctx))
	s, err := httpapi.New(httpapi.Config{
		Now: now, Snapshots: snapshots, State: db, Log: slog.New(slog.DiscardHandler), BaseURL: "https://prices.example.org",
	})
	check(err)

	request := httptest.NewRequest("GET", "/api/v1/products", nil)
	request.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, request)
	var body struct{ Products []struct{ Name string } }
	check(json.Unmarshal(w.Body.Bytes(), &body))
	fmt.Println(w.Code, len(body.Products), "products, such as", body.Products[0].Name)
	// Output: 200 50 products, such as Flour tortillas, 10
}
