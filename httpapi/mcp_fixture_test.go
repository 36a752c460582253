package httpapi

import (
	"encoding/json"
	"net/http"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent opens a session of a real MCP client with a server under test.
func (f *fixture) agent() *sdk.ClientSession {
	f.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(f.t.Context(), &sdk.StreamableClientTransport{Endpoint: f.http.URL + pathMCP, HTTPClient: f.http.Client()}, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { session.Close() })
	return session
}

// callTool calls a tool with arguments as they stand.
func callTool(t testing.TB, session *sdk.ClientSession, tool, arguments string) *sdk.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return res
}

// refusedAs is the code of a tool error and the seconds to wait.
func refusedAs(res *sdk.CallToolResult) (code string, seconds float64) {
	details, _ := res.Meta["io.github.larder-index/error"].(map[string]any)
	code, _ = details["code"].(string)
	seconds, _ = details["retryAfterSeconds"].(float64)
	return code, seconds
}

// message posts one message of JSON-RPC, as a program without an SDK would.
func (f *fixture) message(body string, change ...func(*http.Request)) *response {
	f.t.Helper()
	return f.do(http.MethodPost, pathMCP, "", body, append([]func(*http.Request){
		header("Content-Type", "application/json"), header("Accept", "application/json, text/event-stream"),
	}, change...)...)
}

const (
	toolsList   = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	compareCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":` + agentList + `}}`
	agentList   = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5}]}`
)
