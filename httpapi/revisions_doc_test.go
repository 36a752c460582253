package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestRevisionsDocProgram builds the program of docs/revisions.md and runs it against a server
// with four releases, and against servers that changed the past.
func TestRevisionsDocProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	t.Parallel()
	blocks := codeBlocks(t, "../docs/revisions.md", "go")
	dir := t.TempDir()
	program, kept := filepath.Join(dir, "prove"), filepath.Join(dir, "kept.txt")
	if err := os.WriteFile(program+".go", []byte(blocks[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, program+".go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, x := apitest.ServeReleases(t)
	for i, db := range x.Snapshots(t) {
		if i > 0 {
			f.Clock.Advance(7 * 24 * time.Hour)
		}
		x.Publish(t, f, db, "")
		if f.Look(false); i == 1 {
			if err := os.WriteFile(kept, f.Get("/releases/checkpoint", "").Content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	leaves := regexp.MustCompile(`[0-9a-f]{64}`).FindAllString(string(f.Get("/releases.json", "").Content), -1)
	_, stranger := apitest.ServeReleases(t)
	for _, c := range []struct {
		name     string
		verifier string
		change   []string // of what is sent: old texts and new ones
		fails    string
	}{
		{name: "as served", verifier: x.Verifier},
		{name: "a rewritten release", verifier: x.Verifier, change: []string{leaves[0], strings.Repeat("0", 64)}, fails: "are not those of the checkpoint"},
		{name: "a swapped pair", verifier: x.Verifier, change: []string{leaves[0], leaves[1], leaves[1], leaves[0]}, fails: "are not those of the checkpoint"},
		{name: "a newest one that was rewritten", verifier: x.Verifier, change: []string{leaves[3], leaves[2]}, fails: "are not those of the checkpoint"},
		{name: "a dropped release", verifier: x.Verifier, fails: "3 releases: the first 4 are not"},
		{name: "another signature", verifier: stranger.Verifier, fails: "note has no verifiable signatures"},
	} {
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got := httptest.NewRecorder()
			f.API.Handler().ServeHTTP(got, httptest.NewRequest(r.Method, r.URL.Path, nil))
			body := strings.NewReplacer(c.change...).Replace(got.Body.String())
			if c.name == "a dropped release" {
				body = regexp.MustCompile(`,\{"id":"r4"[^}]*\}`).ReplaceAllString(body, "")
			}
			w.Write([]byte(body)) //nolint:errcheck // the program says if it got less
		}))
		out, err := exec.CommandContext(t.Context(), program, other.URL, c.verifier, kept).CombinedOutput()
		other.Close()
		if c.fails == "" {
			lines := strings.Split(string(out), "\n")
			if err != nil || len(lines) != 3 || !strings.HasPrefix(lines[0], "2 releases, root ") || !strings.HasPrefix(lines[1], "4 releases, root ") {
				t.Errorf("%s: %v\n%s", c.name, err, out)
			}
		} else if err == nil || !strings.Contains(string(out), c.fails) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}
