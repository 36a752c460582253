package mcp

import (
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// post sends a message without an SDK.
func post(t testing.TB, url, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r := must(http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body)))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	resp := must(http.DefaultClient.Do(r))
	defer resp.Body.Close()
	text := must(io.ReadAll(resp.Body))
	return resp, string(text)
}

// TestTransportAccepted sends unusual requests that are accepted.
func TestTransportAccepted(t *testing.T) {
	s, _ := newServer()
	url := overHTTP(t, s).Endpoint
	const listTools = `{"jsonrpc":"2.0","id":"a","method":"tools/list"}`
	for _, header := range [][]string{
		{"Accept", "application/json"}, {"Content-Type", "Application/JSON; charset=UTF-8"}, {"Mcp-Session-Id", "gone"},
		{"Host", "prices.example.org"}, {"Mcp-Protocol-Version", "2025-06-18"},
	} {
		resp, text := post(t, url, strings.Repeat(" ", maxMessage-len(listTools))+listTools, header...)
		if resp.StatusCode != 200 || !strings.HasPrefix(text, `{"jsonrpc":"2.0","id":"a","result":{`) || resp.Header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %d %.200s", header, resp.StatusCode, text)
		}
	}
	resp, text := post(t, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if resp.StatusCode != http.StatusAccepted || text != "" || resp.Header.Get("Content-Type") != "" {
		t.Errorf("a notification: %d %q %v", resp.StatusCode, text, resp.Header)
	}
}

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
