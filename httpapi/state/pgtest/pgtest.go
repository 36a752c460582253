// Package pgtest starts a PostgreSQL server for tests.
package pgtest

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Environment holds the address of a server that another process started for its tests.
const Environment = "LARDER_TEST_POSTGRES"

// Start starts a server with further settings, such as "fsync=off", until the test ends, and
// returns the address of its database postgres. Where PostgreSQL is not installed, it skips the test.
func Start(t testing.TB, settings ...string) string {
	t.Helper()
	initdb, err := exec.LookPath("initdb")
	if err != nil { // Debian keeps it out of PATH
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
		if len(found) == 0 {
			t.Skip(err)
		}
		initdb = found[len(found)-1]
	}
	bin := filepath.Dir(initdb)
	folder, err1 := os.MkdirTemp("", "larder-postgres-*") // t.TempDir is closed to other users
	data := filepath.Join(folder, "data")
	var err2 error
	var owner *syscall.Credential // the user postgres, if the test runs as root, whom PostgreSQL refuses
	if u, err := user.Lookup("postgres"); err == nil && os.Getuid() == 0 {
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		owner = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		err2 = os.Chown(folder, int(uid), int(gid))
	}
	free, err3 := net.Listen("tcp", "127.0.0.1:0")
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	host := free.Addr().String()
	_, port, _ := net.SplitHostPort(host)
	free.Close()
	run := func(name string, args ...string) {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = folder, &syscall.SysProcAttr{Credential: owner}
		if out, err := cmd.CombinedOutput(); err != nil {
			log, _ := os.ReadFile(filepath.Join(folder, "log"))
			t.Errorf("%s: %v\n%s%s", name, err, out, log)
		}
	}
	run("initdb", "-D", data, "-U", "larder", "-A", "trust", "-E", "UTF8", "--locale", "C", "-N")
	options := []string{"port=" + port, "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"}
	run("pg_ctl", "-D", data, "-l", "log", "-w", "-o", "-c "+strings.Join(append(options, settings...), " -c "),
		"start")
	t.Cleanup(func() {
		run("pg_ctl", "-D", data, "-m", "immediate", "stop")
		os.RemoveAll(folder)
	})
	if t.Failed() {
		t.FailNow()
	}
	return "postgres://larder@" + host + "/postgres"
}

// Open connects to a database on the server.
func Open(address string) (*sql.DB, error) { return sql.Open("pgx", address) }

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
	return strings.TrimSuffix(address, "postgres") + name
}

// Again runs some tests of the test binary once more, in a process whose states are on
// PostgreSQL.
func Again(t *testing.T, run, skip string) {
	t.Helper()
	if os.Getenv(Environment) != "" {
		t.Skip("this is that process")
	}
	args := []string{"-test.run", run, "-test.skip", skip, "-test.v", fmt.Sprintf("-test.short=%t", testing.Short())}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), Environment+"="+Start(t, "fsync=off"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Fatalf("on PostgreSQL: %v\n%s", err, out)
	}
}

// BlackHole stands before the server of a database. It passes on what goes there and back until
// silence begins, and then nothing. It still accepts connections, as the kernel does for a process
// that is stopped. The address is that of the database behind it.
func BlackHole(t testing.TB, database string) (address string, silence func(bool)) {
	t.Helper()
	scheme, rest, _ := strings.Cut(database, "@")
	server, name, _ := strings.Cut(rest, "/")
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	var silent atomic.Bool
	pass := func(from, to net.Conn) {
		defer from.Close()
		defer to.Close()
		for buffer := make([]byte, 1<<16); ; {
			n, err := from.Read(buffer)
			if silent.Load() {
				io.Copy(io.Discard, from) //nolint:errcheck // until the client gives up
				return
			}
			if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
				return
			}
		}
	}
	go func() {
		for {
			from, err := in.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", server)
			if err != nil {
				from.Close()
				continue
			}
			go pass(from, to)
			go pass(to, from)
		}
	}()
	return scheme + "@" + in.Addr().String() + "/" + name + "?sslmode=disable", silent.Store
}
