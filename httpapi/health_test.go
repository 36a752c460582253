package httpapi

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// readiness asks the public address.
func (f *fixture) readiness(t testing.TB, status int) readiness {
	t.Helper()
	return decodeReadiness(t, f.get("/readyz", ""), status)
}

func decodeReadiness(t testing.TB, got *response, status int) (x readiness) {
	t.Helper()
	if got.StatusCode != status {
		t.Errorf("/readyz: %d %s, want %d", got.StatusCode, got.body, status)
	}
	if err := json.Unmarshal(got.body, &x); err != nil {
		t.Fatal(err)
	}
	if (status == http.StatusServiceUnavailable) != (got.Header.Get("Retry-After") != "") || (status != 200) != (x.Error != "" && x.RequestID != "") {
		t.Errorf("/readyz: %s, Retry-After %q", got.body, got.Header.Get("Retry-After"))
	}
	return x
}

// admin asks the admin handler.
func (f *fixture) admin(method, path string) *response {
	f.t.Helper()
	w := httptest.NewRecorder()
	f.server.AdminHandler().ServeHTTP(w, httptest.NewRequestWithContext(f.t.Context(), method, path, nil))
	r := w.Result()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return &response{r, body}
}

func request(client *http.Client, address, key string) (*http.Response, error) {
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	return client.Do(r)
}

func TestHealth(t *testing.T) {
	f := serveDemo(t)
	for name, got := range map[string]*response{"public": f.get("/healthz", ""), "admin": f.admin("GET", "/healthz")} {
		if got.StatusCode != 200 || string(got.body) != "{\"status\":\"ok\"}\n" || got.Header.Get("Content-Type") != jsonType || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.body)
		}
	}
	x := f.readiness(t, 200)
	if x.Status != "ready" || *x.Snapshot.Hash != f.snapshots.Current().Info.Hash || !x.Snapshot.LoadedAt.Equal(testNow) || x.State.Status != "ok" {
		t.Errorf("%+v", x)
	}
	if got := f.do("HEAD", "/readyz", "", ""); got.StatusCode != 200 || len(got.body) != 0 || got.ContentLength <= 0 {
		t.Errorf("HEAD: %d %q %d", got.StatusCode, got.body, got.ContentLength)
	}
}

// The public address does not say where the files are, nor what they suffer
// from in full; the admin one does.
func TestReadinessKeepsPathsPrivate(t *testing.T) {
	f := serveSnapshot(t, t.TempDir()+"/secret-name.db")
	f.state.Close()
	public, admin := f.get("/readyz", ""), f.admin("GET", "/readyz")
	if strings.Contains(string(public.body), "secret-name") || strings.Contains(string(public.body), "detail") {
		t.Errorf("public: %s", public.body)
	}
	x := decodeReadiness(t, admin, 503)
	if !strings.HasSuffix(x.Snapshot.File.Path, "secret-name.db") || !strings.Contains(x.Snapshot.File.Detail, "no such file") ||
		x.State.Status != "unavailable" || x.State.Detail != state.ErrClosed.Error() || x.Code != "state_unavailable" {
		t.Errorf("admin: %s", admin.body)
	}
}

// However often it is asked, the state is only made to prove itself once a
// second.
func TestReadinessPingsSeldom(t *testing.T) {
	f := serveDemo(t)
	f.readiness(t, 200)
	f.state.Close()
	f.clock.Advance(pingEvery - 1)
	f.readiness(t, 200)
	f.clock.Advance(1)
	if x := f.readiness(t, 503); x.State.Status != "unavailable" {
		t.Errorf("%+v", x)
	}
}

// Neither a clock that was set back nor a client that went away while it asked
// makes an answer last.
func TestReadinessIsNotStuck(t *testing.T) {
	f := serveDemo(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	f.server.AdminHandler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(gone, "GET", "/readyz", nil))
	f.readiness(t, 200)
	f.state.Close()
	f.clock.Set(testNow.Add(-time.Hour))
	f.readiness(t, 503)
}

// The look at the state is a write, or a full disk would not be found.
func TestReadinessWrites(t *testing.T) {
	f := serveDemo(t)
	db, err := sql.Open("sqlite3", f.statePath)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var versions [2]int // of the data, as another connection sees it
	for i := range versions {
		if err := db.QueryRow("PRAGMA data_version").Scan(&versions[i]); err != nil {
			t.Fatal(err)
		}
		f.readiness(t, 200)
	}
	if versions[0] == versions[1] {
		t.Error("nothing was written")
	}
}

func TestAdminAddress(t *testing.T) {
	f := serveDemo(t)
	if got := f.get("/metrics", ""); got.StatusCode != 404 {
		t.Errorf("/metrics on the public address: %d", got.StatusCode)
	}
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"POST", "/metrics", 405, "GET, HEAD"},
		{"DELETE", "/readyz", 405, "GET, HEAD"},
		{"GET", "/", 404, ""},
		{"GET", "/api/v1/index", 404, ""},
		{"GET", "/metrics/", 404, ""},
	} {
		got := f.admin(c.method, c.path)
		if got.StatusCode != c.status || got.Header.Get("Allow") != c.allow || got.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s %s: %d %v", c.method, c.path, got.StatusCode, got.Header)
		}
		if c.status >= 400 && (got.Header.Get("Content-Type") != jsonType || !json.Valid(got.body)) {
			t.Errorf("%s %s: %s", c.method, c.path, got.body)
		}
	}
}
