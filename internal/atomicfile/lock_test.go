package atomicfile

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

const holderEnv = "ATOMICFILE_TEST_HOLD"

// TestMain also runs as the other process. That takes the lock, says so, and holds
// it until it is killed.
func TestMain(m *testing.M) {
	path := os.Getenv(holderEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := Lock(path, 0o600); err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString("held\n")
	os.Stdin.Read(make([]byte, 1))
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	unlock, err := Lock(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if _, err := Lock(path, 0o600); !errors.Is(err, ErrHeld) {
		t.Errorf("taken twice: %v", err)
	}
	unlock()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unlocked, the file is still there: %v", err)
	}
	unlock, err = Lock(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := Lock(filepath.Join(path, "b"), 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in no folder: %v", err)
	}
}

// A lock ends with its process, also if that is killed. The file that it leaves
// is no obstacle.
func TestLockAfterKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	holder := exec.CommandContext(t.Context(), os.Args[0])
	holder.Env = append(os.Environ(), holderEnv+"="+path)
	if _, err := holder.StdinPipe(); err != nil { // it waits for our end of it
		t.Fatal(err)
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if said, err := bufio.NewReader(out).ReadString('\n'); said != "held\n" {
		t.Fatalf("the holder said %q, %v", said, err)
	}
	if _, err := Lock(path, 0o600); !errors.Is(err, ErrHeld) {
		t.Errorf("while another process has it: %v", err)
	}
	holder.Process.Kill()
	holder.Wait()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the killed holder should have left its file: %v", err)
	}
	unlock, err := Lock(path, 0o600)
	if err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
	unlock()
}

// Many lock and unlock at once, and never two have the lock, although each removes
// the file that the others are about to lock.
func TestLockTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	var holders, turns atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for turns.Load() < 500 {
				unlock, err := Lock(path, 0o600)
				if errors.Is(err, ErrHeld) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d have the lock", n)
				}
				turns.Add(1)
				for range 20 {
					runtime.Gosched() // others try meanwhile
				}
				holders.Add(-1)
				unlock()
			}
		})
	}
	wg.Wait()
}
