package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/client"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

var exampleDir string

func TestMain(m *testing.M) {
	var err error
	if exampleDir, err = os.MkdirTemp("", "larder-client-*"); err != nil {
		log.Fatal(err)
	}
	status := apitest.Run(m, false)
	os.RemoveAll(exampleDir)
	os.Exit(status)
}

// prices is a server of synthetic prices, and a key for it.
var prices = sync.OnceValues(func() (address, key string) {
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	dir := filepath.Join(exampleDir, "prices")
	check(os.Mkdir(dir, 0o700))
	made, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: 4, Stores: 20})
	check(err)
	check(made.WriteDir(filepath.Join(dir, "panel")))
	ctx, snapshot := context.Background(), filepath.Join(dir, "panel.db")
	_, err = sqlite.Import(ctx, filepath.Join(dir, "panel"), snapshot, sqlite.ImportOptions{})
	check(err)
	now := func() time.Time { return time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC) }
	db, err := state.Open(ctx, filepath.Join(dir, "state.db"), state.Options{Serve: true, Now: now})
	check(err)
	_, key, err = db.CreateKey(ctx, state.NewKey{Name: "Example", Tier: state.Standard})
	check(err)
	snapshots := prepared.NewSnapshots(snapshot, now)
	check(snapshots.Refresh(ctx))
	s, err := httpapi.New(httpapi.Config{Now: now, Snapshots: snapshots, State: db, Log: slog.New(slog.DiscardHandler), BaseURL: "https://prices.example.org"})
	check(err)
	return httptest.NewServer(s.Handler()).URL, key
})

// The headline of the whole country, week by week.
func Example() {
	address, key := prices()
	c, err := client.New(address, client.Key(key), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range c.Index(context.Background(), client.Query{"level": "national", "category": "overall"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Week, r.Index, r.YoY.Valid)
	}
	// Output:
	// 2026-10-25 100.0000 false
	// 2026-11-01 100.1081 false
	// 2026-11-08 100.0499 false
	// 2026-11-15 100.2150 false
}

// The key is read from a file, which a rotation writes anew. A wait is told.
func ExampleNew() {
	address, _ := prices()
	key := func() string {
		text, _ := os.ReadFile("/etc/larder.key")
		return string(text)
	}
	c, err := client.New(address, key, client.Options{
		MaxWait: time.Minute,
		Waiting: func(d time.Duration, refusal *client.Error) { log.Printf("waiting %v: %v", d, refusal) },
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, err := range c.Products(context.Background()) {
		if refusal, ok := errors.AsType[*client.Error](err); ok {
			fmt.Println(refusal.Status, refusal.Code)
		}
	}
	// Output: 401 unauthorized
}

// Prices are exact: the digits are those that the server sends.
func ExampleClient_Prices() {
	address, key := prices()
	c, err := client.New(address, client.Key(key), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range c.Prices(context.Background(), client.Query{"product_id": "1"}) {
		if err != nil {
			log.Fatal(err)
		}
		price, err := panel.ParsePrice(string(r.Effective))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Store.City, r.Listing.Banner, price.Decimal(), r.Sale == "")
		break
	}
	// Output: Calgary rimfield 6.2192 true
}

// Places are compared by their changes since one week, not by their levels.
func ExampleCompare() {
	address, key := prices()
	c, err := client.New(address, client.Key(key), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	cities, err := client.Collect(c.Index(context.Background(), client.Query{"level": "city", "category": "overall"}))
	if err != nil {
		log.Fatal(err)
	}
	since := panel.Week(panel.DateOf(2026, time.November, 1))
	_, err = client.Compare(table.ViewIndex, since.Add(2), 0, cities...)
	fmt.Println(errors.Is(err, client.ErrLevels))
	changes, err := client.Compare(table.ViewSince, since.Add(2), since, cities...)
	if err != nil {
		log.Fatal(err)
	}
	for i, s := range cities[:3] {
		fmt.Println(s.Cell.City, changes[i])
	}
	// Output:
	// true
	// Calgary 1.2121
	// Charlottetown 1.7088
	// Edmonton -1.3677
}
