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
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

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
