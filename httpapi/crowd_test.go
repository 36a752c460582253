package httpapi

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

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
