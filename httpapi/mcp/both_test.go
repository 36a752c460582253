package mcp

import (
	"io"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// overBoth runs a test with a real client over each transport.
func overBoth(t *testing.T, s *Server, test func(t *testing.T, session *sdk.ClientSession)) {
	t.Helper()
	t.Run("http", func(t *testing.T) {
		noGoroutinesLeft(t)
		test(t, connect(t, overHTTP(t, s)))
	})
	t.Run("stdio", func(t *testing.T) {
		noGoroutinesLeft(t)
		test(t, connect(t, overStdio(t, s)))
	})
}

func overHTTP(t testing.TB, s *Server) sdk.Transport {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return &sdk.StreamableClientTransport{Endpoint: h.URL, HTTPClient: h.Client()}
}

// overStdio serves on pipes. The server must end without an error, by itself,
// when the client has gone.
func overStdio(t testing.TB, s *Server) sdk.Transport {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.RunStdio(t.Context(), in, out)
		out.Close()
	}()
	t.Cleanup(func() {
		toServer.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return &sdk.IOTransport{Reader: fromServer, Writer: toServer}
}
