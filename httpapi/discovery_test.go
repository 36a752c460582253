package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

func TestDocuments(t *testing.T) {
	f := serveDemo(t, func(c *Config) { c.BaseURL = "http://prices.test:8080/" })
	for path, contentType := range map[string]string{
		"/openapi.json":            "application/json; charset=utf-8",
		"/llms.txt":                "text/plain; charset=utf-8",
		"/.well-known/api-catalog": `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
	} {
		t.Run(path, func(t *testing.T) {
			f := *f
			f.t = t
			plain := f.get(path, "")
			if plain.StatusCode != http.StatusOK || plain.Header.Get("Content-Type") != contentType {
				t.Fatalf("%d, type %q", plain.StatusCode, plain.Header.Get("Content-Type"))
			}
			if !bytes.Contains(plain.body, []byte("http://prices.test:8080")) || bytes.Contains(plain.body, []byte("{base_url}")) {
				t.Errorf("it does not name the server's own address")
			}
			for _, mark := range []string{"{cookie}", "{note}", "{license}"} {
				if bytes.Contains(plain.body, []byte(mark)) {
					t.Errorf("it holds %s", mark)
				}
			}
			head := f.do(http.MethodHead, path, "", "")
			for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Cache-Control", "Link"} {
				if head.Header.Get(name) != plain.Header.Get(name) {
					t.Errorf("HEAD: %s is %q; of GET it is %q", name, head.Header.Get(name), plain.Header.Get(name))
				}
			}
			tag := plain.Header.Get("ETag")
			for have, status := range map[string]int{
				tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, strings.Trim(tag, `W/"`): 200,
			} {
				if r := f.get(path, "", header("If-None-Match", have)); r.StatusCode != status || r.Header.Get("ETag") != tag {
					t.Errorf("If-None-Match %s: %d, want %d", have, r.StatusCode, status)
				}
			}
			packed := f.get(path, "", header("Accept-Encoding", "gzip"))
			body, err := plainBody(packed)
			if err != nil || !bytes.Equal(body, plain.body) || packed.Header.Get("Vary") != "Accept-Encoding" || len(packed.body) > len(plain.body) {
				t.Errorf("packed it is another text (%v), or no smaller", err)
			}
			if r := f.do(http.MethodPost, path, "", "{}"); r.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("POST: %d", r.StatusCode)
			}
		})
	}
}

// TestAPICatalog follows the catalog's links: RFC 9727 wants every one to be an
// interface of this publisher's.
func TestAPICatalog(t *testing.T) {
	f := serveDemo(t)
	r := f.get("/.well-known/api-catalog", "")
	var catalog struct {
		Linkset []map[string]json.RawMessage `json:"linkset"`
	}
	if err := json.Unmarshal(r.body, &catalog); err != nil {
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
				if u.Path == pathCompare {
					want = http.StatusBadRequest // it is of no use without a list
				}
				if r := f.get(u.Path, f.key(state.Standard)); r.StatusCode != want {
					t.Errorf("%s %s: %d", relation, link.Href, r.StatusCode)
				}
			}
		}
	}
	var want []string
	for path := range theDocument().paths() {
		if strings.HasPrefix(path, "/api/") {
			want = append(want, path)
		}
	}
	if !slices.Equal(sorted(items), sorted(want)) {
		t.Errorf("its items are %v; served are %v", items, want)
	}
	for path := range theDocument().paths() {
		if strings.HasPrefix(path, "/api/") && !strings.Contains(llmsText, "GET "+path+":") {
			t.Errorf("llms.txt does not name %s", path)
		}
	}
	if !strings.Contains(string(f.get("/llms.txt", "").body), note) {
		t.Error("llms.txt lacks the note that responses have")
	}
}

// TestNoCORS makes sure that no other site's page gets leave to read anything but
// comparisons, which are the same for everyone.
func TestNoCORS(t *testing.T) {
	f := serveDemo(t)
	key := f.key(state.Standard)
	for path := range theDocument().paths() {
		if strings.HasPrefix(path, shopperPrefix) {
			continue
		}
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			r := f.do(method, path, key, "", header("Origin", "https://elsewhere.example"), header("Access-Control-Request-Method", "GET"))
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
