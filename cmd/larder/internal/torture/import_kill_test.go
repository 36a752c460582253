//go:build linux && torture

package torture

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leftByKill are the files that a killed import may leave: the next one writes
// over them, so there are never more.
var leftByKill = []string{
	"panel.db", "panel.db.lock", "panel.db.draft.tmp", "panel.db.final.tmp", "panel.db.final.tmp-journal",
	"panel.db.rejects.csv", ".panel.db.rejects.csv.larder-tmp",
}

// Killed at any moment, the snapshot is the old one or the new one, byte for
// byte; the next import works, and nothing piles up.
func TestImportKilled(t *testing.T) {
	x := anImport(t)
	db := filepath.Join(t.TempDir(), "panel.db")
	r := rand.New(rand.NewPCG(3, 4))
	seen := map[string]int{}
	for range pick(10, 300) {
		write(t, db, x.old)
		cmd := command(t, "import", x.folder, "--db", db)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killer := time.AfterFunc(time.Duration(r.Int64N(int64(x.took))), func() { cmd.Process.Kill() })
		cmd.Wait() //nolint:errcheck // it was killed
		killer.Stop()
		seen[x.which(t, db)]++
		for _, name := range beside(t, db) {
			if !slices.Contains(leftByKill, name) {
				t.Errorf("a killed import left %s", name)
			}
		}
	}
	x.finish(t, db)
	t.Logf("promised: the old snapshot or the new one, whole; seen in kills over %s: %v", x.took.Round(time.Millisecond), seen)
}

// Killed right before the last steps, it is the old one until the rename and
// the new one from then on; and the steps come in the order that makes that
// last: content, name, folder.
func TestImportKilledAtEachStep(t *testing.T) {
	x := anImport(t)
	db := filepath.Join(t.TempDir(), "panel.db")
	var steps []string
	importHeld(t, x, db, func(h held) syscall.Errno {
		steps = append(steps, h.call+" "+strings.TrimPrefix(filepath.Base(h.path), filepath.Base(filepath.Dir(db))))
		return 0
	})
	content, renamed, folder := slices.Index(steps, "fsync panel.db.final.tmp"), slices.Index(steps, "rename ."), slices.Index(steps, "fsync ")
	if content < 0 || renamed < content || folder < renamed {
		t.Errorf("content, name, folder at %d, %d, %d of %q", content, renamed, folder, steps)
	}
	var seen []string
	for last := range steps {
		n := 0
		importHeld(t, x, db, func(h held) syscall.Errno {
			if n++; n == last+1 {
				syscall.Kill(h.pid, syscall.SIGKILL) //nolint:errcheck // it shows
				return syscall.EIO                   // nobody is there to see it
			}
			return 0
		})
		got, want := x.which(t, db), "old"
		if last > renamed {
			want = "new"
		}
		if got != want {
			t.Errorf("killed before %q it is the %s one", steps[last], got)
		}
		seen = append(seen, steps[last]+": "+got)
	}
	x.finish(t, db)
	t.Logf("promised: content, name, folder, in this order; seen, killed before each: %s", strings.Join(seen, "; "))
}
