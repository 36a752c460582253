//go:build linux && torture

package torture

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// syscallNames are the system calls that a disk answers late: what makes
// something last.
var syscallNames = map[int32]string{
	unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fdatasync", unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename",
}

// held is one of them, which waits until it is decided what becomes of it.
type held struct {
	call string
	path string // of the file; empty for rename
	pid  int
}

// decide says how a held call ends: 0 lets it be done. It may take its time, as
// a disk may. It is called from several goroutines.
type decide func(held) syscall.Errno

// hold lets a command be started with its calls held: of SQLite's and of Go's
// alike, since it is the kernel that holds them. It uses the kernel's user
// notifications of seccomp (Linux 5.19).
func hold(t *testing.T, cmd *exec.Cmd, d decide) (start func() error) {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	cmd.Path = "/proc/self/exe"
	cmd.Env = append(cmd.Environ(), asLauncher+"="+larder)
	cmd.ExtraFiles = []*os.File{theirs}
	return func() error {
		defer ours.Close()
		err := cmd.Start()
		theirs.Close()
		if err != nil {
			return err
		}
		listener, err := receiveFD(ours)
		if err != nil {
			cmd.Process.Kill()
			return fmt.Errorf("%w: %w", errNoFilter, err)
		}
		go notified(listener, d)
		return nil
	}
}

var errNoFilter = errors.New("the system calls can't be held")

func receiveFD(from *os.File) (int, error) {
	c, err := net.FileConn(from)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := c.(*net.UnixConn).ReadMsgUnix(make([]byte, 1), oob)
	if err != nil {
		return 0, err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		return 0, errors.New("no listener came")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return 0, err
	}
	return fds[0], nil
}

// launch is the launcher: it installs the filter, hands on its listener, and becomes
// the command.
func launch() error {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const nr = 0 // offset in struct seccomp_data
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: nr}}
	for call := range syscallNames {
		filter = append(filter,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(call), Jt: 0, Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	const flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return errno
	}
	const socket = 3 // the first of ExtraFiles
	if err := unix.Sendmsg(socket, []byte{0}, unix.UnixRights(int(listener)), nil, 0); err != nil {
		return err
	}
	unix.CloseOnExec(socket)
	path := os.Getenv(asLauncher)
	os.Unsetenv(asLauncher)
	return syscall.Exec(path, os.Args, os.Environ())
}

// The kernel's struct seccomp_notif and struct seccomp_notif_resp.
type notification struct {
	id         uint64
	pid, flags uint32
	nr         int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

type reply struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

// notified decides on held calls until the process has ended.
func notified(listener int, d decide) {
	var wg sync.WaitGroup
	defer func() {
		wg.Wait()
		unix.Close(listener)
	}()
	for {
		poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, -1); err != nil && !errors.Is(err, unix.EINTR) || poll[0].Revents&unix.POLLHUP != 0 {
			return
		}
		if poll[0].Revents&unix.POLLIN == 0 {
			continue
		}
		var n notification
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			continue // it was killed meanwhile
		}
		wg.Go(func() {
			h := held{call: syscallNames[n.nr], pid: int(n.pid)}
			if h.call != "rename" {
				h.path, _ = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", n.pid, n.args[0]))
			}
			r := reply{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
			if errno := d(h); errno != 0 {
				r.errno, r.flags = -int32(errno), 0
			}
			unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
		})
	}
}
