package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// contents are the demo's snapshot and another one.
func contents() (demo, other []byte) {
	_, db := apitest.Demo()
	return apitest.Read(db), apitest.Read(apitest.Other())
}

func logged(f *apitest.Server, what string) int {
	return strings.Count(f.Log.String(), `"msg":"`+what+`"`)
}

func flipped(b []byte) []byte {
	b = bytes.Clone(b)
	b[len(b)/2] ^= 1
	return b
}

// loggedSnapshot returns the snapshot in the log's line of a request. A client may have a
// response before the log has its line.
func loggedSnapshot(t *testing.T, f *apitest.Server, id string) string {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		for text := range strings.Lines(f.Log.String()) {
			var line struct{ ID, Snapshot string }
			if strings.Contains(text, id) && json.Unmarshal([]byte(text), &line) == nil && line.ID == id {
				return line.Snapshot
			}
		}
	}
	t.Fatalf("the log has no line of request %q", id)
	return ""
}

// TestAnswersNameTheSnapshot asks every address. Answers that depend on the snapshot name
// it, and so does the log.
func TestAnswersNameTheSnapshot(t *testing.T) {
	t.Parallel()
	for _, f := range []*apitest.Server{apitest.Serve(t), apitest.ServeFile(t, t.TempDir()+"/none.db")} {
		want := ""
		if served := f.Snapshots.Current(); served != nil {
			want = served.Info.Hash[:16]
		}
		key := f.Key(state.Standard)
		session := apitest.WithCookie(f.SignIn(key))
		named := func(what string, r *apitest.Response, want string) {
			t.Helper()
			id := r.Header.Get("X-Request-Id")
			if got := loggedSnapshot(t, f, id); r.Header.Get("X-Snapshot") != want || got != want {
				t.Errorf("%s: %d names the snapshot %q, its line in the log %q; want %q", what, r.StatusCode, r.Header.Get("X-Snapshot"), got, want)
			}
		}
		for _, x := range f.API.Routes() {
			switch {
			case x.SessionOnly:
				named(x.Path, f.Get(x.Path, "", session), want)
			case x.Licensed:
				r := f.Get(x.Path, key)
				named(x.Path, r, want)
				named(x.Path+" again", f.Get(x.Path, key, apitest.Header("If-None-Match", r.Header.Get("ETag"))), want)
				named(x.Path+" without a key", f.Get(x.Path, ""), want)
				named(x.Path+" with a wrong parameter", f.Get(x.Path+"?x=1", key), want)
			case x.Page && !x.Under && !strings.Contains(x.Path, "/docs/") && !strings.Contains(x.Path, ".") && x.Path != "/fr/":
				named(x.Path, f.Get(x.Path, ""), want)
				named(x.Path, f.Get(x.Path, "", session), want)
			}
		}
		for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
			named(path, f.Post(path, goodList), want)
		}
		named("the catalog", f.Get("/api/shopper/catalog", ""), want)
		named("a document", f.Get("/llms.txt", ""), "")
	}
}

