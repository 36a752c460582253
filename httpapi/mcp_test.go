package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
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

// message posts one JSON-RPC message without an SDK.
func message(f *apitest.Server, body string, change ...apitest.Change) *apitest.Response {
	f.T.Helper()
	return f.Do(http.MethodPost, "/mcp", "", body, append([]apitest.Change{
		apitest.Header("Content-Type", "application/json"), apitest.Header("Accept", "application/json, text/event-stream"),
	}, change...)...)
}

const (
	toolsList   = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	compareCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":` + goodList + `}}`
)

// TestMCPTransport gets every documented status of /mcp. The recorder checks the form.
func TestMCPTransport(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	send := func(body string, change ...apitest.Change) int { return message(f, body, change...).StatusCode }
	for name, c := range map[string]struct{ got, want int }{
		"tools/list":     {send(toolsList), 200},
		"compare":        {send(compareCall), 200},
		"no such tool":   {send(strings.Replace(compareCall, `"compare"`, `"buy"`, 1)), 200},
		"notification":   {send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), 202},
		"own page":       {send(toolsList, apitest.Header("Origin", "https://larder.example")), 200},
		"rebound name":   {send(toolsList, apitest.Header("Origin", "http://rebound.example:8080"), apitest.Header("Sec-Fetch-Site", "same-origin")), 403},
		"events":         {send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`), 400},
		"its version":    {send(toolsList, apitest.Header("Mcp-Protocol-Version", "1999-01-01")), 400},
		"nothing":        {send(""), 400},
		"other page":     {send(toolsList, apitest.Header("Origin", "http://localhost:8080")), 403},
		"no JSON":        {send("hello"), 400},
		"a batch":        {send("[" + toolsList + "]"), 400},
		"a form":         {send(toolsList, apitest.Header("Content-Type", "text/plain")), 415},
		"too long":       {send(strings.Repeat(" ", 1<<17)), 413},
		"GET":            {f.Get("/mcp", "").StatusCode, 405},
		"DELETE":         {f.Do(http.MethodDelete, "/mcp", "", "").StatusCode, 405},
		"OPTIONS":        {f.Do(http.MethodOptions, "/mcp", "", "").StatusCode, 405},
		"no such method": {send(`{"jsonrpc":"2.0","id":1,"method":"tools/buy","params":`+meta+`}`, apitest.Header("Mcp-Protocol-Version", "2026-07-28"), apitest.Header("Mcp-Method", "tools/buy")), 404},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", name, c.got, c.want)
		}
	}
	if log := f.Log.String(); strings.Contains(log, "toronto") || strings.Contains(log, `"panic"`) || !strings.Contains(log, `"route":"/mcp"`) {
		t.Errorf("logged\n%s", log)
	}
	packed := message(f, compareCall, apitest.Header("Accept-Encoding", "gzip"))
	if packed.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("not packed: %v", packed.Header)
	}
}

const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`
