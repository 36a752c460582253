package main

import (
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

// serveProcess starts larder serve in a process of its own.
func serveProcess(t *testing.T, program string, args ...string) (*serving, *exec.Cmd) {
	t.Helper()
	x := &serving{log: &lockedLog{}}
	cmd := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, args...)...)
	cmd.Stderr = x.log
	out := must(cmd.StdoutPipe())
	orPanic(cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	x.greeted(t, out)
	return x, cmd
}

// TestServeSignal sends one signal. The server ends in good order. TestReadmeServe sends that of Ctrl-C.
func TestServeSignal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x, cmd := serveProcess(t, "larder", "--db", filepath.Join(dir, "panel.db"))
	orPanic(cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, x.log)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*-wal")); len(left) > 0 || !strings.Contains(x.log.String(), `"msg":"stopping"`) {
		t.Errorf("%v\n%s", left, x.log)
	}
}

// TestServeSecondSignal sends two signals while a request is under way. The first waits for
// it, the second does not.
func TestServeSecondSignal(t *testing.T) {
	t.Parallel()
	x, cmd := serveProcess(t, "larder", "--db", filepath.Join(t.TempDir(), "panel.db"), "--drain", "1h")
	c := must(net.Dial("tcp", strings.TrimPrefix(x.public, "http://")))
	defer c.Close()
	must(io.WriteString(c, "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"))
	if _, err := io.ReadFull(c, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))); err != nil {
		t.Fatalf("%v\n%s", err, x.log) // when it comes, the body is being read
	}
	cmd.Process.Signal(syscall.SIGTERM)
	until(t, x.log, func() bool { return strings.Contains(x.log.String(), `"msg":"stopping"`) })
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
		t.Errorf("%v\n%s", err, x.log)
	}
}

// TestServeCrowd opens more connections than the process may have descriptors, and leaves them idle. Operators and
// further readers are answered at once.
func TestServeCrowd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	limited := filepath.Join(dir, "limited")
	orPanic(os.WriteFile(limited, []byte("#!/bin/sh\nulimit -n 100\nexec larder \"$@\"\n"), 0o755))
	x, cmd := serveProcess(t, limited, "--db", filepath.Join(dir, "panel.db"))
	for range 150 {
		c := must(net.Dial("tcp", strings.TrimPrefix(x.public, "http://")))
		defer c.Close()
		must(io.WriteString(c, "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n"))
	}
	// Idle connections are closed after two minutes.
	kill := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer kill.Stop()
	for _, address := range []string{x.admin, x.public} {
		if status, body := get(t, address+"/healthz", ""); status != 200 {
			t.Errorf("%d %s\n%s", status, body, x.log)
		}
	}
}
