package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestShopperSlow sends bodies that are late or never whole, over connections
// with the timeouts of the server.
func TestShopperSlow(t *testing.T) {
	l := serveLive(t, apitest.Serve(t, apitest.Ample), quick)
	head := "POST /api/shopper/compare HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	for _, c := range []struct {
		name, raw string
		status    int
		code      string
	}{
		{"half a body", head + "Content-Length: 100\r\n\r\n{\"city\":", 408, "request_timeout"},
		{"half a chunk", head + "Transfer-Encoding: chunked\r\n\r\n64\r\n{\"city\":", 408, "request_timeout"},
		{"nothing of a body", head + "Content-Length: 100\r\n\r\n", 408, "request_timeout"},
		{"8193 bytes announced", head + "Content-Length: 8193\r\n\r\n{", 413, "body_too_large"},
		{"a gigabyte announced", head + "Content-Length: 1073741824\r\n\r\n{", 413, "body_too_large"},
		{"a gigabyte announced, if it may be sent", head + "Expect: 100-continue\r\nContent-Length: 1073741824\r\n\r\n", 413, "body_too_large"},
		{"8193 bytes of a chunk without an end", head + "Transfer-Encoding: chunked\r\n\r\n4000\r\n" + strings.Repeat("x", 8193), 413, "body_too_large"},
		{"no chunks", head + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\n", 400, "invalid_json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			leavesNothing(t, func() {
				apitest.WantError(t, c.name, answers(t, l.send(t, c.raw), http.MethodPost)[0], c.status, c.code)
			})
		})
	}
	t.Run("one request after the other", func(t *testing.T) {
		good := head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(goodList), goodList)
		bad := head + "Content-Length: 2\r\n\r\n{}"
		last := "GET /api/shopper/compare?city=toronto&items=1x2,7x0.5 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
		all := answers(t, l.send(t, good+bad+good+last), "POST", "POST", "POST", "GET")
		if all[0].StatusCode != 200 || all[1].StatusCode != 400 || string(all[2].Content) != string(all[0].Content) || string(all[3].Content) != string(all[0].Content) {
			t.Errorf("%d, %d, %d, %d", all[0].StatusCode, all[1].StatusCode, all[2].StatusCode, all[3].StatusCode)
		}
	})
}
