package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

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
		logged := map[string]string{} // snapshots by request
		named := func(what string, r *apitest.Response, want string) {
			t.Helper()
			logged[r.Header.Get("X-Request-Id")] = want
			if r.Header.Get("X-Snapshot") != want {
				t.Errorf("%s: %d names the snapshot %q, want %q", what, r.StatusCode, r.Header.Get("X-Snapshot"), want)
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
		named("a comparison", f.Post("/api/shopper/compare", goodList), want)
		named("the form", f.PostForm("/shopper", goodForm), want)
		named("the catalog", f.Get("/api/shopper/catalog", ""), want)
		named("a document", f.Get("/llms.txt", ""), "")
		f.HTTP.Close() // a client may have an answer before the log has its line
		for text := range strings.Lines(f.Log.String()) {
			var line struct{ ID, Snapshot string }
			if json.Unmarshal([]byte(text), &line) == nil && logged[line.ID] == line.Snapshot {
				delete(logged, line.ID)
			}
		}
		if len(logged) > 0 {
			t.Errorf("lines in the log name another snapshot, or are not there: %v", logged)
		}
	}
}
