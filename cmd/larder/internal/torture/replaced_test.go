//go:build linux && torture

package torture

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A state that goes from under a running server: licensed calls are refused at once,
// and commands say that the server would not see their change.
func TestStateReplaced(t *testing.T) {
	for name, replace := range map[string]func(t *testing.T, path string) error{
		"deleted": func(_ *testing.T, path string) error { return os.Remove(path) },
		"replaced": func(t *testing.T, path string) error {
			other := filepath.Join(filepath.Dir(path), "other.db")
			newKey(t, other)
			return os.Rename(other, path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "state.db")
			key := newKey(t, state)
			s := serve(t, small(t, "1"), state)
			if got := s.mustGet(t, "/api/v1/products", key); got.status != 200 {
				t.Fatalf("before: %d", got.status)
			}
			if err := replace(t, state); err != nil {
				t.Fatal(err)
			}
			replaced := time.Now()
			if got := s.mustGet(t, "/api/v1/products", key); got.status != 500 {
				t.Errorf("after: %d, want 500", got.status)
			}
			if status, _ := s.readiness(t); status != 503 {
				t.Errorf("/readyz: %d, want 503", status)
			}
			if took := time.Since(replaced); took > 2*time.Second {
				t.Errorf("noticed after %s", took)
			}
			if _, err := run(t, "keys", "disable", "1", "--state", state); err == nil || !strings.Contains(err.Error(), "running server") {
				t.Errorf("keys disable: %v", err)
			}
			if !strings.Contains(s.log.String(), "replaced or deleted") {
				t.Errorf("the log does not say it:\n%s", s.log.tail())
			}
		})
	}
	t.Log("promised: a server notices within 2 s that its state file is another one, and commands say so; seen: refused by the next request")
}

// A FIFO, a folder or a device in the snapshot's place is refused, the old snapshot
// is served on, and a second SIGTERM ends the process.
func TestSnapshotIsNoFile(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"FIFO":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		t.Run(name, func(t *testing.T) {
			db, state := filepath.Join(t.TempDir(), "panel.db"), filepath.Join(t.TempDir(), "state.db")
			content, err := os.ReadFile(small(t, "1"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(db, content, 0o600); err != nil {
				t.Fatal(err)
			}
			key := newKey(t, state)
			s := serve(t, db, state)
			if err := os.Remove(db); err != nil {
				t.Fatal(err)
			}
			if err := make(db); err != nil {
				t.Fatal(err)
			}
			s.reload()
			eventually(t, "the refusal in the log", func() bool { return strings.Contains(s.log.String(), "snapshot refused") })
			if got := s.mustGet(t, "/api/v1/products", key); got.status != 200 {
				t.Errorf("beside a %s: %d", name, got.status)
			}
			for range 2 {
				s.cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it shows
			}
			select {
			case <-s.ended:
			case <-time.After(patience):
				t.Errorf("it does not end\n%s", s.log.tail())
			}
		})
	}
	t.Log("promised: the old snapshot is served on and the server ends when told; seen: so beside a FIFO, a folder and a device")
}
