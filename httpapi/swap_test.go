package httpapi_test

import (
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestPagingAcrossASwap follows pages of many lengths while the snapshot is replaced by one
// with later rows. Every row of the later snapshot comes once, in order.
func TestPagingAcrossASwap(t *testing.T) {
	t.Parallel()
	before, after := apitest.SmallSnapshots()
	path := filepath.Join(t.TempDir(), "panel.db")
	apitest.Replace(t, path, apitest.Read(before))
	f := apitest.ServeFile(t, path, apitest.Ample)
	key := f.Key(state.Standard)
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
		f.Swap(before, path)
		old := all()
		f.Swap(after, path)
		now := all()
		for _, length := range c.lengths {
			t.Run(c.name+" by "+length, func(t *testing.T) {
				f := f.For(t)
				f.Swap(before, path)
				limit, swapped := pageLengths(r)[length], false
				if length == "random" { // several pages of each snapshot
					limit = func() int { return 1 + r.IntN(old.raw/4) }
				}
				got := c.walk(f, key, c.query, limit, func(raw int) {
					if !swapped && raw >= old.raw/3 {
						f.Swap(after, path)
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

// TestSwapOfReleasesUnderLoad asks while releases are published, whose log and snapshot are
// replaced one after the other. Each answer is wholly of the release that it names.
func TestSwapOfReleasesUnderLoad(t *testing.T) {
	t.Parallel()
	asked := []string{
		"/api/v1/index?from=2026-08-01&to=2026-12-01", "/api/public/index?from=2026-08-01&to=2026-12-01&level=city&limit=40", "/api/v1/products",
		"/api/v1/prices?from=2026-10-20&to=2026-12-01&limit=40", "/api/v1/revisions?limit=400&from=2026-10-01",
	}
	want := map[string]string{} // bodies by release and address
	id := func(r *apitest.Response) string { return at(r.JSON(t), "meta.release.id") }
	run := func(published func(f *apitest.Server, key string)) (f *apitest.Server, ask func() string) {
		f, x := apitest.ServeReleases(t, apitest.Ample)
		key := f.Key(state.Standard)
		for i, db := range x.Snapshots(t) {
			if i > 0 {
				f.Clock.Advance(7 * 24 * time.Hour)
			}
			x.Publish(t, f, db, "")
			published(f, key)
		}
		return f, func() string { return id(f.Get(asked[0], key)) }
	}
	run(func(f *apitest.Server, key string) {
		f.Look(false)
		for _, url := range asked {
			r := f.Get(url, key)
			want[id(r)+url] = withoutDate(r.Content)
		}
	})
	if len(want) != 4*len(asked) {
		t.Fatalf("%d bodies", len(want))
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	first := true
	f, ask := run(func(f *apitest.Server, key string) {
		if !first {
			return // the server is left to find out by itself
		}
		first = false
		f.Look(false)
		for i := range 3 {
			wg.Go(func() {
				for n := i; ; n++ {
					select {
					case <-stop:
						return
					default:
					}
					r := f.Get(asked[n%len(asked)], key)
					if body, ok := want[id(r)+asked[n%len(asked)]]; !ok || withoutDate(r.Content) != body {
						t.Errorf("%s: %d of %s, another body than that release has", r.Request.URL, r.StatusCode, id(r))
						return
					}
				}
			})
		}
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					f.Look(false)
				}
			}
		})
	})
	close(stop)
	wg.Wait()
	if f.Look(false); ask() != `"r4"` {
		t.Errorf("in the end %s is served", ask())
	}
	if n := f.Snapshots.Status().Refused; n != 0 {
		t.Errorf("%d refused", n)
	}
}
