//go:build linux && torture

package torture

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A disk that can't keep what it was given, and says so or does not: the old
// snapshot stays unless the new one is whole and named, and the command fails.
func TestImportFsyncFails(t *testing.T) {
	x := anImport(t)
	for _, c := range []struct {
		name, call, path string
		does             func(path string) syscall.Errno
		is, says         string
	}{
		{"the content fails", "fsync", ".final.tmp", fails(syscall.EIO), "old", "input/output error"},
		{"the content finds no room", "fsync", ".final.tmp", fails(syscall.ENOSPC), "old", "no space left on device"},
		{"the content fits no quota", "fsync", ".final.tmp", fails(syscall.EDQUOT), "old", "disk quota exceeded"},
		{"the name fails", "rename", "", fails(syscall.EIO), "old", "input/output error"},
		// The file is there by then, and whole. The command can't say whether it
		// outlasts a power cut.
		{"the folder fails", "fsync", "folder", fails(syscall.EIO), "new", "input/output error"},
		{"a bit of the content flips", "fsync", ".final.tmp", flips, "old", "does not read back"},
		{"the content is cut off", "fsync", ".final.tmp", cuts, "old", "does not read back"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "panel.db")
			done := false
			errs, err := importHeld(t, x, db, func(h held) syscall.Errno {
				name := strings.TrimPrefix(h.path, db)
				if h.path == filepath.Dir(db) {
					name = "folder"
				}
				if done || h.call != c.call || name != c.path {
					return 0
				}
				done = true // the rejects are written afterwards
				return c.does(h.path)
			})
			if got := x.which(t, db); err == nil || got != c.is || !strings.Contains(errs, c.says) {
				t.Errorf("the %s one; %v: %s", got, err, errs)
			}
			t.Logf("seen: the %s one, and %q", c.is, strings.TrimSpace(errs))
			x.finish(t, db)
		})
	}
}

func fails(errno syscall.Errno) func(string) syscall.Errno {
	return func(string) syscall.Errno { return errno }
}

// flips changes one bit behind the program's back.
func flips(path string) syscall.Errno {
	content, err := os.ReadFile(path)
	if err == nil {
		content[len(content)/3] ^= 4
		err = os.WriteFile(path, content, 0)
	}
	if err != nil {
		return syscall.ENOTRECOVERABLE // so that the test fails
	}
	return 0
}

func cuts(path string) syscall.Errno {
	if os.Truncate(path, 5*4096) != nil {
		return syscall.ENOTRECOVERABLE
	}
	return 0
}

// faulty is a disk whose syncs of the state fail or hang when told to.
type faulty struct {
	errno          atomic.Int32
	mu             sync.RWMutex // held for writing while it hangs
	synced, failed atomic.Int64
}

func (f *faulty) decide(h held) syscall.Errno {
	if !strings.Contains(h.path, "state.db") {
		return 0
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	if errno := syscall.Errno(f.errno.Load()); errno != 0 {
		f.failed.Add(1)
		return errno
	}
	f.synced.Add(1)
	return 0
}

// While the disk of the state can't keep what it is given, no data leaves; when
// it can again, the server goes on; and the log has all that was answered, even
// if it is killed right after.
func TestServeFsyncFails(t *testing.T) {
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	key := newKey(t, state)
	var got received
	var last int64
	for round := range pick(3, 25) {
		var f faulty
		s := serve(t, db, state, holding(f.decide))
		stop := got.load(t, s, key, 8)
		answered := got.counts()[200]
		eventually(t, "answers", func() bool { return got.counts()[200] > answered+50 })
		f.errno.Store(int32([]syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT}[round%3]))
		failed := got.counts()[500]
		eventually(t, "refusals", func() bool { return got.counts()[500] > failed+20 })
		before := got.counts()[200]
		failed = got.counts()[500]
		eventually(t, "more of them", func() bool { return got.counts()[500] > failed+50 })
		eventually(t, "not ready", func() bool { status, x := s.readiness(t); return status == 503 && x.Code == "state_unavailable" })
		if more := got.counts()[200] - before; more > 0 {
			t.Errorf("round %d: %d answers that were not kept", round, more)
		}
		if round%2 == 0 {
			f.errno.Store(0)
			eventually(t, "answers again", func() bool { return got.counts()[200] > before+50 })
			eventually(t, "ready again", func() bool { status, _ := s.readiness(t); return status == 200 })
		}
		s.kill()
		stop()
		last += f.failed.Load()
		got.inLog(t, state)
	}
	in := got.inLog(t, state)
	t.Logf("promised: no data without a record on disk, and on again by itself; seen with %d failed syncs: answered %v, %d in the log", last, got.counts(), in.requests)
}

// While the disk hangs nothing leaves; /readyz says so in time, /healthz answers,
// and all come to their end when it goes on.
func TestServeDiskHangs(t *testing.T) {
	t.Parallel()
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	key := newKey(t, state)
	var f faulty
	s := serve(t, db, state, holding(f.decide))
	var got received
	stop := got.load(t, s, key, 8)
	defer stop()
	eventually(t, "answers", func() bool { return got.counts()[200] > 50 })
	f.mu.Lock()
	hangs := sync.OnceFunc(f.mu.Unlock)
	defer hangs()
	began := time.Now()
	var bodies [2]*answer
	for i, address := range []string{s.public, s.admin} {
		var err error
		if bodies[i], err = get(once, address+"/readyz", ""); err != nil {
			t.Fatalf("/readyz does not answer: %v", err)
		}
	}
	took := time.Since(began)
	before, synced := got.counts(), f.synced.Load()
	if alive, err := get(once, s.public+"/healthz", ""); err != nil || alive.status != 200 {
		t.Errorf("/healthz: %v %v", alive, err)
	}
	if scraped, err := get(once, s.admin+"/metrics", ""); err != nil || scraped.status != 200 {
		t.Errorf("/metrics: %v %v", scraped, err)
	}
	for _, b := range bodies {
		if b.status != 503 || !bytes.Contains(b.body, []byte(`"state_unavailable"`)) {
			t.Errorf("/readyz: %d %s", b.status, b.body)
		}
	}
	if took > 15*time.Second {
		t.Errorf("/readyz took %s", took)
	}
	if after := got.counts(); after[200] != before[200] || f.synced.Load() != synced {
		t.Errorf("%v before, %v after: it answers without a record", before, after)
	}
	hangs()
	eventually(t, "answers again", func() bool { return got.counts()[200] > before[200]+50 })
	eventually(t, "ready again", func() bool { status, _ := s.readiness(t); return status == http.StatusOK })
	stop()
	s.kill()
	got.inLog(t, state)
	t.Logf("promised: nothing leaves without a record, /readyz answers in time; seen: two of them in %s, answered %v", took.Round(time.Millisecond), got.counts())
}
