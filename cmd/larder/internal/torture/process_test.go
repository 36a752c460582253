//go:build linux && torture

package torture

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// testNow is a Friday noon in Toronto, in the open week after 2026-11-15.
const testNow = "2026-11-20T17:00:00Z"

// patience is how long anything is waited for.
const patience = 30 * time.Second

// run runs the command to its end.
func run(t *testing.T, args ...string) (stdout string, err error) {
	t.Helper()
	cmd := command(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), errors.New(errs.String())
	}
	return out.String(), nil
}

// must runs the command, which must succeed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := run(t, args...)
	if err != nil {
		t.Fatalf("larder %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.Command(larder, args...)
	cmd.Env = append(os.Environ(), "GOTRACEBACK=all")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// server is a running larder serve.
type server struct {
	cmd           *exec.Cmd
	public, admin string
	log           logFile
	ended         chan struct{} // closed when it has
	err           error         // how it ended; after ended
}

// logFile is the file that a server writes its standard error to by itself, so
// that nothing is lost however it ends. It is read while the server runs.
type logFile string

func (f logFile) String() string {
	all, err := os.ReadFile(string(f))
	if err != nil {
		panic(err) // else nothing that should not be there would be found
	}
	return string(all)
}

// tail is the last part, for people.
func (f logFile) tail() string {
	s := f.String()
	return s[max(0, len(s)-2000):]
}

var addresses = regexp.MustCompile(`at (http://\S+)/ \(health and metrics: (http://[^)]+)\)`)

// serve starts a server and waits for its greeting.
func serve(t *testing.T, db, state string, env ...string) *server {
	t.Helper()
	s, err := tryServe(t, db, state, env...)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.log.tail())
	}
	return s
}

// tryServe starts a server; an error if it ended at once. It makes a state that is
// not there, since serve refuses a missing one.
func tryServe(t *testing.T, db, state string, env ...string) (*server, error) {
	t.Helper()
	if _, err := os.Stat(state); errors.Is(err, os.ErrNotExist) {
		newKey(t, state)
	}
	cmd := command(t, "serve", "--db", db, "--state", state, "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
	cmd.Env = append(cmd.Env, "LARDER_NOW="+testNow, "LARDER_PUBLIC_PER_MINUTE=100000000")
	cmd.Env = append(cmd.Env, env...)
	s := &server{cmd: cmd, log: logFile(filepath.Join(t.TempDir(), "log")), ended: make(chan struct{})}
	stderr, err := os.Create(string(s.log))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	cmd.Stderr = stderr
	stdout, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	err = cmd.Start()
	w.Close()
	if err != nil {
		return s, err
	}
	go func() {
		defer close(s.ended)
		s.err = cmd.Wait()
	}()
	t.Cleanup(s.kill)
	defer stdout.Close()
	greeting := make([]byte, 1<<12)
	n, _ := stdout.Read(greeting)
	found := addresses.FindSubmatch(greeting[:n])
	if found == nil {
		<-s.ended
		return s, s.err
	}
	s.public, s.admin = string(found[1]), string(found[2])
	return s, nil
}

// kill ends a server as a power cut would.
func (s *server) kill() {
	s.cmd.Process.Kill() //nolint:errcheck // it may have ended
	<-s.ended
}

// reload makes a server look at its snapshot now.
func (s *server) reload() { s.cmd.Process.Signal(syscall.SIGHUP) } //nolint:errcheck // it shows

// newKey makes a key with an ample minute.
func newKey(t *testing.T, state string, more ...string) string {
	t.Helper()
	args := append([]string{"keys", "create", "--state", state, "--tier", "enterprise", "--name", "torture", "--per-minute", "100000000", "--format", "json"}, more...)
	var made struct{ Key string }
	if out := must(t, args...); json.Unmarshal([]byte(out), &made) != nil || made.Key == "" {
		t.Fatalf("no key in %s", out)
	}
	return made.Key
}

var snapshots sync.Map // path by arguments

// snapshot returns a made-up snapshot, made once for all tests. It must not be
// changed.
func snapshot(t *testing.T, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(shared, name+".db")
	made, _ := snapshots.LoadOrStore(path, sync.OnceFunc(func() {
		must(t, append([]string{"demo", "--db", path}, args...)...)
	}))
	made.(func())()
	return path
}

// small are snapshots of a few weeks: quick to load, and different.
func small(t *testing.T, seed string) string {
	return snapshot(t, "small-"+seed, "--seed", seed, "--weeks", "2", "--through", "2026-11-20")
}
