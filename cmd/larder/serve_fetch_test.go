package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServeFetched serves a snapshot and a release log that a web server has. A new release is
// fetched and served; without the web server the copies are, after a restart too. A copy that was
// damaged is not. Nothing shows the password of an address.
func TestServeFetched(t *testing.T) {
	first, second := demo(t, 1, 3), demo(t, 2, 3)
	www, own := t.TempDir(), t.TempDir()
	live, log, cache := filepath.Join(www, "live.db"), filepath.Join(www, "releases.db"), filepath.Join(own, "cache")
	origin := httptest.NewServer(http.FileServer(http.Dir(www)))
	defer origin.Close()
	withPassword := strings.Replace(origin.URL, "http://", "http://reader:Pa55-word@", 1)
	args := []string{"--db", withPassword + "/live.db?sig=Pa55-word", "--log", withPassword + "/releases.db", "--state", filepath.Join(own, "state.db"), "--cache", cache, "--poll", "1s"}
	larder(t, "keys", "create", "--state", filepath.Join(own, "state.db"), "--tier", "standard", "--name", "A")
	for text, want := range map[string]string{
		"--db https://a.example/x.db":                                          "--state is needed where --db is an address",
		"--db http://u:Pa55-word@a.example/x.db --state s --cache " + cache:    "--db: http://a.example/x.db is plain http",
		"--db https://u:Pa55-word%%@a.example/x.db --state s --cache " + cache: "--db: it is not an address",
		"--db x.db --log ftp://a.example/x.db --cache " + cache:                "--log: ftp://a.example/x.db: addresses begin with https://",
		"--db https://a.example/x.db --state s --fetch-limit 0":                "--fetch-limit 0 is not a number from 1 to 8796093022207",
		"--db https://a.example/x.db --state s --fetch-limit 8796093022208":    "--fetch-limit 8796093022208 is not a number from 1 to 8796093022207",
		"--db https://a.example/x.db --state s --poll 10ms":                    "--poll 10ms is not a time from 1s",
	} {
		_, stderr, code := try(append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, strings.Fields(text)...)...)
		if code != exitUsage || !strings.Contains(stderr, want) || strings.Contains(stderr, "Pa55") {
			t.Errorf("%s: exit status %d: %s", text, code, stderr)
		}
	}

	for _, text := range []string{"check --db", "index --db", "releases list --log", "release next.db --log log.db --live", "release", "diff next.db"} {
		_, stderr, code := try(append(strings.Fields(text), withPassword+"/live.db")...)
		if code != exitUsage || !strings.Contains(stderr, "address, and only larder serve fetches files") || strings.Contains(stderr, "Pa55") {
			t.Errorf("%s: exit status %d: %s", text, code, stderr)
		}
	}

	// Nothing is published yet. Then something is.
	x := serve(t, args...)
	ready := func(status int, members ...string) {
		t.Helper()
		var got int
		var body string
		until(t, x.log, func() bool {
			got, body = get(t, x.admin+"/readyz", "")
			for _, m := range members {
				if !strings.Contains(body, m) {
					return false
				}
			}
			return got == status
		})
		if _, body = get(t, x.public+"/readyz", ""); strings.Contains(body, own) || strings.Contains(body, origin.URL) {
			t.Errorf("strangers see %s", body)
		}
	}
	ready(503, `"sources":[{"of":"release_log","status":"failed"`, "the server says 404 Not Found", `"address":"`+origin.URL+`/live.db"`)
	if !strings.Contains(x.greeting, "Larder serves "+origin.URL+"/live.db at") || !strings.Contains(x.greeting, origin.URL+"/live.db can't be fetched, and there is no copy from before") {
		t.Errorf("greeting: %s", x.greeting)
	}
	larder(t, "release", first, "--live", live, "--log", log, "--now", "2026-11-20T10:00:00Z")
	ready(200, `"status":"ready"`, `"id":"r1"`)
	if _, stderr, code := try(append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, args...)...); code != exitFailed || !strings.Contains(stderr, "another server uses "+cache) {
		t.Errorf("a second server on the same copies: exit status %d: %s", code, stderr)
	}
	accept := strings.Fields("--accept scale=x --accept jump=x --accept revision=x --accept lost=x --accept frozen=x --accept nothing_new=x")
	larder(t, append([]string{"release", second, "--live", live, "--log", log, "--now", "2026-11-20T10:30:00Z"}, accept...)...)
	ready(200, `"status":"ready"`, `"id":"r2"`)
	if status, body := get(t, x.admin+"/metrics", ""); status != 200 || strings.Count(body, "\nlarder_source_reached_timestamp_seconds{") != 2 {
		t.Errorf("metrics: %d", status)
	}

	// What is published is damaged: it is never served, and never becomes the copy.
	whole, err := os.ReadFile(live)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(live, whole[:len(whole)-4096], 0o600); err != nil {
		t.Fatal(err)
	}
	ready(200, `"status":"degraded"`, `"id":"r2"`, "it is cut off")
	if code := x.end(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	text := x.log.String()

	// Without the web server the copies are served, and it says so.
	origin.Close()
	x = serve(t, args...)
	ready(200, `"status":"degraded"`, `"id":"r2"`, "connection refused")
	if !strings.Contains(x.greeting, origin.URL+"/live.db can't be fetched; the copy from before is used") {
		t.Errorf("greeting: %s", x.greeting)
	}
	x.end()
	text += x.log.String()
	copied := filepath.Join(cache, "larder.db")
	if err := os.WriteFile(copied, whole[:len(whole)-4096], 0o600); err != nil {
		t.Fatal(err)
	}
	x = serve(t, args...)
	ready(503, `"hash":null`)
	x.end()
	if text += x.log.String(); strings.Contains(text, "Pa55") || !strings.Contains(text, `"msg":"copy dropped"`) || !strings.Contains(text, `"msg":"fetched"`) || strings.Count(text, `"msg":"fetch failed"`) > 10 {
		t.Errorf("the log:\n%s", text)
	}
}
