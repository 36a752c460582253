package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

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
