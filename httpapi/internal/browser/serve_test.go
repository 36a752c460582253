//go:build browser

package browser

import (
	"context"
	"net"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/cdproto/network"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// server is a server under test at an address of its own, which browsers take
// cookies from.
type server struct{ *apitest.Server }

// serve starts a server on a snapshot, the demo's if db is empty.
func serve(t testing.TB, db string, change ...func(*httpapi.Config)) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	change = append([]func(*httpapi.Config){func(c *httpapi.Config) { c.BaseURL = "http://" + l.Addr().String() }}, change...)
	var f *server
	if db == "" {
		f = &server{apitest.Serve(t, change...)}
	} else {
		f = &server{apitest.ServeFile(t, db, change...)}
	}
	f.HTTP.Close()
	f.listen(l)
	t.Cleanup(func() { f.HTTP.Close() })
	return f
}

func (f *server) listen(l net.Listener) {
	f.HTTP = httptest.NewUnstartedServer(f.API.Handler())
	f.HTTP.Listener.Close()
	f.HTTP.Listener = l
	f.HTTP.Start()
}

// down has nothing listen at the address until up is called.
func (f *server) down() { f.HTTP.Close() }

func (f *server) up() {
	f.T.Helper()
	l, err := net.Listen("tcp", f.HTTP.Listener.Addr().String())
	if err != nil {
		f.T.Fatal(err)
	}
	f.listen(l)
}

// publish puts a snapshot where the server looks for one.
func (f *server) publish(db, place string) {
	f.T.Helper()
	if err := os.Link(db, place); err != nil && !os.IsExist(err) {
		f.T.Fatal(err)
	}
	if err := f.Snapshots.Reload(context.Background()); err != nil {
		f.T.Fatal(err)
	}
}

// standardKey makes a key whose tier has all pages.
func (f *server) standardKey() string { return f.Key(state.Standard) }

// signedIn opens a tab with a session of the key.
func (f *server) signedIn(b *browser, key string) *tab {
	f.T.Helper()
	x := b.open(f.T, f.API.BaseURL)
	c := f.SignIn(key)
	command(x, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: x.base, HTTPOnly: new(true), SameSite: network.CookieSameSiteStrict})
	return x
}
