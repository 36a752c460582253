package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestServeLog serves before the first release, which the server says how to make, and after
// it.
func TestServeLog(t *testing.T) {
	db := demo(t, 1, 3)
	dir := filepath.Dir(db)
	live, log := filepath.Join(dir, "live.db"), filepath.Join(dir, "releases.db")
	x := serve(t, "--db", live, "--log", log)
	if status, body := get(t, x.admin+"/readyz", ""); status != 503 || !strings.Contains(body, "larder release NEXT --live "+live+" --log "+log) {
		t.Errorf("before a release: %d %s", status, body)
	}
	if status, body := get(t, x.public+"/readyz", ""); status != 503 || !strings.Contains(body, "larder release") || strings.Contains(body, dir) {
		t.Errorf("before a release: %d %s", status, body)
	}
	larder(t, "release", db, "--live", live, "--log", log, "--note", "first")
	orPanic(syscall.Kill(os.Getpid(), syscall.SIGHUP))
	until(t, x.log, func() bool { status, _ := get(t, x.public+"/readyz", ""); return status == 200 })
	if _, body := get(t, x.public+"/releases.json", ""); !strings.Contains(body, `"id":"r1"`) {
		t.Errorf("/releases.json: %s", body)
	}
	until(t, x.log, func() bool { return strings.Contains(x.log.String(), `"release":"r1"`) })
}

// TestServeLogLevel asks for one page and one probe at each level. A record above the level is not written.
func TestServeLogLevel(t *testing.T) {
	db := demo(t, 1, 3)
	for level, want := range map[string][]bool{"debug": {true, true}, "info": {false, true}, "warn": {false, false}, "error": {false, false}} {
		t.Setenv("LARDER_LOG_LEVEL", level)
		x := serve(t, "--db", db)
		get(t, x.admin+"/healthz", "")
		get(t, x.public+"/shopper", "")
		x.end()
		for i, route := range []string{"/healthz", "/shopper"} {
			if got := strings.Contains(x.log.String(), `"route":"`+route+`"`); got != want[i] {
				t.Errorf("%s: %s is in the log: %t\n%s", level, route, got, x.log)
			}
		}
	}
	x := serve(t, "--db", db, "--log-level", "debug") // LARDER_LOG_LEVEL is still set
	get(t, x.admin+"/healthz", "")
	if x.end(); !strings.Contains(x.log.String(), `"level":"DEBUG"`) {
		t.Errorf("--log-level debug:\n%s", x.log)
	}
}

// TestServeComputedRows serves rows that were computed elsewhere beside the same rows of a snapshot
// with its prices. Answers from the log are equal to the byte. Those that need prices are refused: there are no prices.
func TestServeComputedRows(t *testing.T) {
	dir, real := t.TempDir(), demo(t, 1, 3)
	in := func(name string) string { return filepath.Join(dir, name) }
	larder(t, "export", in("panel"), "--db", real)
	rows, err1 := os.Create(in("rows.csv"))
	observations, err2 := os.ReadFile(in("panel/observations.csv"))
	header, _, _ := strings.Cut(string(observations), "\n")
	err3, err4 := os.WriteFile(in("panel/observations.csv"), []byte(header+"\n"), 0o600), os.RemoveAll(in("panel/quarantine.csv"))
	orPanic(errors.Join(err1, err2, err3, err4))
	must(rows.Write(larder(t, "index", "--db", real, "--format", "csv", "--include", "quality")))
	larder(t, "import", in("panel"), "--db", in("reference.db"))
	larder(t, "release", real, "--live", in("a.db"), "--log", in("a.log"))
	larder(t, "release", in("reference.db"), "--rows", in("rows.csv"), "--live", in("b.db"), "--log", in("b.log"))
	key := newKey(t, in("a.state"), "enterprise")
	write(in("b.state"), string(must(os.ReadFile(in("a.state")))))
	a := serve(t, "--db", in("a.db"), "--log", in("a.log"), "--state", in("a.state"))
	b := serve(t, "--db", in("b.db"), "--log", in("b.log"), "--state", in("b.state"))
	varying := regexp.MustCompile(`"(generated_at|released_at|snapshot)":"[^"]*"`)
	for _, path := range []string{"/api/v1/index", "/api/v1/index?as_of=r1&limit=5", "/api/public/index", "/api/v1/revisions", "/api/v1/index?series=v1", "/figure.csv?s=national.dairy&view=cost", "/figure.csv?as_of=r1"} {
		status, want := get(t, a.public+path, "Bearer "+key)
		got, body := get(t, b.public+path, "Bearer "+key)
		want, body = varying.ReplaceAllString(want, ""), varying.ReplaceAllString(body, "")
		if status != 200 || got != 200 || body != strings.ReplaceAll(want, a.public, b.public) {
			t.Errorf("%s: %d %.300s; want %d %.300s", path, got, body, status, want)
		}
		if strings.HasPrefix(path, "/figure.csv?as_of") && !regexp.MustCompile(`(?m)^2026-[\d-]+,national\.overall,[\d.]+,\d[\d.]+,\d[\d.]+,`).MatchString(body) {
			t.Errorf("the log of rows keeps no interval: %s", body)
		}
	}
	for _, path := range []string{
		"/api/v1/index?include=quality", "/api/v1/coverage", "/api/v1/companions/regular", "/api/v1/prices", "/api/shopper/catalog",
		"/why?s=national.overall",
	} {
		if status, body := get(t, b.public+path, "Bearer "+key); status != 404 || !strings.Contains(body, "the rows of release r1 were computed elsewhere, and this server has no prices of them") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	call := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":{"city":"toronto","items":[{"id":1,"qty":1}]}}}`)
	res := must(http.Post(b.public+"/mcp", "application/json", call))
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || !bytes.Contains(body, []byte("the rows of release r1 were computed elsewhere")) {
		t.Errorf("an agent's comparison: %s %v", body, err)
	}
}
