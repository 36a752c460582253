//go:build linux && torture

package torture

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// nginx starts nginx with a server block, which may name the port by %d, and returns its address.
func nginx(t *testing.T, block string) (address string, stop func()) {
	t.Helper()
	path, err := exec.LookPath("nginx")
	if err != nil {
		required(t, "nginx", err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	dir := t.TempDir()
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n" // the folders of tests are their owner's alone
	}
	write(t, filepath.Join(dir, "nginx.conf"), []byte(fmt.Sprintf(`%sdaemon off;
pid %[2]s/pid;
error_log %[2]s/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path %[2]s/1; proxy_temp_path %[2]s/2; fastcgi_temp_path %[2]s/3; uwsgi_temp_path %[2]s/4; scgi_temp_path %[2]s/5;
  %[3]s
}
`, user, dir, strings.ReplaceAll(block, "PORT", fmt.Sprint(port)))))
	cmd := exec.Command(path, "-c", filepath.Join(dir, "nginx.conf"), "-p", dir, "-e", filepath.Join(dir, "error.log"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
		cmd.Wait()                          //nolint:errcheck // it was stopped
	})
	t.Cleanup(stop)
	address = fmt.Sprintf("127.0.0.1:%d", port)
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			return address, stop
		}
		if time.Since(began) > patience {
			log, _ := os.ReadFile(filepath.Join(dir, "error.log"))
			t.Fatalf("nginx: %v\n%s", err, log)
		}
	}
}

// seenAnswer is one answer that came through the round-robin.
type seenAnswer struct {
	asked, got      time.Time
	status          int
	release, server string
	body            string // of what is not 200
}

