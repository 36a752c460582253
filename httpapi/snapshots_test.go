package httpapi

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// otherDemo is the content of a snapshot that differs from demo's.
var otherDemo = sync.OnceValue(func() []byte {
	dir, err := os.MkdirTemp("", "larder-other-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	d, err := synth.Generate(synth.Config{Seed: 7, Weeks: 3, Through: panel.DateIn(testNow, panel.Toronto)})
	if err != nil {
		panic(err)
	}
	if err := d.WriteDir(filepath.Join(dir, "panel")); err != nil {
		panic(err)
	}
	db := filepath.Join(dir, "panel.db")
	if _, err := sqlite.Import(context.Background(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Strict: true}); err != nil {
		panic(err)
	}
	return mustRead(db)
})

func demoContent() []byte {
	_, db := demo()
	return mustRead(db)
}

func mustRead(path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return b
}

// replace puts a file in the place of another one as import does.
func replace(t testing.TB, path string, content []byte) {
	t.Helper()
	aside := path + ".new"
	if err := os.WriteFile(aside, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(aside, path); err != nil {
		t.Fatal(err)
	}
}

// serveCopy serves a copy of the demo snapshot, which may be replaced.
func serveCopy(t testing.TB) (*fixture, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "panel.db")
	replace(t, path, demoContent())
	return serveSnapshot(t, path), path
}

func (f *fixture) look(reload bool) { f.snapshots.Look(context.Background(), f.server.Log, reload) }

func (f *fixture) logged(what string) int { return strings.Count(f.log.String(), `"msg":"`+what+`"`) }

func flipped(b []byte) []byte {
	b = bytes.Clone(b)
	b[len(b)/2] ^= 1
	return b
}

// A file that is no verified snapshot is refused, once, and what was served is
// served on; the right file again is no swap, another one is.
func TestRefusedReplacement(t *testing.T) {
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
		{"truncated", demoContent()[:len(demoContent())-8192], "changed_since_published", "refused"},
		{"one bit flipped", flipped(demoContent()), "changed_since_published", "refused"},
		{"another program's", mustRead(foreign), "not_a_snapshot", "refused"},
		{"text", []byte(strings.Repeat("id,name\n", 50)), "not_a_snapshot", "refused"},
		{"zero-length", []byte{}, "not_a_snapshot", "refused"},
		{"removed", nil, "missing", "missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, path := serveCopy(t)
			key := f.key(state.Standard)
			served := f.snapshots.Current()
			before := f.get("/api/v1/products", key).body
			if c.content != nil {
				replace(t, path, c.content)
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				f.look(false)
			}
			status := f.snapshots.Status()
			refused := 0
			if c.content != nil {
				refused = 1
			}
			if f.snapshots.Current() != served || status.Err == nil || status.Refused != refused || status.Swaps != 0 {
				t.Errorf("status %+v", status)
			}
			if n := f.logged("snapshot refused"); n != 1 {
				t.Errorf("logged %d times", n)
			}
			if got := f.get("/api/v1/products", key); got.StatusCode != 200 || !bytes.Equal(got.body, before) {
				t.Errorf("another answer: %d", got.StatusCode)
			}
			x := f.readiness(t, 200)
			if x.Status != "degraded" || x.Snapshot.File.Status != c.status || x.Snapshot.File.Reason != c.reason || x.Snapshot.Refused != refused {
				t.Errorf("readiness %+v", x)
			}

			replace(t, path, demoContent())
			f.look(false)
			if s := f.snapshots.Status(); s.Err != nil || s.Swaps != 0 || f.snapshots.Current() != served {
				t.Errorf("the same content again: %+v", s)
			}
			if x := f.readiness(t, 200); x.Status != "ready" || x.Snapshot.File.Status != "served" || f.logged("snapshot file is the one served again") != 1 {
				t.Errorf("readiness %+v", x)
			}
			replace(t, path, otherDemo())
			f.look(false)
			if s := f.snapshots.Status(); s.Swaps != 1 || s.Hash != f.snapshots.Current().Info.Hash || f.snapshots.Current() == served {
				t.Errorf("another snapshot: %+v", s)
			}
		})
	}
}

// A file that is bad in a new way, or another bad file, is refused anew.
func TestRefusedAgain(t *testing.T) {
	f, path := serveCopy(t)
	for i, content := range [][]byte{flipped(demoContent()), flipped(otherDemo()), {}, otherDemo()[:4096]} {
		replace(t, path, content)
		f.clock.Advance(time.Second)
		f.look(false)
		f.look(false)
		if s := f.snapshots.Status(); s.Refused != i+1 || !s.RefusedAt.Equal(f.clock.Now()) || f.logged("snapshot refused") != i+1 {
			t.Errorf("file %d: %+v", i, s)
		}
	}
}

