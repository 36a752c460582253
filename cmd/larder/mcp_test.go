package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent opens a session of a real MCP client.
func agent(t *testing.T, over sdk.Transport) *sdk.ClientSession {
	t.Helper()
	session := must(sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil))
	t.Cleanup(func() { session.Close() })
	return session
}

func callTool(t *testing.T, session *sdk.ClientSession, tool, arguments string) *sdk.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return res
}

const mcpList = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5}]}`

// TestMCP asks the command over its standard streams and a server over HTTP. Both answer
// the same.
func TestMCP(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, 3)
	cmd, log := exec.Command("larder", "mcp", "--db", db, "--base-url", "https://larder.example"), &lockedLog{}
	cmd.Stderr = log
	stdio := agent(t, &sdk.CommandTransport{Command: cmd})
	x := serve(t, "--db", db, "--base-url", "https://larder.example")
	http := agent(t, &sdk.StreamableClientTransport{Endpoint: x.public + "/mcp"})
	if name := stdio.InitializeResult().ServerInfo.Name; name != "larder" {
		t.Errorf("it is called %q", name)
	}
	lists := map[*sdk.ClientSession][]*sdk.Tool{}
	for _, session := range []*sdk.ClientSession{stdio, http} {
		list := must(session.ListTools(t.Context(), nil))
		lists[session] = list.Tools
	}
	if len(lists[http]) != 2 || len(lists[stdio]) != 5 {
		t.Errorf("%d tools over HTTP, %d over stdio", len(lists[http]), len(lists[stdio]))
	}
	for _, tool := range lists[http] {
		same := slices.IndexFunc(lists[stdio], func(x *sdk.Tool) bool { return x.Name == tool.Name })
		if same < 0 {
			t.Errorf("%s is not there over stdio", tool.Name)
		} else if diff := cmp.Diff(tool, lists[stdio][same]); diff != "" {
			t.Errorf("-http +stdio\n%s", diff)
		}
	}
	for _, c := range [][2]string{
		{"catalog", "{}"}, {"compare", mcpList}, {"compare", "{}"}, {"compare", `{"city":"paris","items":[{"id":1,"qty":1}]}`},
	} {
		a, b := callTool(t, stdio, c[0], c[1]), callTool(t, http, c[0], c[1])
		if diff := cmp.Diff(b.Content, a.Content); diff != "" || a.IsError != b.IsError || len(a.Content) != 1 {
			t.Errorf("%s: -http +stdio\n%s", c, diff)
		}
		if diff := cmp.Diff(b.StructuredContent, a.StructuredContent); diff != "" {
			t.Errorf("%s: -http +stdio\n%s", c, diff)
		}
	}
	day, _ := callTool(t, stdio, "compare", mcpList).StructuredContent.(map[string]any)
	if day["evaluatedOn"] != testNow[:10] {
		t.Errorf("evaluated on %v", day["evaluatedOn"])
	}
	if err := stdio.Close(); err != nil || !cmd.ProcessState.Success() {
		t.Errorf("it ended with %v, %v\n%s", err, cmd.ProcessState, log)
	}
	if all := log.String() + x.log.String(); strings.Contains(all, "toronto") || strings.Contains(all, "paris") {
		t.Errorf("a list is in the log\n%s", all)
	}
}
