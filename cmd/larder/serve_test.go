package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// serving is a running larder serve.
type serving struct {
	greeting      string
	public, admin string
	log           *lockedLog
	end           func() int // asks it to end and returns its exit status
}

type lockedLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var addresses = regexp.MustCompile(`at (http://\S+)/ \(health and metrics: (http://[^)]+)\)`)

// greeted reads the greeting, which is written in one piece when the ports are open.
func (x *serving) greeted(t *testing.T, stdout io.Reader) {
	t.Helper()
	b := make([]byte, 1<<16)
	n, err := stdout.Read(b)
	if err != nil {
		t.Fatalf("it ended without a greeting: %v\n%s", err, x.log)
	}
	x.greeting = string(b[:n])
	m := addresses.FindStringSubmatch(x.greeting)
	if m == nil {
		t.Fatalf("no addresses in %q", x.greeting)
	}
	x.public, x.admin = m[1], m[2]
}

// serve runs larder serve in this process, on free ports.
func serve(t *testing.T, args ...string) *serving {
	t.Helper()
	r, w := io.Pipe()
	x := &serving{log: &lockedLog{}}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, args...)
	go func() {
		code := report(x.log, run(ctx, args, w, x.log))
		w.Close()
		ended <- code
	}()
	x.end = sync.OnceValue(func() int {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { x.end() })
	x.greeted(t, r)
	return x
}

// until waits until ok, for 20 seconds at most. Then it fails with the log.
func until(t *testing.T, log *lockedLog, ok func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for tick := time.NewTicker(5 * time.Millisecond); !ok(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal(log)
		}
	}
}

// get returns the status and body of an address.
func get(t *testing.T, address, authorization string) (int, string) {
	t.Helper()
	r := must(http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	got := must(http.DefaultClient.Do(r))
	defer got.Body.Close()
	body := must(io.ReadAll(got.Body))
	return got.StatusCode, string(body)
}

var demoKey = regexp.MustCompile(`(?m)^  (research|standard|professional|enterprise) +(larder_live_[0-9A-Za-z]{38})$`)

// TestServeDemo serves without --db. The greeting has a working key of each tier. State and keys end with the server.
func TestServeDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("LARDER_DEMO", "")
	x := serve(t)
	var tiers []string
	secrets := map[string]string{}
	for _, m := range demoKey.FindAllStringSubmatch(x.greeting, -1) {
		tiers, secrets[m[1]] = append(tiers, m[1]), m[2]
	}
	if !slices.Equal(tiers, []string{"research", "standard", "professional", "enterprise"}) {
		t.Fatalf("keys of %v in %s", tiers, x.greeting)
	}
	for tier, secret := range secrets {
		status, body := get(t, x.public+"/api/v1/usage", "Bearer "+secret)
		if status != 200 || !strings.Contains(body, `"`+tier+`"`) {
			t.Errorf("%s: %d %s", tier, status, body)
		}
	}
	if status, body := get(t, x.admin+"/readyz", ""); status != 200 || !strings.Contains(body, `"path"`) {
		t.Errorf("readiness: %d %s", status, body)
	}
	if code := x.end(); code != exitDone {
		t.Errorf("exit status %d\n%s", code, x.log)
	}
	if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/larder-serve-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	again := serve(t)
	if status, _ := get(t, again.public+"/api/v1/usage", "Bearer "+secrets["standard"]); status != 401 {
		t.Errorf("a key of the demo before: %d", status)
	}
	if log := x.log.String() + again.log.String(); strings.Contains(log, "larder_live_") {
		t.Error("a key is in the log")
	}
}

// TestServeMissing serves a snapshot that is missing, adds it and sends SIGHUP. The state beside it is made, and no
// other server takes that or the port.
func TestServeMissing(t *testing.T) {
	made := demo(t, 1, 3)
	dir := filepath.Dir(made)
	db := filepath.Join(dir, "panel.db")
	x := serve(t, "--db", db)
	port := strings.TrimPrefix(x.public, "http://")
	for want, args := range map[string][]string{
		"another server is using this state":         {"--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"},
		"--addr: another program listens on " + port: {"--state", filepath.Join(dir, "other.db"), "--addr", port},
	} {
		if stdout, stderr, code := try(append([]string{"serve", "--db", db}, args...)...); code != exitFailed || !strings.Contains(stderr, want) || stdout != "" {
			t.Errorf("exit status %d, want %s\n%s%s", code, want, stdout, stderr)
		}
	}
	if want := "state: " + filepath.Join(dir, "larder-state.db") + "; larder keys create makes a key"; !strings.Contains(x.greeting, want) {
		t.Errorf("no %q in %q", want, x.greeting)
	}
	if log := x.log.String(); !strings.Contains(log, `"msg":"snapshot refused"`) || !strings.Contains(log, `"reason":"missing"`) || !strings.Contains(log, db) {
		t.Errorf("it does not say what is missing: %s", log)
	}
	key := newKey(t, filepath.Join(dir, "larder-state.db"), "standard")
	ready := func() int { status, _ := get(t, x.public+"/readyz", ""); return status }
	index := func() int { status, _ := get(t, x.public+"/api/v1/index", "Bearer "+key); return status }
	health, _ := get(t, x.public+"/healthz", "")
	if ready() != 503 || index() != 500 || health != 200 {
		t.Errorf("without a snapshot: ready %d, index %d, health %d", ready(), index(), health)
	}
	orPanic(os.Rename(made, db))
	orPanic(syscall.Kill(os.Getpid(), syscall.SIGHUP))
	until(t, x.log, func() bool { return ready() == 200 })
	if index() != 200 {
		t.Errorf("with the snapshot: %d", index())
	}
	if code := x.end(); code != exitDone {
		t.Errorf("exit status %d\n%s", code, x.log)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*-wal")); len(left) > 0 {
		t.Errorf("the state was not closed: %v", left)
	}
}

// TestRunningClock makes sure that a server's clock starts at --now and runs.
func TestRunningClock(t *testing.T) {
	for flag, want := range map[string]string{
		"":      "2000-01-01T00:00:05Z", // a synctest bubble begins at midnight
		testNow: "2026-11-20T12:00:05Z",
	} {
		synctest.Test(t, func(t *testing.T) {
			at, _ := time.Parse(time.RFC3339, flag) // zero without a flag
			clock := (&app{at: at}).runningClock()
			time.Sleep(5 * time.Second)
			if got := clock().UTC().Format(time.RFC3339Nano); got != want {
				t.Errorf("--now %q: %s after 5 s, want %s", flag, got, want)
			}
		})
	}
}

// TestGarbagePercent bounds the garbage by twice the memory in use and by 128 MB. A server of a
// huge panel goes on collecting in turns.
func TestGarbagePercent(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 200, 1 << 20: 200, 64 << 20: 200, 128 << 20: 100, 1600 << 20: 8, 20 << 30: 1} {
		if got := garbagePercent(live); got != want {
			t.Errorf("%d bytes in use: %d percent, want %d", live, got, want)
		}
	}
}

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
