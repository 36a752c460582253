package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
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

// TestLLMs looks for every address of the API in llms.txt.
func TestLLMs(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
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
