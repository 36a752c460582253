package pgtest

import (
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

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
