package httpapi

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// swap puts another snapshot in the place of the served one, as an import does.
func (f *fixture) swap(from, path string) {
	f.t.Helper()
	if err := errors.Join(copyFile(from, path+".new"), os.Rename(path+".new", path)); err != nil {
		f.t.Fatal(err)
	}
	if err := f.snapshots.Refresh(context.Background()); err != nil {
		f.t.Fatal(err)
	}
}

// TestPagingAcrossASwap follows pages while the snapshot is replaced by one
// with later rows: every row comes once, in order, as in the later snapshot.
func TestPagingAcrossASwap(t *testing.T) {
	before, after := smallSnapshots()
	path := filepath.Join(t.TempDir(), "panel.db")
	if err := copyFile(before, path); err != nil {
		t.Fatal(err)
	}
	f := serveSnapshot(t, path, ample)
	key := f.key(state.Standard)
	r := rand.New(rand.NewPCG(19, 23))
	for _, c := range []struct {
		resource
		name, query string
		lengths     []string
	}{
		{publicIndexResource, "public index", "from=2026-10-01", []string{"random"}},
		{indexResource, "index", "from=2026-10-01", []string{"1000", "random"}},
		{indexResource, "one cell", "from=2026-07-19&level=city&city=Toronto&category=overall", []string{"1", "7"}},
		{pricesResource, "prices", "from=2026-10-01", []string{"1000", "9999", "random"}},
		{pricesResource, "one product's prices", "product_id=3&from=2026-10-10&city=Toronto", []string{"1", "7"}},
		{shrinkflationResource, "events", "from=2026-08-01&confidence=low", []string{"random"}},
		{shrinkflationResource, "a banner's events", "from=2026-07-01&banner=northlarch", []string{"1", "7"}},
	} {
		all := func() walked { return c.walk(f, key, c.query, func() int { return 5000 }, nil) }
		f.swap(before, path)
		old := all()
		f.swap(after, path)
		now := all()
		for _, length := range c.lengths {
			t.Run(c.name+" by "+length, func(t *testing.T) {
				f := *f
				f.t = t
				f.swap(before, path)
				limit, swapped := pageLengths(r)[length], false
				if length == "random" { // several pages of each snapshot
					limit = func() int { return 1 + r.IntN(old.raw/4) }
				}
				got := c.walk(&f, key, c.query, limit, func(raw int) {
					if !swapped && raw >= old.raw/3 {
						f.swap(after, path)
						swapped = true
					}
				})
				if !swapped || len(old.rows) == 0 || len(now.rows) <= len(old.rows) {
					t.Fatalf("swapped: %t; %d rows before, %d after", swapped, len(old.rows), len(now.rows))
				}
				sameRows(t, got.rows, now.rows)
				if got.raw != now.raw || got.identity != now.identity || got.quarantine != now.quarantine {
					t.Errorf("walked %d, %d, %d, want %d, %d, %d", got.raw, got.identity, got.quarantine, now.raw, now.identity, now.quarantine)
				}
			})
		}
	}
}

// TestSwapUnderLoad asks for everything at once while snapshots come and go:
// each response is wholly of one of them, the one that its tag names.
func TestSwapUnderLoad(t *testing.T) {
	before, after := smallSnapshots()
	path := filepath.Join(t.TempDir(), "panel.db")
	if err := copyFile(before, path); err != nil {
		t.Fatal(err)
	}
	f := serveSnapshot(t, path, ample)
	key := f.key(state.Standard)
	asked := []string{
		"/api/public/index?limit=40&offset=6000", "/api/v1/index?limit=40&category=overall", "/api/v1/prices?limit=40&from=2026-10-28&city=Toronto",
		"/api/v1/prices?limit=40", "/api/v1/products", "/api/v1/shrinkflation?limit=40&confidence=low",
	}
	want := map[string]string{} // bodies by tag
	for _, db := range []string{before, after} {
		f.swap(db, path)
		for _, url := range asked {
			r := f.get(url, key)
			want[r.Header.Get("ETag")] = string(r.body)
		}
	}
	if len(want) != 2*len(asked) {
		t.Fatalf("%d tags of %d responses", len(want), 2*len(asked))
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range 8 * len(asked) {
				r := f.get(asked[(n+i)%len(asked)], key)
				if body, ok := want[r.Header.Get("ETag")]; r.StatusCode != 200 || !ok || string(r.body) != body {
					t.Errorf("%s: %d, tag known: %t, another body than its tag has", r.Request.URL, r.StatusCode, ok)
				}
			}
		})
	}
	for n := range 6 {
		f.swap([]string{before, after}[n%2], path)
	}
	wg.Wait()
}
