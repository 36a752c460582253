package state_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// A server's use of the state, from key to answer.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "larder")
	must(err)
	defer os.RemoveAll(dir)
	now := func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }
	db, err := state.Open(ctx, filepath.Join(dir, "state.db"), state.Options{Serve: true, Now: now})
	must(err)
	defer db.Close()
	_, secret, err := db.CreateKey(ctx, state.NewKey{Name: "Example", Tier: state.Research, PerMonth: 1})
	must(err)

	for range 2 {
		key, err := db.Lookup(ctx, secret)
		must(err)
		entry := state.Entry{KeyID: key.ID, Auth: state.AuthKey, Endpoint: "/api/v1/products", Status: 200,
			Limit: key.Limits.PerMonth}
		err = db.Append(ctx, entry)
		if errors.As(err, new(*state.QuotaError)) {
			entry.Status = 429
			must(db.Append(ctx, entry))
			fmt.Println(err)
			continue
		}
		must(err)
		fmt.Println("answered")
	}
	usage, err := db.Usage(ctx, state.MonthOf(now()), 0)
	must(err)
	for _, u := range usage {
		fmt.Println(u.Name, u.StatusClass, u.Requests, u.Counted)
	}
	// Output:
	// answered
	// the quota of 1 requests for 2026-11 is used up
	// Example 2 1 1
	// Example 4 1 0
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
