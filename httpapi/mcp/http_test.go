package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
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

// TestTransportFaults sends requests that are refused before any tool runs. Each refusal is
// a JSON-RPC error with the fitting HTTP status.
func TestTransportFaults(t *testing.T) {
	noGoroutinesLeft(t)
	s, log := newServer(t)
	h := httptest.NewServer(s)
	defer h.Close()
	defer http.DefaultClient.CloseIdleConnections()
	for name, c := range map[string]struct {
		method, body string
		header       []string
		status, code int
		says         string
	}{
		"GET":                 {"GET", "", nil, 405, invalidRequest, "method_not_allowed"},
		"DELETE":              {"DELETE", "", nil, 405, invalidRequest, "method_not_allowed"},
		"other origin":        {"POST", listTools, []string{"Origin", "https://evil.example"}, 403, invalidRequest, "origin_refused"},
		"rebound name":        {"POST", listTools, []string{"Origin", "http://rebound.example:8080", "Sec-Fetch-Site", "same-origin"}, 403, invalidRequest, "origin_refused"},
		"origin with a path":  {"POST", listTools, []string{"Origin", "https://larder.example.evil.example"}, 403, invalidRequest, "origin_refused"},
		"a form":              {"POST", listTools, []string{"Content-Type", "text/plain"}, 415, invalidRequest, "unsupported_media_type"},
		"latin":               {"POST", listTools, []string{"Content-Type", "application/json; charset=latin1"}, 415, invalidRequest, "unsupported_media_type"},
		"packed":              {"POST", listTools, []string{"Content-Encoding", "gzip"}, 415, invalidRequest, "unsupported_media_type"},
		"wants HTML":          {"POST", listTools, []string{"Accept", "text/html"}, 406, invalidRequest, "not_acceptable"},
		"too long":            {"POST", strings.Repeat(" ", maxMessage) + listTools, nil, 413, invalidRequest, "body_too_large"},
		"nothing":             {"POST", "", nil, 400, parseError, "invalid_json"},
		"no JSON":             {"POST", "tools/list", nil, 400, parseError, "invalid_json"},
		"two":                 {"POST", listTools + listTools, nil, 400, parseError, "invalid_json"},
		"no UTF-8":            {"POST", strings.Replace(listTools, "a", "\xff", 1), nil, 400, parseError, "invalid_json"},
		"a batch":             {"POST", "[" + listTools + "]", nil, 400, invalidRequest, "send each message by itself"},
		"a text":              {"POST", `"tools/list"`, nil, 400, invalidRequest, "invalid_request"},
		"no version":          {"POST", `{"id":1,"method":"tools/list"}`, nil, 400, invalidRequest, "invalid_request"},
		"no such method":      {"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/buy"}`, nil, 400, methodNotFound, "tools/buy"},
		"deep":                {"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, nil, 400, 0, ""},
		"nothing to hear":     {"POST", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`, nil, 400, methodNotFound, "never change"},
		"version of nobody":   {"POST", listTools, []string{"Mcp-Protocol-Version", "1999-01-01"}, 400, -32022, "send one of 2024-11-05"},
		"replay":              {"POST", listTools, []string{"Last-Event-ID", "1_1"}, 400, invalidRequest, "Last-Event-ID"},
		"no version at all":   {"POST", listTools, []string{"Mcp-Protocol-Version", "banana"}, 400, -32022, "unsupported_protocol_version"},
		"call without params": {"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, nil, 400, invalidRequest, "params"},
	} {
		resp, body := post(t, h.URL, c.method, c.body, c.header...)
		var v struct {
			JSONRPC string
			ID      any
			Error   struct {
				Code    int
				Message string
				Data    struct{ Code string }
			}
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil || resp.StatusCode != c.status || v.JSONRPC != "2.0" || v.Error.Message == "" ||
			c.code != 0 && v.Error.Code != c.code || !strings.Contains(body, c.says) || v.Error.Data.Code == "" {
			t.Errorf("%s: %d %s (%v)", name, resp.StatusCode, body, err)
		}
		if resp.Header.Get("Content-Type") != "application/json; charset=utf-8" || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: headers %v", name, resp.Header)
		}
		if allow := resp.Header.Get("Allow"); (allow == "POST") != (c.status == 405) {
			t.Errorf("%s: Allow %q", name, allow)
		}
		for name := range resp.Header {
			if strings.HasPrefix(name, "Access-Control-") || name == "Mcp-Session-Id" {
				t.Errorf("%s: header %s", c.method, name)
			}
		}
	}
	if log.String() != "" {
		t.Errorf("logged: %s", log)
	}
}

