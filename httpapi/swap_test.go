package httpapi_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
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

// TestSwapMakesWhatWasAskedFor swaps a snapshot whose readers asked for some of what takes long to
// make. That is there when the next one is served, and only for as long as readers ask.
func TestSwapMakesWhatWasAskedFor(t *testing.T) { // not at once with others, which take memory too
	f, path := apitest.ServeCopy(t)
	attrition := func(s *prepared.Served) error {
		_, err := s.Attrition(s.LastClosed(f.Clock.Now()))
		return err
	}
	quality := func(s *prepared.Served) error {
		_, err := s.Quality()
		return err
	}
	grid := func(s *prepared.Served) error {
		_, err := s.Grid()
		return err
	}
	regular := func(s *prepared.Served) error {
		_, err := s.Companions[jevons.RegularSeries]()
		return err
	}
	takes := func(of func(*prepared.Served) error) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := of(f.Snapshots.Current()); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	const made = 50_000 // bytes; to make any of them takes more
	for _, of := range []func(*prepared.Served) error{quality, grid, attrition} {
		if n := takes(of); n < made {
			t.Fatalf("%d bytes at the start", n)
		}
	}
	f.Swap(apitest.Other(), path)
	for i, of := range []func(*prepared.Served) error{quality, grid, attrition} {
		if n := takes(of); n >= made {
			t.Errorf("%d: %d bytes after the swap", i, n)
		}
	}
	if n := takes(regular); n < made {
		t.Errorf("nobody asked for it, and it was made: %d bytes", n)
	}
	f.Swap(apitest.Long(), path)
	if n := takes(regular); n >= made {
		t.Errorf("%d bytes after the second swap", n)
	}
	_, demo := apitest.Demo()
	f.Swap(demo, path)
	if n := takes(quality); n < made {
		t.Errorf("nobody asked for it any more, and it was made: %d bytes", n)
	}
}
