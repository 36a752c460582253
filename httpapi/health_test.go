package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// readiness is the body of /readyz.
type readiness struct {
	Status, Error, Code, RequestID string
	Snapshot                       struct {
		Hash     *string
		LoadedAt *time.Time `json:"loaded_at"`
		Refused  int
		File     struct{ Path, Status, Reason, Detail string }
	}
	State struct {
		Status, Detail string
		Empty          bool
	}
}

// readinessOf asks the public address.
func readinessOf(t testing.TB, f *apitest.Server, status int) readiness {
	t.Helper()
	return decodeReadiness(t, f.Get("/readyz", ""), status)
}

func decodeReadiness(t testing.TB, got *apitest.Response, status int) (x readiness) {
	t.Helper()
	if got.StatusCode != status {
		t.Errorf("/readyz: %d %s, want %d", got.StatusCode, got.Content, status)
	}
	if err := json.Unmarshal(got.Content, &x); err != nil {
		t.Fatal(err)
	}
	if (status == http.StatusServiceUnavailable) != (got.Header.Get("Retry-After") != "") || (status != 200) != (x.Error != "" && x.RequestID != "") {
		t.Errorf("/readyz: %s, Retry-After %q", got.Content, got.Header.Get("Retry-After"))
	}
	return x
}

func TestHealth(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	for name, got := range map[string]*apitest.Response{"public": f.Get("/healthz", ""), "admin": f.Admin("GET", "/healthz")} {
		if got.StatusCode != 200 || string(got.Content) != "{\"status\":\"ok\"}\n" || got.Header.Get("Content-Type") != "application/json; charset=utf-8" || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.Content)
		}
	}
	x := readinessOf(t, f, 200)
	if x.Status != "ready" || *x.Snapshot.Hash != f.Snapshots.Current().Info.Hash || !x.Snapshot.LoadedAt.Equal(apitest.Now) || x.State.Status != "ok" {
		t.Errorf("%+v", x)
	}
}

// TestReadinessKeepsPathsPrivate makes sure that only the admin address shows paths and
// details of faults.
func TestReadinessKeepsPathsPrivate(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, t.TempDir()+"/secret-name.db")
	f.State.Close()
	public, admin := f.Get("/readyz", ""), f.Admin("GET", "/readyz")
	if strings.Contains(string(public.Content), "secret-name") || strings.Contains(string(public.Content), "detail") {
		t.Errorf("public: %s", public.Content)
	}
	x := decodeReadiness(t, admin, 503)
	if !strings.HasSuffix(x.Snapshot.File.Path, "secret-name.db") || !strings.Contains(x.Snapshot.File.Detail, "no such file") ||
		x.State.Status != "unavailable" || x.State.Detail != state.ErrClosed.Error() || x.Code != "state_unavailable" {
		t.Errorf("admin: %s", admin.Content)
	}
}

// TestReadinessLooksAtTheState asks often. The state is looked at once a second, and again
// when the clock was set back. A client that leaves while it asks is no fault.
func TestReadinessLooksAtTheState(t *testing.T) {
	t.Parallel()
	for wait, status := range map[time.Duration]int{time.Second - 1: 200, time.Second: 503, -time.Hour: 503} {
		f := apitest.Serve(t)
		if x := readinessOf(t, f, 200); !x.State.Empty || x.State.Status != "ok" {
			t.Errorf("without a key: %+v", x)
		}
		f.Key(state.Research)
		f.Clock.Advance(time.Second)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		f.API.AdminHandler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(gone, "GET", "/readyz", nil))
		if x := readinessOf(t, f, 200); x.State.Empty {
			t.Errorf("with a key: %+v", x)
		}
		f.State.Close()
		f.Clock.Advance(wait)
		if x := readinessOf(t, f, status); (x.State.Status == "ok") != (status == 200) {
			t.Errorf("%s later: %+v", wait, x)
		}
	}
}

// TestAdminAddress asks for what each address has. Answers under https keep browsers to https.
func TestAdminAddress(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	for path, status := range map[string]int{"/metrics": 404, "/": 200, "/healthz": 200, "/openapi.json": 200, "/api/v1/index": 401} {
		if got := f.Get(path, ""); got.StatusCode != status || got.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("%s on the public address: %d %v", path, got.StatusCode, got.Header)
		}
	}
	plain := apitest.Serve(t, func(c *httpapi.Config) { c.BaseURL = "http://larder.example" })
	if got := plain.Get("/", "").Header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("http: %q", got)
	}
	for what, allow := range map[string]string{"POST /metrics": "GET, HEAD", "DELETE /readyz": "GET, HEAD", "GET /": "", "GET /api/v1/index": "", "GET /metrics/": ""} {
		method, path, _ := strings.Cut(what, " ")
		status, code := 404, "not_found"
		if allow != "" {
			status, code = 405, "method_not_allowed"
		}
		got := f.Admin(method, path)
		if apitest.WantError(t, what, got, status, code); got.Header.Get("Allow") != allow {
			t.Errorf("%s: %v", what, got.Header)
		}
	}
}
