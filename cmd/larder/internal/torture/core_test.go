//go:build linux && torture

package torture

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// signIn starts a session and returns its token.
func (s *server) signIn(t *testing.T, key string) string {
	t.Helper()
	got, err := once.Post(s.public+"/account/session", "application/json", strings.NewReader(`{"key": "`+key+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if len(got.Cookies()) != 1 {
		t.Fatalf("signing in: %d", got.StatusCode)
	}
	return got.Cookies()[0].Value
}

// rotate gives the second key a new secret, as its holder would.
func (s *server) rotate(t *testing.T, known secrets) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.public+"/account/key/rotate", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	token := s.signIn(t, known["rotated key"])
	r.AddCookie(&http.Cookie{Name: "larder_session", Value: token})
	got, err := once.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	b := make([]byte, 1<<12)
	n, _ := got.Body.Read(b)
	_, secret, ok := strings.Cut(string(b[:n]), `"key":"`)
	if !ok {
		t.Fatalf("rotating: %d %s", got.StatusCode, b[:n])
	}
	known["session of the rotated key"], known["new key"] = token, secret[:strings.IndexByte(secret, '"')]
}

// TestCoreFiles shows that a process that does nothing about it leaves a core
// file here, so that the other test's finding none means something.
func TestCoreFiles(t *testing.T) {
	pattern, err := os.ReadFile("/proc/sys/kernel/core_pattern")
	if err != nil || strings.ContainsAny(string(pattern), "|/") {
		required(t, "core", os.ErrNotExist) // core files go to some program, or folder
	}
	dir := t.TempDir()
	cmd := exec.Command("sleep", "60")
	start := cmd.Start
	coresInto(dir)(t, cmd, &start)
	if err := start(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { cmd.Process.Signal(syscall.SIGABRT) })
	cmd.Wait() //nolint:errcheck // it was killed
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		required(t, "core", os.ErrNotExist)
	}
	t.Logf("seen: sleep left %s", entries[0].Name())
}