// TestTransportAccepted sends unusual requests that are accepted.
func TestTransportAccepted(t *testing.T) {
	s, _ := newServer(t)
	h := httptest.NewServer(s)
	defer h.Close()
	for name, header := range map[string][]string{
		"own pages":     {"Origin", "https://larder.example"},
		"anything":      {"Accept", "*/*"},
		"a charset":     {"Accept", "application/json; charset=UTF-8"},
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

// TestProtocolFaults sends faults over both transports. An answer has the id of its
// request, or null if that can't be kept, a code of JSON-RPC, and no type of Go.
func TestProtocolFaults(t *testing.T) {
	s, _ := newServer(t)
	h := httptest.NewServer(s)
	defer h.Close()
	for name, c := range map[string]struct {
		id, rest string // of the request
		want     string // id of the answer
		code     int
	}{
		"fraction":          {"1.5", `"method":"ping"`, "null", invalidRequest},
		"exponent":          {"1e2", `"method":"ping"`, "null", invalidRequest},
		"30 digits":         {"123456789012345678901234567890", `"method":"ping"`, "null", invalidRequest},
		"first beyond":      {"9007199254740992", `"method":"ping"`, "null", invalidRequest},
		"last exact":        {"9007199254740991", `"method":"tools/buy"`, "9007199254740991", methodNotFound},
		"unknown method":    {`"a"`, `"method":"tools/buy"`, `"a"`, methodNotFound},
		"name is a number":  {"-7", `"method":"tools/call","params":{"name":5}`, "-7", -32602},
		"params are a list": {"8", `"method":"tools/call","params":[1]`, "8", -32602},
		"version 7":         {"9", `"method":"initialize","params":{"protocolVersion":7}`, "9", -32602},
		"null":              {"null", `"method":"ping"`, "null", invalidRequest},
		"neither":           {`"b"`, `"params":{}`, `"b"`, invalidRequest},
		"empty prompt":      {"11", `"method":"prompts/get","params":{"name":"compare_list","arguments":{"city":"toronto"}}`, "11", -32602},
		"version of nobody": {"10", `"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}}`, "10", -32022},
	} {
		message := `{"jsonrpc":"2.0","id":` + c.id + `,` + c.rest + `}`
		_, overHTTP := post(t, h.URL, "POST", message)
		var out bytes.Buffer
		const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}`
		first := hello + "\n"
		if strings.Contains(message, "initialize") {
			first = ""
		}
		if err := s.RunStdio(t.Context(), io.NopCloser(strings.NewReader(first+message+"\n")), &out); err != nil {
			t.Fatal(err)
		}
		answers := strings.Split(strings.TrimSpace(out.String()), "\n")
		overStdio := answers[slices.IndexFunc(answers, func(s string) bool { return !strings.Contains(s, `"id":"hello"`) })]
		for over, text := range map[string]string{"http": overHTTP, "stdio": overStdio} {
			var v struct {
				ID    json.RawMessage
				Error struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(text), &v); err != nil || string(v.ID) != c.want || v.Error.Code != c.code || strings.Contains(text, "Go ") || strings.Contains(text, "mcp.") {
				t.Errorf("%s over %s: %s", name, over, text)
			}
		}
	}
}