// TestRefusedReplacement replaces the snapshot by bad files. A bad file is refused once and
// the old snapshot is served on. The same content again is no swap, another one is.
func TestRefusedReplacement(t *testing.T) {
	t.Parallel()
	demo, other := contents()
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	db, err := state.Open(t.Context(), foreign, state.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, c := range []struct {
		name    string
		content []byte // nil: no file
		reason  string
		status  string
	}{
		{"truncated", demo[:len(demo)-8192], "changed_since_published", "refused"},
		{"one bit flipped", flipped(demo), "changed_since_published", "refused"},
		{"another program's", apitest.Read(foreign), "not_a_snapshot", "refused"},
		{"text", []byte(strings.Repeat("id,name\n", 50)), "not_a_snapshot", "refused"},
		{"zero-length", []byte{}, "not_a_snapshot", "refused"},
		{"removed", nil, "missing", "missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, path := apitest.ServeCopy(t)
			key := f.Key(state.Standard)
			served := f.Snapshots.Current()
			before := f.Get("/api/v1/products", key).Content
			if c.content != nil {
				apitest.Replace(t, path, c.content)
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				f.Look(false)
			}
			status := f.Snapshots.Status()
			refused := 0
			if c.content != nil {
				refused = 1
			}
			if f.Snapshots.Current() != served || status.Err == nil || status.Refused != refused || status.Swaps != 0 {
				t.Errorf("status %+v", status)
			}
			if n := logged(f, "snapshot refused"); n != 1 {
				t.Errorf("logged %d times", n)
			}
			if got := f.Get("/api/v1/products", key); got.StatusCode != 200 || !bytes.Equal(got.Content, before) {
				t.Errorf("another answer: %d", got.StatusCode)
			}
			x := readinessOf(t, f, 200)
			if x.Status != "degraded" || x.Snapshot.File.Status != c.status || x.Snapshot.File.Reason != c.reason || x.Snapshot.Refused != refused {
				t.Errorf("readiness %+v", x)
			}

			apitest.Replace(t, path, demo)
			f.Look(false)
			if s := f.Snapshots.Status(); s.Err != nil || s.Swaps != 0 || f.Snapshots.Current() != served {
				t.Errorf("the same content again: %+v", s)
			}
			if x := readinessOf(t, f, 200); x.Status != "ready" || x.Snapshot.File.Status != "served" || logged(f, "snapshot file is the one served again") != 1 {
				t.Errorf("readiness %+v", x)
			}
			apitest.Replace(t, path, other)
			f.Look(false)
			if s := f.Snapshots.Status(); s.Swaps != 1 || s.Hash != f.Snapshots.Current().Info.Hash || f.Snapshots.Current() == served {
				t.Errorf("another snapshot: %+v", s)
			}
		})
	}
}

// TestSnapshotAppears starts a server without a snapshot, then adds one. Until then data is
// 500, a bad parameter is 400 even so, and all else works. Sessions of agents go on.
func TestSnapshotAppears(t *testing.T) {
	t.Parallel()
	demo, _ := contents()
	path := filepath.Join(t.TempDir(), "panel.db")
	f := apitest.ServeFile(t, path)
	key, session := f.Key(state.Standard), agent(f)
	f.Look(false)
	for path, want := range map[string]int{
		"/api/public/index": 500, "/api/v1/index": 500, "/api/v1/prices": 500, "/api/v1/products": 500, "/api/v1/shrinkflation": 500,
		"/api/v1/usage": 200, "/healthz": 200, "/openapi.json": 200,
	} {
		r := f.Get(path, key)
		if r.StatusCode != want || (want >= 500) != (r.Header.Get("Retry-After") != "") {
			t.Errorf("%s: %d %v %s; want %d", path, r.StatusCode, r.Header, r.Content, want)
		}
		if want == 500 {
			apitest.WantError(t, path, f.Get(path+"?limit=0", key), http.StatusBadRequest, "invalid_parameter")
		}
	}
	if code, seconds := refusedAs(callTool(t, session, "compare", goodList)); code != "data_unavailable" || seconds != 30 {
		t.Errorf("a tool: %s, %g s", code, seconds)
	}
	if x := readinessOf(t, f, 503); x.Status != "unavailable" || x.Code != "data_unavailable" || x.Snapshot.Hash != nil || x.Snapshot.File.Status != "missing" {
		t.Errorf("readiness %+v", x)
	}
	apitest.Replace(t, path, demo)
	f.Look(false)
	apitest.WantStatus(t, f.Get("/api/v1/index", key), http.StatusOK)
	if res := callTool(t, session, "compare", goodList); res.IsError {
		t.Errorf("a tool: %+v", res.Content)
	}
	if s := f.Snapshots.Status(); s.Swaps != 0 || s.Refused != 0 || logged(f, "snapshot served") != 1 {
		t.Errorf("%+v", s)
	}
	readinessOf(t, f, 200)
}
