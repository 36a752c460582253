package state

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// blackHole passes on what goes to a server and back until silence begins, and then nothing. It
// still accepts connections, as the kernel does for a process that is stopped.
type blackHole struct {
	net.Listener
	silent atomic.Bool
}

func newBlackHole(t *testing.T, server string) *blackHole {
	h := &blackHole{Listener: must(net.Listen("tcp", "127.0.0.1:0"))}
	t.Cleanup(func() { h.Close() })
	pass := func(from, to net.Conn) {
		defer from.Close()
		defer to.Close()
		for buffer := make([]byte, 1<<16); ; {
			n, err := from.Read(buffer)
			if h.silent.Load() {
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
			in, err := h.Accept()
			if err != nil {
				return
			}
			out := must(net.Dial("tcp", server))
			go pass(in, out)
			go pass(out, in)
		}
	}()
	return h
}

// TestHangs takes away the answers of a database while many readers and writers have calls under
// way. Each call ends at its deadline, whatever waits before it, and what was not logged in time is
// not logged later. Afterwards calls succeed again.
func TestHangs(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t, pgtest.Start(t, "fsync=off"))
	scheme, rest, _ := strings.Cut(address, "@")
	server, name, _ := strings.Cut(rest, "/")
	hole := newBlackHole(t, server)
	const patience = 2 * time.Second
	db := must(Open(t.Context(), scheme+"@"+hole.Addr().String()+"/"+name+"?sslmode=disable",
		Options{Now: newClock().now, Serve: true, Patience: patience}))
	defer db.Close()
	k, secret := newKey(t, db, NewKey{})
	check(db.Append(t.Context(), ok(k)))
	calls := map[string]func() error{
		"Lookup":    func() error { _, err := db.Lookup(context.Background(), secret); return err },
		"Append":    func() error { return db.Append(context.Background(), ok(k)) },
		"RotateKey": func() error { _, _, err := db.RotateKey(context.Background(), k.ID, time.Hour); return err },
		"Ping":      func() error { return db.Ping(context.Background()) },
	}
	hole.silent.Store(true)
	var wg sync.WaitGroup
	began := time.Now()
	for name, call := range calls {
		for range 15 { // more than there are connections
			wg.Go(func() {
				err := call()
				if took := time.Since(began); !errors.Is(err, ErrUnavailable) || took > patience+2*time.Second {
					t.Errorf("%s ended after %s with %v", name, took, err)
				}
			})
		}
	}
	wg.Wait()
	hole.silent.Store(false)
	for name, call := range calls {
		err := call()
		for range 3 { // a connection that was begun in the silence ends with its patience
			if err != nil {
				err = call()
			}
		}
		if err != nil {
			t.Errorf("%s, when the database answers again: %v", name, err)
		}
	}
	if n := count(t, address, "SELECT count(*) FROM requests"); n != 2 {
		t.Errorf("%d requests are logged; two were answered", n)
	}
}
