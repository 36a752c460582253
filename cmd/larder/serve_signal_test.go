package main

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serveProcess starts larder serve in a process of its own, for signals.
func serveProcess(t *testing.T, args ...string) (*serving, *exec.Cmd) {
	t.Helper()
	x := &serving{log: &lockedLog{}}
	cmd := exec.Command("larder", append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, args...)...)
	cmd.Stderr = x.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	x.greeted(t, out)
	return x, cmd
}

// TestServeSignal sends one signal. The server ends in good order.
func TestServeSignal(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			x, cmd := serveProcess(t, "--db", filepath.Join(dir, "panel.db"))
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, x.log)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*-wal")); len(left) > 0 || !strings.Contains(x.log.String(), `"msg":"stopping"`) {
				t.Errorf("%v\n%s", left, x.log)
			}
		})
	}
}

// TestServeSecondSignal sends two signals while a request is under way. The first waits for
// it, the second cuts it off. The demo's temporary folder is removed all the same.
func TestServeSecondSignal(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	x, cmd := serveProcess(t, "--drain", "1h")
	c, err := net.Dial("tcp", strings.TrimPrefix(x.public, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))); err != nil {
		t.Fatalf("%v\n%s", err, x.log) // when it comes, the body is being read
	}
	cmd.Process.Signal(syscall.SIGTERM)
	until(t, x.log, func() bool { return strings.Contains(x.log.String(), `"msg":"stopping"`) })
	cmd.Process.Signal(syscall.SIGTERM)
	err = cmd.Wait()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != exitFailed || !strings.Contains(x.log.String(), "requests under way were cut off: asked to end a second time") {
		t.Errorf("%v\n%s", err, x.log)
	}
	if left, _ := filepath.Glob(temp + "/larder-serve-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestServeSecondSignalWhileItHangs sends two signals while the greeting hangs in a full
// pipe. The second ends the process.
func TestServeSecondSignalWhileItHangs(t *testing.T) {
	t.Parallel()
	for range 20 { // the signals may come before the greeting, and then nothing hangs
		if log := signalHanging(t); strings.Contains(log, "something hangs") {
			return
		} else if !strings.Contains(log, "interrupted; nothing was changed") {
			t.Fatal(log)
		}
	}
	t.Error("the signals came too early every time")
}

// signalHanging starts a server whose greeting hangs in a full pipe, sends it two
// signals, and returns its log.
func signalHanging(t *testing.T) string {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = w.Write(make([]byte, 4096))
	}
	log := &lockedLog{}
	cmd := exec.Command("larder", "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "panel.db"))
	cmd.Stdout, cmd.Stderr = w, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	until(t, log, func() bool { return strings.Contains(log.String(), `"msg":"snapshot refused"`) })
	// Two signals of one kind could become one on their way.
	for _, x := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if err := cmd.Process.Signal(x); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitFailed {
			t.Errorf("%v\n%s", err, log)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("it does not end\n%s", log)
	}
	return log.String()
}
