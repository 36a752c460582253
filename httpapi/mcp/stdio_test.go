package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// answers runs a session on an input that ends, and returns its output, by id.
func answers(t *testing.T, s *Server, input string) map[string][]map[string]any {
	t.Helper()
	noGoroutinesLeft(t)
	var out bytes.Buffer
	if err := s.RunStdio(t.Context(), io.NopCloser(strings.NewReader(input)), &out); err != nil {
		t.Fatal(err)
	}
	got := map[string][]map[string]any{}
	for line := range strings.Lines(out.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		id, _ := json.Marshal(v["id"])
		got[string(id)] = append(got[string(id)], v)
	}
	return got
}

// TestStdioRawArguments sends arguments that an encoder would repair. They are refused.
func TestStdioRawArguments(t *testing.T) {
	s, _ := newServer(t)
	long := `{"city":"toronto",` + strings.Repeat(" ", 8192) + `"items":[{"id":1,"qty":1}]}`
	for arguments, code := range map[string]string{
		`{"city":"toronto","items":[{"id":1,"id":1,"qty":1}]}`: "invalid_json",
		`{"city":"toronto","items":[{"id":1,"qty":0.30}]}`:     "invalid_quantity",
		`{"city":"toronto","items":[{"id":1.50,"qty":1}]}`:     "invalid_body",
		`{"city":"\ud800","items":[{"id":1,"qty":1}]}`:         "invalid_json",
		long: "body_too_large",
	} {
		got := answers(t, s, hello+strings.Replace(callOne, list, arguments, 1)+"\n")
		text, _ := json.Marshal(got["1"])
		if !strings.Contains(string(text), `"code":"`+code+`"`) || !strings.Contains(string(text), `"isError":true`) {
			t.Errorf("%.80s: %s", arguments, text)
		}
	}
}

// TestStdioEnds cancels the context of a session that waits for input.
func TestStdioEnds(t *testing.T) {
	noGoroutinesLeft(t)
	s, _ := newServer(t)
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
}
