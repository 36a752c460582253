//go:build linux && torture

package torture

import (
	"bytes"
	"crypto/sha256"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// No log, error, metric, state or crash message holds a key, a sign-in link, a session's
// token or a shopping list. A crash leaves no core file.
func TestSecrets(t *testing.T) {
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	known := secrets{"key": newKey(t, state), "rotated key": newKey(t, state), "disabled key": newKey(t, state)}
	key := known["key"]
	must(t, "keys", "disable", "3", "--state", state)
	_, known["link"], _ = strings.Cut(strings.TrimSpace(must(t, "keys", "signin", "1", "--state", state, "--base-url", "http://x.example")), "#signin=")
	known["link"], _, _ = strings.Cut(known["link"], "\n")
	signals := []syscall.Signal{syscall.SIGABRT, syscall.SIGQUIT, syscall.SIGSEGV}
	for _, signal := range signals[:pick(1, len(signals))] {
		dir := t.TempDir()
		s := serve(t, db, state, env("GOTRACEBACK=crash"), env("LARDER_SHOPPER_PER_MINUTE=1000000"), coresInto(dir))
		known["session"] = s.signIn(t, key)
		if signal == syscall.SIGABRT {
			s.rotate(t, known)
		}
		list := `{"city":"toronto","items":[{"product_id":1,"quantity":"1.7193"},{"product_id":7,"quantity":"3.3917"}]}`
		for _, ask := range []func() (*http.Response, error){
			func() (*http.Response, error) {
				return once.Post(s.public+"/api/shopper/compare", "application/json", strings.NewReader(list))
			},
			func() (*http.Response, error) {
				return once.Get(s.public + "/api/shopper/compare?city=toronto&items=1x1.7193,7x3.3917")
			},
		} {
			got, err := ask()
			if err != nil {
				t.Fatal(err)
			}
			got.Body.Close()
		}
		known.scan(t, "an answer", known.everywhere(t, s, key))
		metrics, err := get(once, s.admin+"/metrics", "")
		if err != nil {
			t.Fatal(err)
		}
		ready, err := get(once, s.admin+"/readyz", "")
		if err != nil {
			t.Fatal(err)
		}
		s.cmd.Process.Signal(signal) //nolint:errcheck // it shows
		<-s.ended
		places := map[string][]byte{"the metrics": metrics.body, "/readyz": ready.body, "the log and what the crash printed": []byte(s.log.String())}
		for _, end := range []string{"", "-wal", "-shm"} {
			if content, err := os.ReadFile(state + end); err == nil {
				places["the state"+end] = content
			}
		}
		scanned := 0
		for place, content := range places {
			scanned += len(content)
			known.scan(t, place, content)
			for _, list := range []string{`"1.7193"`, "x1.7193", `"3.3917"`, "x3.3917"} { // moments have such digits too
				if bytes.Contains(content, []byte(list)) {
					t.Errorf("a shopping list is in %s", place)
				}
			}
		}
		if hash := sha256.Sum256([]byte(key)); !bytes.Contains(append(places["the state"], places["the state-wal"]...), hash[:]) {
			t.Error("the state was not looked into: not even the key's hash is there")
		}
		if !strings.Contains(s.log.String(), "goroutine ") {
			t.Errorf("%s printed no stacks: %s", signal, s.log.tail())
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) > 0 {
			t.Errorf("%s left %v", signal, entries)
		}
		t.Logf("promised: no place holds a secret; seen with %s: %d secrets looked for in %d bytes of %d places, no core file", signal, len(known), scanned, len(places))
	}
}

// coresInto lets a process leave core files in a folder, if it does at all.
func coresInto(dir string) how {
	return func(t *testing.T, cmd *exec.Cmd, _ *func() error) {
		limit := syscall.Rlimit{Cur: 1 << 30, Max: 1 << 30}
		if err := syscall.Setrlimit(4 /* RLIMIT_CORE */, &limit); err != nil {
			t.Logf("no core files are allowed here anyway: %v", err)
		}
		cmd.Dir = dir
	}
}
