//go:build linux && torture

package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// releasing is a folder in which the old snapshot is released and the new one is next.
type releasing struct {
	imported
	live, log string
	args      []string
	before    []byte // the log with the first release
}

func aRelease(t *testing.T) *releasing {
	dir := t.TempDir()
	x := &releasing{live: filepath.Join(dir, "live.db"), log: filepath.Join(dir, "releases.db")}
	first, second := small(t, "1"), filepath.Join(t.TempDir(), "next.db")
	must(t, "release", first, "--live", x.live, "--log", x.log, "--now", "2026-11-16T13:30:00Z")
	x.old, x.new, x.before = read(t, first), read(t, snapshot(t, "four", "--weeks", "4", "--through", "2026-11-20")), read(t, x.log)
	write(t, second, x.new)
	x.args = []string{"release", second, "--live", x.live, "--log", x.log, "--now", "2026-11-16T13:31:00Z"}
	// Another panel: every finding is accepted by its id.
	found, _ := run(t, append(x.args, "--dry-run", "--format", "json")...)
	accept := filepath.Join(t.TempDir(), "accept.csv")
	list := "id,reason\n"
	for _, m := range regexp.MustCompile(`"id": ?"([a-z_]+:[^"]+)"`).FindAllStringSubmatch(found, -1) {
		list += m[1] + ",another panel\n"
	}
	write(t, accept, []byte(list))
	x.args = append(x.args, "--accept-file", accept)
	began := time.Now()
	must(t, x.args...)
	x.took = time.Since(began)
	x.state(t, "r2 new")
	return x
}

// reset goes back to the first release.
func (x *releasing) reset(t *testing.T) {
	write(t, x.live, x.old)
	write(t, x.log, x.before)
}

// state says what is in the log and in service: a whole log, and a whole snapshot that is
// released there.
func (x *releasing) state(t *testing.T, allowed ...string) string {
	t.Helper()
	n := 1
	if strings.HasPrefix(must(t, "releases", "verify", "--log", x.log), "2 ") {
		n = 2
	}
	state := fmt.Sprintf("r%d %s", n, x.which(t, x.live))
	if !slices.Contains(allowed, state) {
		t.Fatalf("it is %q, not one of %q", state, allowed)
	}
	return state
}

// finish runs the same command again, which must end the release and leave nothing else.
func (x *releasing) finish(t *testing.T) {
	t.Helper()
	must(t, x.args...)
	x.state(t, "r2 new")
	if names := beside(t, x.live); len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

// Killed at any moment, the old release is in service or the new one, and what is in
// service is in the log. The next run ends it, also when the new file is gone by then.
func TestReleaseKilled(t *testing.T) {
	x := aRelease(t)
	r := rand.New(rand.NewPCG(5, 6))
	seen := map[string]int{}
	for round := range pick(10, 100) {
		x.reset(t)
		cmd := command(t, x.args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killer := time.AfterFunc(time.Duration(r.Int64N(int64(x.took))), func() { cmd.Process.Kill() })
		cmd.Wait() //nolint:errcheck // it was killed
		killer.Stop()
		state := x.state(t, "r1 old", "r2 old", "r2 new")
		seen[state]++
		if gone := x.args[1] + ".gone"; round%2 == 1 && state == "r2 new" {
			if err := os.Rename(x.args[1], gone); err != nil {
				t.Fatal(err)
			}
			x.finish(t)
			if err := os.Rename(gone, x.args[1]); err != nil {
				t.Fatal(err)
			}
		}
		x.finish(t)
	}
	t.Logf("promised: the old release or the new one, and the next run ends it; seen in kills over %s: %v", x.took.Round(time.Millisecond), seen)
}
