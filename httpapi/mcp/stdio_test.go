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

// TestStdioFaults sends a line that is not a message. It gets an error, and the call after
// it is answered although the input ends.
func TestStdioFaults(t *testing.T) {
	s, _ := newServer(t)
	for name, c := range map[string]struct {
		line string
		id   string
		code float64
	}{
		"no JSON":          {"hello", "null", parseError},
		"cut off":          {callOne[:30], "null", parseError},
		"two on a line":    {callOne + callOne, "null", parseError},
		"no UTF-8":         {"\"\xff\"", "null", parseError},
		"a batch":          {"[" + callOne + "]", "null", invalidRequest},
		"no message":       {"{}", "null", invalidRequest},
		"a number":         {"7", "null", invalidRequest},
		"too long":         {`"` + strings.Repeat("x", 10*maxMessage) + `"`, "null", invalidRequest},
		"just too long":    {`"` + strings.Repeat("x", maxMessage-1) + `"`, "null", invalidRequest},
		"no such method":   {`{"jsonrpc":"2.0","id":7,"method":"tools/buy"}`, "7", methodNotFound},
		"nothing to hear":  {`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{}}`, "7", methodNotFound},
		"call of no tool":  {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"buy"}}`, "7", -32602},
		"params of a kind": {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, "7", -32602},
	} {
		t.Run(name, func(t *testing.T) {
			got := answers(t, s, hello+c.line+"\r\n\n"+callOne+"\n")
			fault := map[string]any{}
			if len(got[c.id]) == 1 {
				fault, _ = got[c.id][0]["error"].(map[string]any)
			}
			if fault["code"] != c.code || fault["message"] == "" {
				t.Errorf("answered %v", got[c.id])
			}
			if len(got["1"]) != 1 || got["1"][0]["result"] == nil {
				t.Errorf("the call after it: %v", got["1"])
			}
		})
	}
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

// FuzzStdio sends any input. Every line of output is a message, and the session goes on
// until the input ends.
func FuzzStdio(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, "[]\r\n\nnonsense"} {
		f.Add([]byte(seed))
	}
	s, _ := newServer(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		in := readCloser{strings.NewReader(hello + string(input) + "\n" + strings.Replace(callOne, `"id":1`, `"id":"last"`, 1) + "\n")}
		if err := s.RunStdio(t.Context(), in, &out); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				t.Fatalf("%q", line)
			}
		}
		if !bytes.Contains(out.Bytes(), []byte(`"id":"last"`)) {
			t.Fatalf("%q: the last call was not answered:\n%s", input, out.Bytes())
		}
	})
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
