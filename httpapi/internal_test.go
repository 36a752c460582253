package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// TestPingHangs asks three times while the disk hangs. There is one look at the state, and
// each caller waits for pingPatience. When the disk goes on, so does readiness.
func TestPingHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p pinged
		looks, disk := 0, make(chan error)
		ping := func(context.Context) error { looks++; return <-disk }
		for range 3 {
			began := time.Now()
			if err := p.do(t.Context(), began, ping); !errors.Is(err, errPingSlow) || time.Since(began) != pingPatience {
				t.Errorf("%v after %s", err, time.Since(began))
			}
		}
		disk <- nil
		synctest.Wait()
		go func() { disk <- errors.New("full") }()
		if err := p.do(t.Context(), time.Now(), ping); err == nil || err.Error() != "full" {
			t.Errorf("then: %v", err)
		}
		if looks != 2 {
			t.Errorf("%d looks", looks)
		}
	})
}

func TestOriginOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://prices.example.org":      "https://prices.example.org",
		"https://prices.example.org/":     "https://prices.example.org",
		"https://Prices.Example.ORG:443/": "https://prices.example.org",
		"http://localhost:80":             "http://localhost",
		"http://localhost:443":            "http://localhost:443",
		"http://127.0.0.1:8080":           "http://127.0.0.1:8080",
		"https://[2001:DB8::1]:443":       "https://[2001:db8::1]",
		"https://a:":                      "https://a",
		"prices.example.org":              "",
		"ftp://prices.example.org":        "",
		"https://":                        "",
		"https://:443":                    "",
		"https://u:p@prices.example.org":  "",
		"https://prices.example.org/x":    "",
		"https://prices.example.org?x=1":  "",
		"https://prices.example.org#x":    "",
		"http://a b":                      "",
	} {
		got, err := originOf(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("originOf(%q) = %q, %v; want %q", address, got, err, want)
		}
	}
}

// TestCrowd opens more connections than there may be and leaves them idle. The next reader is answered at
// once, and so is one whose connection was used last.
func TestCrowd(t *testing.T) {
	t.Parallel()
	const files, most = 40, 20
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
	c := newCrowd(files)
	server.Config.ConnState = c.note
	server.Start()
	t.Cleanup(server.Close)
	var all []net.Conn
	ask := func(conn net.Conn) error {
		if _, err := fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			return err
		}
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			err = r.Body.Close()
		}
		return err
	}
	for i := range 3 * most {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if all = append(all, conn); i%2 == 0 {
			if err := ask(conn); err != nil {
				t.Fatalf("connection %d: %v", i, err)
			}
		}
	}
	if err := ask(all[len(all)-2]); err != nil {
		t.Errorf("the last one that was used: %v", err)
	}
	if err := ask(all[0]); err == nil {
		t.Error("the first one is still open")
	}
}
