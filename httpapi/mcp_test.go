package httpapi_test

import (
	"encoding/json"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// agent opens a session of a real MCP client with a server under test.
func agent(f *apitest.Server) *sdk.ClientSession {
	f.T.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(f.T.Context(), &sdk.StreamableClientTransport{Endpoint: f.HTTP.URL + "/mcp", HTTPClient: f.HTTP.Client()}, nil)
	if err != nil {
		f.T.Fatal(err)
	}
	f.T.Cleanup(func() { session.Close() })
	return session
}

// callTool calls a tool with arguments in JSON.
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
