package httpapi_test

import (
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestReplicas has three servers on one database. 64 clients ask them in turn for more than the
// key's month has. The servers answer exactly the month, together, and agree on what is left.
// What one server changes holds on the others at once.
func TestReplicas(t *testing.T) {
	if os.Getenv(pgtest.Environment) != "" {
		t.Skip("the state is on PostgreSQL anyway")
	}
	server := pgtest.Start(t, "fsync=off")
	address := pgtest.Database(t, server.Address)
	replicas := make([]*apitest.Server, 3)
	for i := range replicas {
		replicas[i] = apitest.ServeState(t, address, apitest.Ample)
	}
	const quota, clients, each = 1500, 64, 40
	k, key := replicas[0].Created(state.NewKey{Tier: state.Standard, PerMonth: quota})
	var turn, answered, refused, other atomic.Int64
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				f := replicas[turn.Add(1)%3]
				switch r := f.Get("/api/v1/products", key); r.StatusCode {
				case http.StatusOK:
					answered.Add(1)
				case http.StatusTooManyRequests:
					refused.Add(1)
				default:
					other.Add(1)
					t.Errorf("%d %s", r.StatusCode, r.Content)
				}
			}
		})
	}
	wg.Wait()
	if answered.Load() != quota || refused.Load() != clients*each-quota {
		t.Errorf("%d answered and %d refused of a quota of %d", answered.Load(), refused.Load(), quota)
	}
	months, err := replicas[1].State.Usage(t.Context(), state.MonthOf(apitest.Now), k.ID)
	if err != nil || months[0].Total.Counted != quota || months[0].Total.Requests != clients*each {
		t.Errorf("the log has %+v, %v", months[0].Total, err)
	}
	for _, f := range replicas {
		f.Clock.Advance(2 * time.Second)
		if used := at(f.Get("/api/v1/usage", key).JSON(t), "month.used"); used != strconv.Itoa(quota) {
			t.Errorf("a server says that %s are used", used)
		}
	}
	// Sessions, rotations and terms hold everywhere.
	session := apitest.WithCookie(replicas[0].SignIn(key))
	apitest.WantStatus(t, replicas[1].Get("/account/session", "", session), http.StatusOK)
	rotated := replicas[1].Post("/account/key/rotate", "", session).JSON(t)["key"].(string)
	apitest.WantStatus(t, replicas[2].Get("/api/v1/usage", key), http.StatusUnauthorized)
	apitest.WantStatus(t, replicas[2].Get("/api/v1/usage", rotated), http.StatusOK)
	if _, err := replicas[2].State.DisableKey(t.Context(), k.ID); err != nil {
		t.Fatal(err)
	}
	apitest.WantStatus(t, replicas[0].Get("/api/v1/usage", rotated), http.StatusForbidden)
}

// TestPostgreSQLGone kills PostgreSQL under a server, and starts it again. Where the state
// is needed, the answer is 503. What needs no key goes on. Nothing that was answered is lost.
func TestPostgreSQLGone(t *testing.T) {
	if os.Getenv(pgtest.Environment) != "" {
		t.Skip("this process must not kill it")
	}
	server := pgtest.Start(t)
	f := apitest.ServeState(t, pgtest.Database(t, server.Address), apitest.Ample, func(c *httpapi.Config) { c.PublicPerMinute = 1 << 20 })
	k, key := f.Created(state.NewKey{Tier: state.Enterprise})
	session := apitest.WithCookie(f.SignIn(key))
	stop := make(chan struct{})
	var answered, gone atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				switch r := f.Get("/api/v1/products", key); r.StatusCode {
				case http.StatusOK:
					answered.Add(1)
				case http.StatusServiceUnavailable:
					gone.Add(1)
					if r.Header.Get("Retry-After") == "" || at(r.JSON(t), "code") != `"state_unavailable"` {
						t.Errorf("%v %s", r.Header, r.Content)
					}
				default:
					t.Errorf("%d %s", r.StatusCode, r.Content)
				}
			}
		})
	}
	until := func(what string, met func() bool) {
		t.Helper()
		for begin := time.Now(); !met(); time.Sleep(time.Millisecond) {
			if time.Since(begin) > 30*time.Second {
				t.Fatal("never: ", what)
			}
		}
	}
	refuse := func(method, path string, change ...apitest.Change) {
		t.Helper()
		apitest.WantError(t, method+" "+path, f.Do(method, path, "", "", change...), http.StatusServiceUnavailable, "state_unavailable")
	}
	bearer := apitest.Header("Authorization", "Bearer "+key)
	for range 2 {
		before := answered.Load()
		until("answers", func() bool { return answered.Load() > before+100 })
		server.Kill()
		missed := gone.Load()
		until("503", func() bool { return gone.Load() > missed+20 })
		for _, x := range f.API.Routes() {
			switch {
			case x.SessionOnly:
				refuse(http.MethodGet, x.Path, session)
			case x.Licensed:
				refuse(http.MethodGet, x.Path, bearer)
			}
		}
		for _, form := range []string{".svg", ".png", ".csv", ".json", ".txt", ".bib"} {
			refuse(http.MethodGet, "/figure"+form+"?s=toronto.dairy", bearer)
		}
		refuse(http.MethodGet, "/account/session", session)
		refuse(http.MethodDelete, "/account/session", session)
		refuse(http.MethodPost, "/account/key/rotate", session)
		apitest.WantError(t, "signing in", f.Post("/account/session", `{"key": "`+key+`"}`), http.StatusServiceUnavailable, "state_unavailable")
		for _, path := range []string{"/", "/shopper", "/docs", "/api/shopper/catalog", "/healthz", "/openapi.json"} {
			apitest.WantStatus(t, f.Get(path, ""), http.StatusOK)
		}
		apitest.WantStatus(t, f.Get("/account", "", session, apitest.Header("Accept", "text/html")), http.StatusServiceUnavailable)
		f.Clock.Advance(2 * time.Second)
		apitest.WantStatus(t, f.Get("/readyz", ""), http.StatusServiceUnavailable)
		if err := server.Run(); err != nil {
			t.Fatal(err)
		}
	}
	before := answered.Load()
	until("answers again", func() bool { return answered.Load() > before+100 })
	close(stop)
	wg.Wait()
	f.Clock.Advance(2 * time.Second)
	months, err := f.State.Usage(t.Context(), state.MonthOf(apitest.Now), k.ID)
	if err != nil {
		t.Fatal(err)
	}
	var logged int64
	for _, line := range months[0].Lines {
		if line.Endpoint == "/api/v1/products" {
			logged += line.Counted
		}
	}
	// A commit whose answer was lost may be in the log without an answer to the client: one
	// batch at most for each kill.
	if lost := logged - answered.Load(); lost < 0 || lost > 2*16 {
		t.Errorf("%d were answered, %d are in the log", answered.Load(), logged)
	}
	if used := at(f.Get("/api/v1/usage", key).JSON(t), "month.used"); used != strconv.FormatInt(logged, 10) {
		t.Errorf("%s used, %d in the log", used, logged)
	}
	t.Logf("%d answered, %d refused with 503, %d in the log", answered.Load(), gone.Load(), logged)
}