// A server that starts without its snapshot begins to serve when it appears.
func TestSnapshotAppears(t *testing.T) {
	path := filepath.Join(t.TempDir(), "panel.db")
	f := serveSnapshot(t, path)
	key := f.key(state.Standard)
	f.look(false)
	if got := f.get("/api/v1/index", key); got.StatusCode != 500 || got.json(t)["code"] != "internal_error" {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	if x := f.readiness(t, 503); x.Status != "unavailable" || x.Code != "data_unavailable" || x.Snapshot.Hash != nil || x.Snapshot.File.Status != "missing" {
		t.Errorf("readiness %+v", x)
	}
	replace(t, path, demoContent())
	f.look(false)
	if got := f.get("/api/v1/index", key); got.StatusCode != 200 {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	if s := f.snapshots.Status(); s.Swaps != 0 || s.Refused != 0 || f.logged("snapshot served") != 1 {
		t.Errorf("%+v", s)
	}
	f.readiness(t, 200)
}

// A fault that lies beside the file is found gone after a minute, or at once
// when the operator asks.
func TestLookedIntoAgain(t *testing.T) {
	for _, asked := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "panel.db")
		replace(t, path, demoContent())
		if err := os.WriteFile(path+"-wal", nil, 0o644); err != nil {
			t.Fatal(err)
		}
		f := serveSnapshot(t, path)
		if reason := f.readiness(t, 503).Snapshot.File.Reason; reason != "opened_by_another_program" {
			t.Errorf("reason %q", reason)
		}
		os.Remove(path + "-wal")
		f.clock.Advance(lookAgain - 1)
		if f.look(false); f.snapshots.Current() != nil {
			t.Error("looked into before its time")
		}
		if !asked {
			f.clock.Advance(1)
		}
		if f.look(asked); f.snapshots.Current() == nil {
			t.Error("not looked into again")
		}
	}
}

// Watch looks at each tick and signal; it is back for the next one when it has.
func TestWatch(t *testing.T) {
	f, path := serveCopy(t)
	ctx, cancel := context.WithCancel(t.Context())
	ticks, signals, done := make(chan time.Time), make(chan os.Signal), make(chan struct{})
	go func() {
		defer close(done)
		f.snapshots.Watch(ctx, f.server.Log, ticks, signals)
	}()
	replace(t, path, otherDemo())
	ticks <- time.Time{}
	ticks <- time.Time{} // the first one is done with
	if s := f.snapshots.Status(); s.Swaps != 1 {
		t.Errorf("after a tick: %+v", s)
	}
	signals <- syscall.SIGHUP
	ticks <- time.Time{}
	replace(t, path, demoContent())
	signals <- syscall.SIGHUP
	ticks <- time.Time{}
	cancel()
	<-done
	if s := f.snapshots.Status(); s.Swaps != 2 || f.logged("snapshot as before") != 1 {
		t.Errorf("after signals: %+v", s)
	}
}

// Replaced while requests run, every response is wholly of one snapshot, and
// its tag is of that one.
func TestSwapUnderRequests(t *testing.T) {
	f, path := serveCopy(t)
	key := f.key(state.Standard)
	const address = "/api/v1/index?limit=300"
	contents := [][]byte{demoContent(), otherDemo()}
	tags := map[string]string{} // the tag that a body came with
	for i := len(contents) - 1; i >= 0; i-- {
		replace(t, path, contents[i])
		f.look(false)
		got := f.get(address, key)
		tags[string(got.body)] = got.Header.Get("ETag")
	}
	if len(tags) != 2 {
		t.Fatal("the snapshots have the same answer")
	}
	var wg sync.WaitGroup
	done := make(chan struct{})
	var mu sync.Mutex
	seen := map[string]int{}
	client := f.http.Client()
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				got, err := request(client, f.http.URL+address, key)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(got.Body)
				got.Body.Close()
				if tag, ok := tags[string(body)]; err != nil || got.StatusCode != 200 || !ok || tag != got.Header.Get("ETag") {
					t.Errorf("%d, %d bytes, known %v, tag %s, want %s", got.StatusCode, len(body), ok, got.Header.Get("ETag"), tag)
					return
				}
				mu.Lock()
				seen[tags[string(body)]]++
				mu.Unlock()
			}
		})
	}
	const swaps = 12
	for i := range swaps {
		replace(t, path, contents[(i+1)%2])
		f.look(false)
		f.get(address, key) // so that each is asked for
	}
	close(done)
	wg.Wait()
	if s := f.snapshots.Status(); s.Swaps != swaps+2 || s.Refused != 0 {
		t.Errorf("%+v", s)
	}
	t.Logf("answers by snapshot: %v", seen)
}
