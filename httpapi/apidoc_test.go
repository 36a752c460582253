package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// TestAPIDocIsComplete makes sure that docs/api.md names every code of a refusal.
func TestAPIDocIsComplete(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(apiDoc)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	walk(t, apitest.OpenAPI(), func(at string, s *openapi3.Schema) {
		for _, code := range s.Enum {
			if strings.HasSuffix(at, "/properties/code") && !strings.Contains(at, "/Shopper") && !strings.Contains(text, fmt.Sprintf("`%s`", code)) {
				t.Errorf("nothing is said of the code %s", code)
			}
		}
	})
}

// needCurl skips a test where curl is not installed.
func needCurl(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
}

const apiDoc = "../docs/api.md"

// codeBlocks returns the blocks of code of a page that are in a language.
func codeBlocks(t *testing.T, page, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, rest := range strings.Split(string(text), "\n```"+language+"\n")[1:] {
		block, _, ok := strings.Cut(rest, "\n```\n")
		if !ok {
			t.Fatalf("a block of %s does not end", language)
		}
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

// TestAPIDocProgram runs the program of docs/api.md. It must get every row although its key is used up at
// first and the data changes after the first page of prices.
func TestAPIDocProgram(t *testing.T) {
	t.Parallel()
	needCurl(t)
	want := servedIDs(t)
	if len(want) < 10_001 {
		t.Fatalf("%d prices are not three pages", len(want))
	}
	blocks, w := codeBlocks(t, apiDoc, "sh"), newWorn(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "sh", "-c", blocks[1]+blocks[len(blocks)-1]) // the file of the key, and the program
	run.Dir, run.WaitDelay = t.TempDir(), time.Second                            // of what it started itself
	run.Env = append(os.Environ(), "LARDER_URL="+w.url, "LARDER_KEY="+w.key)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := idsOfPages(t, run.Dir); !slices.Equal(got, want) {
		t.Errorf("it has %d prices, or others; served are %d\n%.2000s", len(got), len(want), out)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refused == 0 || w.unchanged == 0 || w.firstPages != 2 || !bytes.Contains(out, []byte("once more")) {
		t.Errorf("it was refused %d times, found nothing changed %d times and began the prices %d times\n%s", w.refused, w.unchanged, w.firstPages, out)
	}
}

// priceIDs are the ids of a page of prices.
func priceIDs(t *testing.T, page []byte) (ids []string) {
	t.Helper()
	var x struct {
		Observations []struct {
			ID json.Number `json:"id"`
		} `json:"observations"`
	}
	if err := json.Unmarshal(page, &x); err != nil {
		t.Fatal(err)
	}
	for _, o := range x.Observations {
		ids = append(ids, o.ID.String())
	}
	return ids
}

// servedIDs are the ids of the prices that the programs ask for.
func servedIDs(t *testing.T) (ids []string) {
	f := apitest.Serve(t)
	key := f.Key(state.Standard)
	for offset := 0; ; offset += 10_000 {
		r := f.Get(fmt.Sprintf("/api/v1/prices?from=2026-11-02&to=2026-11-15&limit=%d&offset=%d", 10_000, offset), key)
		ids = append(ids, priceIDs(t, r.Content)...)
		if at(r.JSON(t), "meta.has_more") != "true" {
			return ids
		}
	}
}

// idsOfPages reads prices-0.json, prices-5000.json, and so on.
func idsOfPages(t *testing.T, dir string) (ids []string) {
	for offset := 0; ; offset += 5000 {
		page, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("prices-%d.json", offset)))
		if err != nil {
			return ids
		}
		ids = append(ids, priceIDs(t, page)...)
	}
}

// worn is a server whose key has used up its minute. The clock runs a second with every
// request. After the first page of prices an operator sets an old row aside, which changes
// the snapshot and all tags, but not the prices that the programs ask for.
type worn struct {
	url, key                       string
	mu                             sync.Mutex
	refused, unchanged, firstPages int
}

func newWorn(t *testing.T) *worn {
	f, path := apitest.ServeCopy(t)
	const perMinute = 60
	w := &worn{key: f.Key(state.Standard, func(n *state.NewKey) { n.PerMinute = perMinute })}
	for range perMinute {
		f.Get("/api/v1/usage", w.key)
	}
	w.url = ticking(t, f, func(r *http.Request, status int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch {
		case status == http.StatusTooManyRequests:
			w.refused++
		case status == http.StatusNotModified:
			w.unchanged++
		case status == http.StatusOK && r.URL.Path == "/api/v1/prices" && r.URL.Query().Get("offset") == "0" && r.Header.Get("If-None-Match") == "":
			if w.firstPages++; w.firstPages > 1 {
				break
			}
			d, _ := apitest.Demo()
			o := &d.Rows[0]
			if _, err := sqlite.SetAside(r.Context(), path, panel.Quarantine{Listing: o.Listing, Store: o.Store, Observation: o.ID, Reason: "test"}, f.Clock.Now()); err != nil {
				t.Error(err)
			}
			f.Look(true)
		}
	})
	return w
}

// ticking serves f at an address of its own until the test ends. The clock runs a second
// with every request. note gets every request and its status.
func ticking(t *testing.T, f *apitest.Server, note func(r *http.Request, status int)) (url string) {
	inner := f.API.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		seen := httptest.NewRecorder()
		inner.ServeHTTP(seen, r)
		got := &apitest.Response{Response: seen.Result(), Content: seen.Body.Bytes()}
		got.Request = r
		apitest.Check(t, got)
		f.Clock.Advance(time.Second)
		note(r, seen.Code)
		maps.Copy(rw.Header(), seen.Header())
		rw.WriteHeader(seen.Code)
		rw.Write(seen.Body.Bytes()) //nolint:errcheck // the program says if it got less
	}))
	t.Cleanup(server.Close)
	return server.URL
}
