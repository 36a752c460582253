package httpapi_test

import (
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestSwapOfReleasesUnderLoad asks while releases are published, whose log and snapshot are
// replaced one after the other. Each answer is wholly of the release that it names.
func TestSwapOfReleasesUnderLoad(t *testing.T) {
	t.Parallel()
	asked := []string{
		"/api/v1/index?from=2026-08-01&to=2026-12-01", "/api/public/index?from=2026-08-01&to=2026-12-01&level=city&limit=40", "/api/v1/products",
		"/api/v1/prices?from=2026-10-20&to=2026-12-01&limit=40", "/api/v1/revisions?limit=400&from=2026-10-01",
	}
	want := map[string]string{} // bodies by release and address
	id := func(r *apitest.Response) string { return r.Header.Get("X-Release") }
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
	if f.Look(false); ask() != "r4" {
		t.Errorf("in the end %s is served", ask())
	}
	if n := f.Snapshots.Status().Refused; n != 0 {
		t.Errorf("%d refused", n)
	}
}
