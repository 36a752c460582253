package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// replaced replaces a file of a mode and a group (0: that of the process) by a new one, as a user
// who may give files away or not. It returns what is in the place then.
func replaced(t *testing.T, mode fs.FileMode, group int, user uintptr) (fs.FileInfo, error) {
	t.Helper()
	place := filepath.Join(t.TempDir(), "a")
	for _, path := range []string{place, place + ".new"} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, int(user), -1); user != 0 && err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{filepath.Dir(place), filepath.Dir(filepath.Dir(place))} {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(place, -1, group); group != 0 && err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(place, mode); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked, so that the thread ends with its user
		if user != 0 {
			syscall.RawSyscall(syscall.SYS_SETFSUID, user, 0, 0)
		}
		done <- Replace(place+".new", place)
	}()
	err := <-done
	info, _ := os.Stat(place)
	return info, err
}

func TestReplaceKeepsModeAndOwners(t *testing.T) {
	for _, mode := range []fs.FileMode{0o640, 0o444, 0o600, 0o664} {
		if info, err := replaced(t, mode, 0, 0); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%o became %v, %v", mode, info.Mode(), err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can make files of other groups")
	}
	const readers, user = 4321, 4322
	info, err := replaced(t, 0o640, readers, 0)
	if s := info.Sys().(*syscall.Stat_t); err != nil || s.Gid != readers || info.Mode().Perm() != 0o640 {
		t.Errorf("group %d, %v, %v", s.Gid, info.Mode(), err)
	}
	// A user who is no member of the group may not give it.
	if _, err := replaced(t, 0o640, readers, user); err == nil || !strings.Contains(err.Error(),
		"group of the old one, 4321") {
		t.Errorf("got %v", err)
	}
	for mode, want := range map[fs.FileMode]fs.FileMode{0o664: 0o644, 0o600: 0o600, 0o604: 0o644} {
		if info, err := replaced(t, mode, readers, user); err != nil || info.Mode().Perm() != want {
			t.Errorf("%o became %v, want %o; %v", mode, info.Mode(), want, err)
		}
	}
}
