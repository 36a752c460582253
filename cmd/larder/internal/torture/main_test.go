//go:build linux && torture

package torture

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// asInside in the environment says that this process has mounts of its own.
const asInside = "LARDER_TORTURE_INSIDE"

var (
	larder string // the command, built for this run
	shared string // what tests share: snapshots, made once
)

func TestMain(m *testing.M) {
	if os.Getenv(asInside) == "" {
		if code, ok := inside(); ok {
			os.Exit(code)
		}
	}
	os.Exit(runAll(m))
}

// inside runs the tests in a process that has mounts of its own: small disks
// that end with it, however it ends. False if the system does not allow that.
func inside() (code int, ok bool) {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), asInside+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if uid, gid := os.Getuid(), os.Getgid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	}
	if err := cmd.Start(); err != nil {
		return 0, false
	}
	err := cmd.Wait()
	if exit, is := errors.AsType[*exec.ExitError](err); is && exit.ExitCode() < 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return cmd.ProcessState.ExitCode(), true
}

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "larder-torture-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	larder, shared = filepath.Join(dir, "larder"), dir
	build := exec.Command("go", "build", "-o", larder, "github.com/larder-index/larder/cmd/larder")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// disk is a small disk of its own, of so many KiB, gone when the test ends.
func disk(t *testing.T, kib int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if os.Getenv(asInside) == "" {
		t.Skip("no mounts of its own")
	}
	// So that nothing of it is seen outside.
	err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	if err == nil {
		err = syscall.Mount("larder", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib))
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// resize gives a small disk another size.
func resize(t *testing.T, dir string, kib int) {
	t.Helper()
	if err := syscall.Mount("larder", dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Fatal(err)
	}
}

// pick returns how much to do: short with -short, atLength otherwise.
func pick(short, atLength int) int {
	if !testing.Short() {
		return atLength
	}
	return short
}
