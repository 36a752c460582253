package httpapi

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// killRounds is how often a server is killed; "make kill" does so 25 times.
var killRounds = flag.Int("kill-rounds", 3, "how often TestKilledServer kills a server")

// init lets the test binary be the server that is killed.
func init() {
	if path := os.Getenv("LARDER_TEST_SERVE_STATE"); path != "" {
		if err := serveToBeKilled(path, os.Getenv("LARDER_TEST_SERVE_DB")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

func serveToBeKilled(path, db string) error {
	ctx, began := context.Background(), time.Now()
	now := func() time.Time { return testNow.Add(time.Since(began)) } // no month ends in between
	s, err := state.Open(ctx, path, state.Options{Now: now, Serve: true})
	if err != nil {
		return err
	}
	snapshots := NewSnapshots(db, now)
	if err := snapshots.Refresh(ctx); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server, err := New(Config{Now: now, Snapshots: snapshots, State: s, Log: slog.New(slog.DiscardHandler), BaseURL: "http://" + l.Addr().String()})
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return server.Serve(ctx, ctx, l, nil, Timeouts{})
}

func atTestNow() time.Time { return testNow }

// startServer starts a server in a process of its own.
func startServer(t *testing.T, path, db string) (addr string, kill func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "LARDER_TEST_SERVE_STATE="+path, "LARDER_TEST_SERVE_DB="+db)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	kill = func() {
		once.Do(func() {
			cmd.Process.Kill() //nolint:errcheck // it may have ended
			cmd.Wait()         //nolint:errcheck // it was killed
		})
	}
	t.Cleanup(kill)
	addr, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not start: %v", err)
	}
	return strings.TrimSpace(addr), kill
}

// received are the queries of the responses that clients had whole when the
// server was killed, with their status.
type received struct {
	mu  sync.Mutex
	all map[string]int
}

// ask sends requests until one fails. Each has a query of its own: an offset
// past all rows, or a parameter that is refused.
func (r *received) ask(client *http.Client, addr, key string, round, worker int) {
	for i := 0; ; i++ {
		query := fmt.Sprintf("limit=1&offset=%d", 1_000_000+(round*100+worker)*100_000+i)
		if i%5 == 4 {
			query += "&from=never"
		}
		got, err := request(client, "http://"+addr+"/api/v1/index?"+query, key)
		if err != nil {
			return
		}
		_, err = io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil {
			return
		}
		r.mu.Lock()
		r.all[query] = got.StatusCode
		r.mu.Unlock()
	}
}

// Killed at any moment under load, the log has every response that a client
// received, the month's count is that of the log, and the next server goes on
// from it.
func TestKilledServer(t *testing.T) {
	_, db := demo()
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := state.Open(t.Context(), path, state.Options{Now: atTestNow})
	if err != nil {
		t.Fatal(err)
	}
	key, secret, err := s.CreateKey(t.Context(), state.NewKey{Name: "killed", Tier: state.Standard, PerMinute: 10_000_000, PerMonth: 10_000_000})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	got := &received{all: map[string]int{}}
	for round := range *killRounds {
		addr, kill := startServer(t, path, db)
		before := quotaLeft(t, addr, secret)
		if want := loggedCounts(t, path).counted; key.Limits.PerMonth-before != want {
			t.Errorf("round %d: the server goes on from %d, the log counts %d", round, key.Limits.PerMonth-before, want)
		}
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
		var wg sync.WaitGroup
		for worker := range 8 {
			wg.Go(func() { got.ask(client, addr, secret, round, worker) })
		}
		killer := time.AfterFunc(20*time.Millisecond+time.Duration(r.Int64N(int64(200*time.Millisecond))), kill)
		wg.Wait()
		killer.Stop()
		kill()
		client.CloseIdleConnections()
		checkLog(t, round, path, key, got)
	}
	t.Logf("%d responses were received in %d rounds", len(got.all), *killRounds)
}

// checkLog compares what was received with the log and the sums.
func checkLog(t *testing.T, round int, path string, key state.Key, got *received) {
	t.Helper()
	in := loggedCounts(t, path)
	missing := 0
	for query, status := range got.all {
		if in.status[query] != status {
			missing++
		}
	}
	if missing > 0 {
		t.Errorf("round %d: of %d received responses %d are not in the log", round, len(got.all), missing)
	}
	s, err := state.Open(t.Context(), path, state.Options{Now: atTestNow, Existing: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	quota, err := s.Quota(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	usage, err := s.Usage(t.Context(), quota.Month, key.ID)
	if err != nil || len(usage) != 1 {
		t.Fatalf("%v, %v", usage, err)
	}
	if quota.Used != in.counted || usage[0].Total.Counted != in.counted || usage[0].Total.Requests != in.requests || in.counted > int64(len(in.status)) {
		t.Errorf("round %d: quota %d, sums %d of %d, log %d of %d", round, quota.Used, usage[0].Total.Counted, usage[0].Total.Requests, in.counted, in.requests)
	}
}

// logCounts is what the log says, read without the package that writes it.
type logCounts struct {
	status            map[string]int // by query
	requests, counted int64
}

func loggedCounts(t *testing.T, path string) logCounts {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT query, status, counted FROM requests")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	in := logCounts{status: map[string]int{}}
	for rows.Next() {
		var query string
		var status int
		var counted int64
		if err := rows.Scan(&query, &status, &counted); err != nil {
			t.Fatal(err)
		}
		in.status[query] = status
		in.requests++
		in.counted += counted
		if counted != int64(btoi(status/100 == 2 && query != "")) {
			t.Errorf("%q with status %d counts %d", query, status, counted)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return in
}

// quotaLeft asks a server what is left of the month, as any client sees it.
func quotaLeft(t *testing.T, addr, key string) int64 {
	t.Helper()
	got, err := request(http.DefaultClient, "http://"+addr+"/api/v1/usage", key)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	_, month, _ := strings.Cut(got.Header.Get("RateLimit"), `"month";r=`)
	var left int64
	if _, err := fmt.Sscanf(month, "%d;", &left); err != nil {
		t.Fatalf("RateLimit %q: %v", got.Header.Get("RateLimit"), err)
	}
	return left
}
