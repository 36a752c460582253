//go:build linux && torture

package torture

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// leftByKill are the files that a killed import may leave: the next one writes
// over them, so there are never more.
var leftByKill = []string{
	"panel.db", "panel.db.lock", "panel.db.draft.tmp", "panel.db.final.tmp", "panel.db.final.tmp-journal",
	"panel.db.rejects.csv", ".panel.db.rejects.csv.tmp", ".panel.db.rejects.csv.lock",
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
