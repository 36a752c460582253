//go:build linux && torture

package torture

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A second server on a state is refused, clearly and at once, as long as the
// first one lives, even if that is stopped; and not a moment longer.
func TestServeTwice(t *testing.T) {
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	key := newKey(t, state)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := syscall.Symlink(state, link); err != nil {
		t.Fatal(err)
	}
	first := serve(t, db, state)
	refused := func(path string) {
		t.Helper()
		second, err := tryServe(t, db, path)
		if err == nil || second.public != "" || !strings.Contains(second.log.String(), "another server is using this state; stop it first, or give this one a state of its own") {
			t.Fatalf("a second server: %v\n%s", err, second.log.tail())
		}
	}
	refused(state)
	refused(link)
	if got := first.mustGet(t, "/api/v1/products", key); got.status != 200 {
		t.Errorf("the first one answers %d", got.status)
	}
	first.cmd.Process.Signal(syscall.SIGSTOP) //nolint:errcheck // it shows
	refused(state)
	first.cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // it shows
	for round := range pick(3, 20) {
		first.kill()
		next := serve(t, db, state) // though what the killed one left is there
		if got := next.mustGet(t, "/api/v1/products", key); got.status != 200 {
			t.Errorf("round %d: after a kill it answers %d", round, got.status)
		}
		refused(state)
		first = next
	}
	t.Log("promised: one server at a time; seen: a second one refused beside a running, a stopped and a restarted one, and by another name; none refused after a kill")
}