// TestReleaseEverywhere has three servers on one PostgreSQL, nginx with the snapshot and the
// release log, a round-robin in front, and 64 clients. A release that goes live ahead is met
// everywhere from its instant on and nowhere before, though the servers look at different times,
// and one of them is killed and started again in between. A server that learns of it too late
// says of which release its answers are. PostgreSQL is killed: 503, and nothing that was answered
// is missing. nginx is stopped: a server that starts goes on with its copy.
func TestReleaseEverywhere(t *testing.T) {
	postgres := pgtest.Start(t)
	database := pgtest.Database(t, postgres.Address)
	t.Setenv("LARDER_NOW", "") // all go by the machine's clock
	www := t.TempDir()
	live, log := filepath.Join(www, "larder.db"), filepath.Join(www, "releases.db")
	release := func(db string, more ...string) {
		t.Helper()
		args := append([]string{"release", db, "--live", live, "--log", log}, more...)
		for _, rule := range []string{"scale", "jump", "revision", "lost", "frozen", "nothing_new"} {
			args = append(args, "--accept", rule+"=another panel")
		}
		must(t, args...)
	}
	release(small(t, "1"))
	files, stopFiles := nginx(t, "server { listen 127.0.0.1:PORT; root "+www+"; location ~ /(larder|releases)\\.db$ {} location / { return 404; } }")

	const password = "Pa55-of-nginx"
	from := "http://larder:" + password + "@" + files
	caches := t.TempDir()
	start := func(name, poll string) *server {
		return serve(t, from+"/larder.db", database, env("LARDER_NOW="), env("LARDER_LOG="+from+"/releases.db"),
			env("LARDER_CACHE="+filepath.Join(caches, name)), env("LARDER_POLL="+poll))
	}
	polls := []string{"1s", "2s", "4s"}
	var servers []*server
	upstream := ""
	for i, poll := range polls {
		s := start(poll, poll)
		servers = append(servers, s)
		upstream += "server " + strings.TrimPrefix(servers[i].public, "http://") + " max_fails=0; "
	}
	late := start("late", "1h")
	front, _ := nginx(t, "upstream larder { "+upstream+"keepalive 64; }\n"+
		"server { listen 127.0.0.1:PORT; location / { proxy_pass http://larder; proxy_http_version 1.1; proxy_set_header Connection \"\"; proxy_next_upstream off; add_header X-Upstream $upstream_addr always; } }")

	const clients = 64
	quota := pick(4_000, 20_000)
	key, other := newKey(t, database, "--per-month", fmt.Sprint(quota)), newKey(t, database)
	var mu sync.Mutex
	var all []seenAnswer
	var ended atomic.Bool
	var wg sync.WaitGroup
	begin := func(key string) (stop func()) {
		ended.Store(false)
		for range clients {
			wg.Go(func() {
				client := newClient(t)
				for tick := time.NewTicker(80 * time.Millisecond); !ended.Load(); <-tick.C {
					x := seenAnswer{asked: time.Now()}
					got, err := get(client, "http://"+front+"/api/v1/products", key)
					if err != nil {
						continue
					}
					x.got, x.status, x.release, x.server = time.Now(), got.status, got.header.Get("X-Release"), got.header.Get("X-Upstream")
					var body struct {
						Meta struct{ Release struct{ ID string } }
					}
					if x.status == http.StatusOK && (json.Unmarshal(got.body, &body) != nil || body.Meta.Release.ID != x.release) {
						x.status, x.body = -1, string(got.body)
					} else if x.status != http.StatusOK {
						x.body = string(got.body)
					}
					mu.Lock()
					all = append(all, x)
					mu.Unlock()
				}
			})
		}
		return func() { ended.Store(true); wg.Wait() }
	}

	// The release, and a kill in between.
	stop := begin(other)
	at := time.Now().Add(20 * time.Second).Truncate(time.Second)
	release(small(t, "2"), "--live-at", at.UTC().Format(time.RFC3339))
	left := time.Until(at)
	wait := func(what string, s *server, met func(log string) bool) {
		t.Helper()
		for !met(s.log.String()) {
			if time.Now().After(at) {
				t.Fatalf("not before the instant: %s\n%s", what, s.log.tail())
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	aheadOf := func(log string) bool { return strings.Contains(log, `"msg":"snapshot loaded ahead"`) }
	for i, s := range servers {
		wait("server "+polls[i]+" loads ahead", s, aheadOf)
	}
	servers[1].kill()
	address := strings.TrimPrefix(servers[1].public, "http://")
	servers[1] = serve(t, from+"/larder.db", database, env("LARDER_NOW="), env("LARDER_LOG="+from+"/releases.db"),
		env("LARDER_CACHE="+filepath.Join(caches, polls[1])), env("LARDER_POLL=2s"), env("LARDER_ADDR="+address), withoutAddr)
	wait("the killed server loads ahead", servers[1], aheadOf)
	ready := time.Until(at)
	time.Sleep(time.Until(at.Add(3 * time.Second)))
	stop()
	by := map[string]int{}
	for _, x := range all {
		switch {
		case x.status == http.StatusBadGateway && x.got.Before(at):
			by["502 of the killed server"]++ // it is down
			continue
		case x.status != http.StatusOK:
			t.Fatalf("%d of %s at %s: %s", x.status, x.server, x.asked, x.body)
		case x.got.Before(at) && x.release != "r1", !x.asked.Before(at) && x.release != "r2":
			t.Errorf("asked %s, answered %s after the instant by %s: of %s", x.asked.Sub(at), x.got.Sub(at), x.server, x.release)
		}
		when := " before"
		if !x.asked.Before(at) {
			when = " after"
		}
		by[x.release+when+" of "+x.server]++
	}
	if n := len(by); n < 6 {
		t.Errorf("not every server answered before and after: %v", by)
	}
	if got := late.mustGet(t, "/api/v1/products", other); got.header.Get("X-Release") != "r1" || !strings.Contains(string(got.body), `"release":{"id":"r1"`) {
		t.Errorf("the server that looks once an hour is of %q", got.header.Get("X-Release"))
	}
	t.Logf("promised: a release is met everywhere from its instant on, nowhere before; seen %d answers %v; servers had %s, and were ready %s ahead", len(all), by, left.Round(time.Millisecond), ready.Round(time.Millisecond))

	// The month to the request, a server killed and PostgreSQL killed under load.
	all = nil
	stop = begin(key)
	count := func(status int) (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, x := range all {
			if x.status == status {
				n++
			}
		}
		return n
	}
	until := func(what string, met func() bool) {
		t.Helper()
		for began := time.Now(); !met(); time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > 2*patience {
				t.Fatal("never: ", what)
			}
		}
	}
	until("answers", func() bool { return count(http.StatusOK) > quota/4 })
	postgres.Kill()
	before := count(http.StatusServiceUnavailable)
	until("503", func() bool { return count(http.StatusServiceUnavailable) > before+100 })
	if err := postgres.Run(); err != nil {
		t.Fatal(err)
	}
	answered := count(http.StatusOK)
	until("answers again", func() bool { return count(http.StatusOK) > answered+quota/4 })
	servers[0].kill()
	until("the quota is used up", func() bool { return count(http.StatusTooManyRequests) > 200 })
	stop()
	statuses := map[int]int{}
	for _, x := range all {
		if statuses[x.status]++; x.status == http.StatusServiceUnavailable && !strings.Contains(x.body, "state_unavailable") {
			t.Fatalf("503: %s", x.body)
		}
	}
	counted := -1
	var usage []struct {
		Name    string
		Key     int `json:"key_id"`
		Counted int
	}
	if out := must(t, "usage", "--state", database, "--month", time.Now().UTC().Format("2006-01"), "--format", "json"); json.Unmarshal([]byte(out), &usage) != nil {
		t.Fatal(out)
	}
	for _, u := range usage {
		if u.Counted == quota {
			counted = u.Counted
		}
	}
	// A request that was counted and whose answer was cut off: by the kill of PostgreSQL or of a server.
	lost := counted - statuses[http.StatusOK]
	if counted != quota || lost < 0 || lost > 2*clients || sum(statuses) != statuses[200]+statuses[429]+statuses[502]+statuses[503] {
		t.Errorf("of a quota of %d; answers %v; usage %+v", quota, statuses, usage)
	}
	t.Logf("promised: a month exact to the request, 503 without PostgreSQL, nothing acknowledged lost; seen %d counted of %d, answers %v", counted, quota, statuses)

	// Without nginx the copy is served on, also after a start.
	stopFiles()
	servers[2].kill()
	again := start(polls[2], "1s")
	if got := again.mustGet(t, "/api/v1/products", other); got.header.Get("X-Release") != "r2" {
		t.Errorf("without nginx a server that starts is of %q", got.header.Get("X-Release"))
	}
	if got, err := get(once, again.admin+"/readyz", ""); err != nil || got.status != 200 || !strings.Contains(string(got.body), `"status":"degraded"`) || !strings.Contains(string(got.body), "connection refused") {
		t.Errorf("without nginx: %v, %v", got, err)
	}
	for _, s := range append(servers, late, again) {
		if strings.Contains(s.log.String(), password) {
			t.Error("the log has the password of an address")
		}
	}
}

// withoutAddr leaves the port to the environment.
func withoutAddr(_ *testing.T, cmd *exec.Cmd, _ *func() error) {
	for i, arg := range cmd.Args {
		if arg == "--addr" {
			cmd.Args = append(cmd.Args[:i:i], cmd.Args[i+2:]...)
			return
		}
	}
}
