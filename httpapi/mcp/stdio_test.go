package mcp

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// TestRawArguments sends arguments that an encoder would repair. They are refused.
func TestRawArguments(t *testing.T) {
	s, _ := newServer()
	url := overHTTP(t, s).Endpoint
	for arguments, code := range map[string]string{
		`{"city":"toronto","items":[{"id":1,"id":1,"qty":1}]}`:                           "invalid_json",
		`{"city":"toronto","items":[{"id":1,"qty":0.30}]}`:                               "invalid_quantity",
		`{"city":"toronto","items":[{"id":1.50,"qty":1}]}`:                               "invalid_body",
		`{"city":"\ud800","items":[{"id":1,"qty":1}]}`:                                   "invalid_json",
		`{"city":"toronto",` + strings.Repeat(" ", 8192) + `"items":[{"id":1,"qty":1}]}`: "body_too_large",
	} {
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":` + arguments + `}}`
		_, text := post(t, url, call)
		if !strings.Contains(text, `"code":"`+code+`"`) || !strings.Contains(text, `"isError":true`) {
			t.Errorf("%.80s: %s", arguments, text)
		}
	}
}

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
