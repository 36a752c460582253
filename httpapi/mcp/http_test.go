package mcp

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// post sends a message without an SDK.
func post(t testing.TB, url, method, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		if r.Header.Del(header[i]); header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

const (
	listTools = `{"jsonrpc":"2.0","id":"a","method":"tools/list"}`
	callOne   = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":` + list + `}}`
)

// TestTransportAccepted sends unusual requests that are accepted.
func TestTransportAccepted(t *testing.T) {
	s, _ := newServer(t)
	h := serve(t, s)
	for name, header := range map[string][]string{
		"own pages":     {"Origin", "https://larder.example"},
		"JSON":          {"Accept", "application/json"},
		"charset":       {"Content-Type", "Application/JSON; charset=UTF-8"},
		"a session":     {"Mcp-Session-Id", "gone"},
		"other host":    {"Host", "prices.example.org"},
		"old protocol":  {"Mcp-Protocol-Version", "2025-06-18"},
		"long, padded ": {"X-Nothing", "1"},
	} {
		body := listTools
		if strings.HasPrefix(name, "long") {
			body = strings.Repeat(" ", maxMessage-len(body)) + body
		}
		resp, text := post(t, h.URL, "POST", body, header...)
		if resp.StatusCode != 200 || !strings.HasPrefix(text, `{"jsonrpc":"2.0","id":"a","result":{`) || !strings.Contains(text, `"name":"compare"`) {
			t.Errorf("%s: %d %.200s", name, resp.StatusCode, text)
		}
	}
	resp, text := post(t, h.URL, "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if resp.StatusCode != http.StatusAccepted || text != "" || resp.Header.Get("Content-Type") != "" {
		t.Errorf("a notification: %d %q %v", resp.StatusCode, text, resp.Header)
	}
}

// TestVersions connects clients of all versions of the protocol.
func TestVersions(t *testing.T) {
	s, _ := newServer(t)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		for name, over := range map[string]func(testing.TB, *Server) sdk.Transport{"http": overHTTP, "stdio": overStdio} {
			t.Run(version+" "+name, func(t *testing.T) {
				client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
				session, err := client.Connect(t.Context(), over(t, s), &sdk.ClientSessionOptions{ProtocolVersion: version})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				if got := session.InitializeResult().ProtocolVersion; got != version {
					t.Errorf("agreed on %s", got)
				}
				if res := call(t, session, "compare", list); res.IsError || res.StructuredContent == nil {
					t.Errorf("%+v", res)
				}
			})
		}
	}
}

// TestIDs sends requests over both transports. An answer has the id of its request, or
// null if that can't be kept.
func TestIDs(t *testing.T) {
	s, _ := newServer(t)
	h := serve(t, s)
	for id, want := range map[string]string{
		"1.5": "null", "1e2": "null", "123456789012345678901234567890": "null", "9007199254740992": "null", "null": "null",
		"9007199254740991": "9007199254740991", `"a"`: `"a"`, "-7": "-7",
	} {
		message := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
		_, overHTTP := post(t, h.URL, "POST", message)
		stdio := answers(t, s, hello+message+"\n")
		var v struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(overHTTP), &v); err != nil || string(v.ID) != want || len(stdio[want]) != 1 {
			t.Errorf("%s: %s and %v", id, overHTTP, stdio)
		}
	}
}
