package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// answers runs a session on an input that ends, and returns its output, by id. The session leaves
// no goroutine.
func answers(t *testing.T, s *Server, input string) map[string][]string {
	t.Helper()
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		if err := s.RunStdio(t.Context(), io.NopCloser(strings.NewReader(input)), &out); err != nil {
			t.Fatal(err)
		}
	})
	got := map[string][]string{}
	for line := range strings.Lines(out.String()) {
		var v struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got[string(v.ID)] = append(got[string(v.ID)], line)
	}
	return got
}

// TestStdioRawArguments sends arguments that an encoder would repair. They are refused.
func TestStdioRawArguments(t *testing.T) {
	s, _ := newServer()
	for arguments, code := range map[string]string{
		`{"city":"toronto","items":[{"id":1,"id":1,"qty":1}]}`:                           "invalid_json",
		`{"city":"toronto","items":[{"id":1,"qty":0.30}]}`:                               "invalid_quantity",
		`{"city":"toronto","items":[{"id":1.50,"qty":1}]}`:                               "invalid_body",
		`{"city":"\ud800","items":[{"id":1,"qty":1}]}`:                                   "invalid_json",
		`{"city":"toronto",` + strings.Repeat(" ", 8192) + `"items":[{"id":1,"qty":1}]}`: "body_too_large",
	} {
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":` + arguments + `}}`
		text := strings.Join(answers(t, s, hello+call+"\n")["1"], "")
		if !strings.Contains(text, `"code":"`+code+`"`) || !strings.Contains(text, `"isError":true`) {
			t.Errorf("%.80s: %s", arguments, text)
		}
	}
}

// TestStdioStrayLine sends a line that is no message after a call. The call is answered before the session ends.
func TestStdioStrayLine(t *testing.T) {
	s, _ := newServer()
	var out bytes.Buffer
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"catalog","arguments":{}}}`
	err := s.RunStdio(t.Context(), io.NopCloser(strings.NewReader(hello+call+"\nstarted\n")), &out)
	if err == nil || !strings.Contains(out.String(), `"id":1,`) {
		t.Errorf("%v; %s", err, out.String())
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
