package mcp

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestVersions connects clients of all versions of the protocol.
func TestVersions(t *testing.T) {
	s, _ := newServer()
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, over := range []sdk.Transport{overHTTP(t, s), overStdio(t, s)} {
			session := connect(t, over, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("%T: agreed on %s, not %s", over, got, version)
			}
			if res, text := call(t, session, "compare", list); res.IsError || res.StructuredContent == nil {
				t.Errorf("%T, %s: %s", over, version, text)
			}
		}
	}
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// TestStdioEnds cancels the context of a session that waits for input.
func TestStdioEnds(t *testing.T) {
	s, _ := newServer()
	synctest.Test(t, func(t *testing.T) {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.RunStdio(ctx, in, out) }()
		go io.WriteString(toServer, hello)
		if line, err := bufio.NewReader(fromServer).ReadString('\n'); err != nil || !strings.Contains(line, "serverInfo") {
			t.Fatalf("%q, %v", line, err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
