//go:build browser

package httpapi

import (
	"net"
	"net/http/httptest"
	"testing"
)

// serveBrowser starts a server on a snapshot, the demo's if db is empty, that is known
// by the address at which it is reached. Else the browser would take no cookie.
func serveBrowser(t testing.TB, db string, change ...func(*Config)) *fixture {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if db == "" {
		_, db = demo()
	}
	f := serveSnapshot(t, db, append([]func(*Config){func(c *Config) { c.BaseURL = "http://" + l.Addr().String() }}, change...)...)
	f.http.Close()
	f.listen(l)
	t.Cleanup(func() { f.http.Close() })
	return f
}

func (f *fixture) listen(l net.Listener) {
	f.http = httptest.NewUnstartedServer(f.server.Handler())
	f.http.Listener.Close()
	f.http.Listener = l
	f.http.Start()
}

// down has nothing listen at the address until up is called.
func (f *fixture) down() { f.http.Close() }

func (f *fixture) up() {
	f.t.Helper()
	l, err := net.Listen("tcp", f.http.Listener.Addr().String())
	if err != nil {
		f.t.Fatal(err)
	}
	f.listen(l)
}
