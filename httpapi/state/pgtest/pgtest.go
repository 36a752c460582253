// Package pgtest starts a PostgreSQL server for tests.
package pgtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/lib/pq" // the driver "postgres"
)

// Environment holds the address of a server that another process started for its tests.
const Environment = "LARDER_TEST_POSTGRES"

// password is that of the user larder, so that tests see whether it leaks.
const password = "Pa55-word"

// Server is a PostgreSQL server of tests, in a folder of its own.
type Server struct {
	// Address is that of the database postgres.
	Address string

	folder, bin string
	port        int
	settings    []string
	cmd         *exec.Cmd
}

// Start starts a server with further settings, such as "fsync=off", until the test ends. Where
// PostgreSQL is not installed, it skips the test, or fails it if LARDER_REQUIRE_TOOLS names
// postgresql.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := start(settings)
	if err != nil {
		if s == nil && !slices.Contains(strings.Fields(os.Getenv("LARDER_REQUIRE_TOOLS")), "postgresql") {
			t.Skipf("not on PostgreSQL: %v", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

// start returns no server if PostgreSQL is not installed.
func start(settings []string) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, settings: settings}
	if s.folder, err = os.MkdirTemp("", "larder-postgres-*"); err != nil {
		return s, err
	}
	secret := filepath.Join(s.folder, "password")
	err = os.WriteFile(secret, []byte(password), 0o644)
	if owner := unprivileged(); owner != nil {
		err = errors.Join(err, os.Chown(s.folder, int(owner.Uid), int(owner.Gid)))
	}
	if err != nil {
		return s, err
	}
	init := s.command("initdb", "-D", s.data(), "-U", "larder", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--locale", "C", "-N")
	if out, err := init.CombinedOutput(); err != nil {
		return s, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return s, err
	}
	s.port = free.Addr().(*net.TCPAddr).Port
	free.Close()
	s.Address = (&url.URL{Scheme: "postgres", User: url.UserPassword("larder", password), Host: "127.0.0.1:" + strconv.Itoa(s.port), Path: "/postgres"}).String()
	return s, s.Run()
}

// binaries returns the folder of PostgreSQL's programs.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
	if len(found) == 0 {
		return "", errors.New("initdb is not installed; Debian's package postgresql has it")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// unprivileged returns the user postgres if the test runs as root, whom PostgreSQL refuses.
func unprivileged() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil
	}
	uid, _ := strconv.ParseUint(u.Uid, 10, 32)
	gid, _ := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: unprivileged()}
	return cmd
}

// Run starts the server and waits until it answers.
func (s *Server) Run() error {
	args := []string{"-D", s.data(), "-c", "port=" + strconv.Itoa(s.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	s.cmd = s.command("postgres", args...)
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.cmd.Stderr = log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	db, err := Open(s.Address)
	if err != nil {
		return err
	}
	defer db.Close()
	for range 300 {
		if err = db.PingContext(context.Background()); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	text, _ := os.ReadFile(log.Name())
	return fmt.Errorf("postgres does not answer: %w\n%s", err, text)
}

// Kill kills the server and all its processes, as a crash would.
func (s *Server) Kill() {
	s.cmd.Process.Kill()               //nolint:errcheck // it may have ended
	s.cmd.Wait()                       //nolint:errcheck // it was killed
	time.Sleep(100 * time.Millisecond) // its children notice by themselves, and the lock file is of a process that is gone
}

func (s *Server) stop() {
	s.cmd.Process.Signal(syscall.SIGINT) //nolint:errcheck // it may have ended
	s.cmd.Wait()                         //nolint:errcheck // it was stopped
	os.RemoveAll(s.folder)
}

// WithPassword returns an address that lost its password, as it may be shown, with it.
func WithPassword(address string) string { return strings.Replace(address, "xxxxx", password, 1) }

// Open connects to a database on the server, which speaks no TLS.
func Open(address string) (*sql.DB, error) {
	return sql.Open("postgres", WithPassword(address)+"?sslmode=disable")
}

var databases atomic.Int64

// Database makes a database on the server at an address and returns its address. It is dropped
// when the test ends.
func Database(t testing.TB, address string) string {
	t.Helper()
	db, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("t%d_%d", os.Getpid(), databases.Add(1))
	if _, err := db.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer db.Close()
		if _, err := db.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Log(err)
		}
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// Again runs some tests of the test binary once more, in a process whose states are on
// PostgreSQL.
func Again(t *testing.T, run, skip string) {
	t.Helper()
	if os.Getenv(Environment) != "" {
		t.Skip("this is that process")
	}
	s := Start(t, "fsync=off")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-test.run", run, "-test.skip", skip, "-test.v"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), Environment+"="+s.Address)
	out, err := cmd.CombinedOutput()
	passed := strings.Count(string(out), "--- PASS")
	if err != nil || passed == 0 {
		t.Fatalf("on PostgreSQL: %v\n%s", err, out)
	}
	t.Logf("%d tests passed on PostgreSQL too", passed)
}
