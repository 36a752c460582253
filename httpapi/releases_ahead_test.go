package httpapi_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel/onefile"
)

// TestReleaseAhead makes a release that goes live in an hour. Servers answer from it from that
// instant on, to the nanosecond, whenever they looked: one that looked before, one that started
// in between. One whose snapshot is late answers from the old release and says so. Every answer
// names its release.
func TestReleaseAhead(t *testing.T) {
	t.Parallel()
	looked, x := apitest.ServeReleases(t)
	weeks := x.Snapshots(t)
	x.Publish(t, looked, weeks[0], "first")
	looked.Look(false)
	kept := filepath.Join(t.TempDir(), "late.db")
	if err := os.WriteFile(kept, apitest.Read(x.Live), 0o600); err != nil {
		t.Fatal(err)
	}

	now := looked.Clock.Now().AddDate(0, 0, 7)
	looked.Clock.Set(now)
	live := now.Add(time.Hour)
	x.PublishAhead(t, looked, weeks[1], "second", live)
	looked.Look(false)
	late := (&apitest.Releases{Live: kept, Log: x.Log}).Serve(t, now)
	started := x.Serve(t, now)
	if err := os.Rename(x.Live+onefile.Previous, x.Live+".away"); err != nil {
		t.Fatal(err)
	}
	alone := x.Serve(t, now)

	of := func(what string, f *apitest.Server, want string) {
		t.Helper()
		key := f.Key(state.Standard)
		for _, path := range []string{"/api/v1/index", "/api/v1/prices", "/api/v1/products", "/api/v1/shrinkflation"} {
			r := f.Get(path, key)
			apitest.WantStatus(t, r, http.StatusOK)
			if id := at(r.JSON(t), "meta.release.id"); id != `"`+want+`"` || r.Header.Get("X-Release") != want {
				t.Errorf("%s: %s is of %s, and its header says %q; want %s", what, path, id, r.Header.Get("X-Release"), want)
			}
		}
		for _, path := range []string{"/", "/figure.json?s=national.overall", "/api/shopper/catalog", "/releases"} {
			if r := f.Get(path, ""); r.StatusCode != http.StatusOK || r.Header.Get("X-Release") != want {
				t.Errorf("%s: %s: %d of %q; want %s", what, path, r.StatusCode, r.Header.Get("X-Release"), want)
			}
		}
		if body := string(f.Get("/releases.json", "").Content); strings.Contains(body, `"r2"`) != (want == "r2") {
			t.Errorf("%s: announced is %s; want up to %s", what, body, want)
		}
	}
	readiness := func(what string, f *apitest.Server, status int, state, due string) {
		t.Helper()
		r := f.Get("/readyz", "")
		if r.StatusCode != status || at(r.JSON(t), "status") != `"`+state+`"` || due != "" && at(r.JSON(t), "snapshot.due.id") != due {
			t.Errorf("%s: %d %s", what, r.StatusCode, r.Content)
		}
	}
	servers := map[string]*apitest.Server{"looked": looked, "started": started, "late": late}
	for name, f := range servers {
		of(name+" before", f, "r1")
		readiness(name+" before", f, http.StatusOK, "ready", "")
		apitest.WantError(t, "as of what is to come", f.Get("/api/v1/index?as_of=r2", f.Key(state.Standard)), http.StatusBadRequest, "invalid_parameter")
		f.Clock.Set(live.Add(-time.Nanosecond))
		of(name+" a nanosecond before", f, "r1")
		f.Clock.Set(live)
	}
	if r := alone.Get("/readyz", ""); r.StatusCode != http.StatusServiceUnavailable || at(r.JSON(t), "snapshot.file.reason") != `"not_live_yet"` || at(r.JSON(t), "snapshot.refused") != "0" {
		t.Errorf("without the snapshot before: %d %s", r.StatusCode, r.Content)
	}
	alone.Clock.Set(live)
	for range 2 { // before and after a look
		of("looked", looked, "r2")
		of("started", started, "r2")
		of("alone", alone, "r2")
		of("late", late, "r1")
		readiness("late", late, http.StatusOK, "degraded", `"r2"`)
		for _, f := range []*apitest.Server{looked, started, alone, late} {
			f.Look(false)
		}
	}
	for _, f := range []*apitest.Server{looked, started, alone} {
		readiness("after", f, http.StatusOK, "ready", absent)
		if s := f.Snapshots.Status(); s.Release != "r2" || s.Err != nil || !s.LoadedAt.Equal(live) {
			t.Errorf("%+v", s)
		}
		if n := logged(f, "snapshot loaded ahead"); n != 1 {
			t.Errorf("logged %d times that it is loaded ahead", n)
		}
	}
	apitest.Replace(t, kept, apitest.Read(x.Live))
	late.Look(false)
	of("late", late, "r2")
	readiness("late", late, http.StatusOK, "ready", absent)
}
