package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestOnPostgreSQL runs the tests of keys, sessions and limits on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	t.Parallel()
	pgtest.Again(t, "^Test(Scripts|LimitsUnderLoad)$", "Replaced")
}

// TestStateHangs takes away the answers of the state's database. A request is refused within the
// patience of the state, also where many wait, and answered when the database is there again.
func TestStateHangs(t *testing.T) {
	t.Parallel()
	hole, silence := pgtest.BlackHole(t, pgtest.Database(t, pgtest.Start(t, "fsync=off")))
	f := apitest.ServeState(t, hole)
	key := f.Key(state.Standard)
	apitest.WantStatus(t, f.Get("/api/v1/products", key), http.StatusOK)
	silence(true)
	began, answers := time.Now(), make(chan *apitest.Response)
	const requests = 20 // more than there are connections
	for range requests {
		go func() { answers <- f.Get("/api/v1/products", key) }()
	}
	for range requests {
		r := <-answers
		apitest.WantError(t, "a database that hangs", r, http.StatusInternalServerError, "state_unavailable")
		if took := time.Since(began); took < 4*time.Second || took > 8*time.Second || r.Header.Get("Retry-After") != "5" {
			t.Errorf("refused after %s: %v", took, r.Header)
		}
	}
	silence(false)
	back := func() bool { return f.Get("/api/v1/products", key).StatusCode == http.StatusOK }
	if !eventually(back) {
		t.Error("no answer when the database is there again")
	}
}
