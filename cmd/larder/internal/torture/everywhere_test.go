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

// TestReleaseEverywhere has three servers of one folder on one PostgreSQL, nginx as a round-robin in
// front, and 64 clients. Each answer is of one release, and its header names it. Once every server
// has changed over, all answers are of the new one. A server is killed and PostgreSQL is: 503, and
// nothing that was answered is missing.
func TestReleaseEverywhere(t *testing.T) {
	postgres := pgtest.Start(t)
	database := pgtest.Database(t, postgres.Address)
	t.Setenv("LARDER_NOW", "") // all go by the machine's clock
	folder := t.TempDir()
	live, log := filepath.Join(folder, "larder.db"), filepath.Join(folder, "releases.db")
	release := func(db string) {
		t.Helper()
		args := []string{"release", db, "--live", live, "--log", log}
		for _, rule := range []string{"scale", "jump", "revision", "lost", "frozen", "nothing_new"} {
			args = append(args, "--accept", rule+"=another panel")
		}
		must(t, args...)
	}
	release(small(t, "1"))
	var servers []*server
	upstream := ""
	for range 3 {
		s := serve(t, live, database, env("LARDER_NOW="), env("LARDER_LOG="+log))
		servers = append(servers, s)
		upstream += "server " + strings.TrimPrefix(s.public, "http://") + " max_fails=0; "
	}
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

	until := func(what string, met func() bool) {
		t.Helper()
		for began := time.Now(); !met(); time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > 2*patience {
				t.Fatal("never: ", what)
			}
		}
	}
	stop := begin(other)
	release(small(t, "2"))
	for _, s := range servers {
		until("a server changes over", func() bool { return strings.Contains(s.log.String(), `"release":"r2"`) })
	}
	everywhere := time.Now()
	time.Sleep(time.Second)
	stop()
	by := map[string]int{}
	for _, x := range all {
		if x.status != http.StatusOK {
			t.Fatalf("%d of %s at %s: %s", x.status, x.server, x.asked, x.body)
		}
		if x.asked.After(everywhere) && x.release != "r2" {
			t.Errorf("%s after every server changed over: of %s", x.asked.Sub(everywhere), x.release)
		}
		by[x.release+" of "+x.server]++
	}
	if n := len(by); n != 6 {
		t.Errorf("not every server answered before and after: %v", by)
	}
	t.Logf("promised: an answer is of one release, and of the new one once every server has it; seen %d answers %v", len(all), by)

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
}
