package httpapi_test

import (
	"bytes"
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
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.BaseURL = "http://prices.test:8080/" })
	for path, contentType := range map[string]string{
		"/openapi.json":            "application/json; charset=utf-8",
		"/llms.txt":                "text/plain; charset=utf-8",
		"/api/shopper/catalog":     "application/json; charset=utf-8",
		"/.well-known/api-catalog": `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
	} {
		t.Run(path, func(t *testing.T) {
			f := f.For(t)
			plain := f.Get(path, "")
			if plain.StatusCode != http.StatusOK || plain.Header.Get("Content-Type") != contentType {
				t.Fatalf("%d, type %q", plain.StatusCode, plain.Header.Get("Content-Type"))
			}
			if path != "/api/shopper/catalog" && !bytes.Contains(plain.Content, []byte("http://prices.test:8080")) || bytes.Contains(plain.Content, []byte("{base_url}")) {
				t.Errorf("it does not name the server's own address")
			}
			for _, mark := range []string{"{cookie}", "{note}", "{license}"} {
				if bytes.Contains(plain.Content, []byte(mark)) {
					t.Errorf("it holds %s", mark)
				}
			}
			head := f.Do(http.MethodHead, path, "", "")
			for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Cache-Control", "Link"} {
				if head.Header.Get(name) != plain.Header.Get(name) {
					t.Errorf("HEAD: %s is %q; of GET it is %q", name, head.Header.Get(name), plain.Header.Get(name))
				}
			}
			tag := plain.Header.Get("ETag")
			for have, status := range map[string]int{
				tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, strings.Trim(tag, `W/"`): 200,
			} {
				if r := f.Get(path, "", apitest.Header("If-None-Match", have)); r.StatusCode != status || r.Header.Get("ETag") != tag {
					t.Errorf("If-None-Match %s: %d, want %d", have, r.StatusCode, status)
				}
			}
			packed := f.Get(path, "", apitest.Header("Accept-Encoding", "gzip"))
			body, err := packed.Plain()
			if err != nil || !bytes.Equal(body, plain.Content) || packed.Header.Get("Vary") != "Accept-Encoding" || len(packed.Content) > len(plain.Content) {
				t.Errorf("packed it is another text (%v), or no smaller", err)
			}
			if r := f.Do(http.MethodPost, path, "", "{}"); r.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("POST: %d", r.StatusCode)
			}
		})
	}
}

// TestAPICatalog follows the catalog's links: RFC 9727 wants every one to be an
// interface of this publisher's.
func TestAPICatalog(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
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
	for path := range apitest.OpenAPI().Paths() {
		if strings.HasPrefix(path, "/api/") {
			want = append(want, path)
		}
	}
	if !slices.Equal(sorted(items), sorted(want)) {
		t.Errorf("its items are %v; served are %v", items, want)
	}
	llms := string(f.Get("/llms.txt", "").Content)
	for path := range apitest.OpenAPI().Paths() {
		if strings.HasPrefix(path, "/api/") && !strings.Contains(llms, "GET "+path+":") {
			t.Errorf("llms.txt does not name %s", path)
		}
	}
	if note := at(f.Get("/api/v1/index?limit=1", f.Key(state.Standard)).JSON(t), "meta.note"); !strings.Contains(llms, strings.Trim(note, `"`)) {
		t.Error("llms.txt lacks the note that responses have")
	}
}

// TestNoCORS makes sure that no other site's page gets leave to read anything but
// comparisons and documents, which are the same for everyone.
func TestNoCORS(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Standard)
	for path := range apitest.OpenAPI().Paths() {
		if strings.HasPrefix(path, "/api/shopper/") {
			continue
		}
		if slices.Contains([]string{"/openapi.json", "/llms.txt", "/.well-known/api-catalog"}, path) {
			if r := f.Get(path, "", apitest.Header("Origin", "https://elsewhere.example")); r.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s is not open to other sites", path)
			}
			continue
		}
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			r := f.Do(method, path, key, "", apitest.Header("Origin", "https://elsewhere.example"), apitest.Header("Access-Control-Request-Method", "GET"))
			for name := range r.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s %s: %s: %s", method, path, name, r.Header.Get(name))
				}
			}
			if method == http.MethodOptions && r.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("OPTIONS %s: %d", path, r.StatusCode)
			}
		}
	}
}

// A server of made-up prices, and a request with a key of its own.
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
	_, err = sqlite.Import(ctx, filepath.Join(dir, "panel"), snapshot, sqlite.ImportOptions{})
	check(err)

	now := func() time.Time { return time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC) }
	db, err := state.Open(ctx, filepath.Join(dir, "state.db"), state.Options{Serve: true, Now: now})
	check(err)
	defer db.Close()
	_, key, err := db.CreateKey(ctx, state.NewKey{Name: "Example", Tier: state.Research})
	check(err)
	snapshots := httpapi.NewSnapshots(snapshot, now)
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
