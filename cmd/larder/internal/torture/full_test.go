//go:build linux && torture

package torture

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a disk without enough room, an import fails and says so, wherever the room
// ends, in the copy, its changes or the published file. The old snapshot stays;
// with more room the next import works.
func TestImportOnFullDisk(t *testing.T) {
	x := anImport(t)
	kib := (len(x.old) + len(x.new)) >> 10
	seen := map[string]int{}
	var messages []string
	steps := pick(5, 40)
	for step := range steps {
		// From hardly more than the old one to all that an import ever has there.
		dir := disk(t, len(x.old)>>10+64+step*2*kib/steps)
		db := filepath.Join(dir, "panel.db")
		write(t, db, x.old)
		rejects := filepath.Join(t.TempDir(), "rejects.csv")
		_, err := run(t, "import", x.folder, "--db", db, "--rejects", rejects)
		is := x.which(t, db)
		seen[is]++
		if is == "old" {
			if err == nil || !strings.Contains(err.Error(), "full") && !strings.Contains(err.Error(), "no space left") {
				t.Errorf("at step %d it does not say what is wrong: %v", step, err)
			} else {
				messages = append(messages, strings.TrimSpace(strings.ReplaceAll(err.Error(), dir, "")))
			}
			if names := beside(t, db); len(names) > 1 {
				t.Errorf("at step %d it left %v on a full disk", step, names)
			}
			resize(t, dir, 8*kib)
		}
		x.finish(t, db)
	}
	if seen["old"] == 0 || seen["new"] == 0 {
		t.Errorf("the sizes don't span it: %v", seen)
	}
	t.Logf("promised: the old snapshot, an error that says the disk is full, nothing left behind; seen at %d sizes: %v", steps, seen)
	for _, m := range unique(messages) {
		t.Logf("it said: %s", m)
	}
}

func unique(list []string) (out []string) {
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s], out = true, append(out, s)
		}
	}
	return out
}

// On a full disk no data leaves without a record; when there is room again the
// server goes on by itself.
func TestServeOnFullDisk(t *testing.T) {
	dir := disk(t, 16<<10) // KiB: the write-ahead log alone takes 4 MiB
	db, state := small(t, "1"), filepath.Join(dir, "state.db")
	key := newKey(t, state)
	s := serve(t, db, state)
	var got received
	stop := got.load(t, s, key, 8)
	defer stop()
	for round := range pick(2, 10) {
		answered := got.counts()[200]
		eventually(t, "answers", func() bool { return got.counts()[200] > answered+20 })
		ballast := filepath.Join(dir, "ballast")
		fill(t, ballast)
		failed := got.counts()[500]
		eventually(t, "refusals on a full disk", func() bool { return got.counts()[500] > failed+50 })
		// The log's last pages may take some more; then there is none at all.
		fill(t, ballast+"2")
		before := got.counts()[500]
		answered = got.counts()[200]
		eventually(t, "more of them", func() bool { return got.counts()[500] > before+50 })
		eventually(t, "not ready", func() bool { status, x := s.readiness(t); return status == 503 && x.Code == "state_unavailable" })
		if more := got.counts()[200] - answered; more > 8 {
			t.Errorf("round %d: %d answers on a full disk", round, more)
		}
		os.Remove(ballast + "2")
		os.Remove(ballast)
		eventually(t, "ready again, without a restart", func() bool { status, _ := s.readiness(t); return status == 200 })
	}
	answered := got.counts()[200]
	eventually(t, "answers again", func() bool { return got.counts()[200] > answered+20 })
	if n := s.metric(t, "larder_log_append_errors_total"); n < 100 {
		t.Errorf("the metric counts %v", n)
	}
	stop()
	s.kill()
	in := got.inLog(t, state)
	t.Logf("promised: no data without a record, and on again by itself; seen: answered %v, %d in the log, %d counted", got.counts(), in.requests, in.counted)
}

// fill writes until there is no room.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		if errors.Is(err, syscall.ENOSPC) {
			return
		}
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 16; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) || errors.Is(err, io.ErrShortWrite) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
