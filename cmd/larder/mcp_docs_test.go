package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCPDocs compares docs/mcp.md with the command. Example calls get the example answers,
// configurations name existing flags, and the line for a shell runs.
func TestMCPDocs(t *testing.T) {
	t.Parallel()
	blocks := map[string][]string{}
	for _, b := range documentOf(t, "docs/mcp.md").blocks() {
		blocks[b.language] = append(blocks[b.language], strings.TrimSuffix(b.text, "\n"))
	}
	if len(blocks["json"]) != 3 || len(blocks["text"]) != 2 || len(blocks["sh"]) != 2 {
		t.Fatalf("the blocks are others: %v", blocks)
	}
	var config struct {
		MCPServers map[string]struct {
			Command, Type, URL string
			Args               []string
		}
	}
	if err := json.Unmarshal([]byte(blocks["json"][0]), &config); err != nil {
		t.Fatal(err)
	}
	program := config.MCPServers["larder"]
	larder(t, append(program.Args, "--help")...)
	if err := json.Unmarshal([]byte(blocks["json"][1]), &config); err != nil || !strings.HasSuffix(config.MCPServers["larder"].URL, "/mcp") {
		t.Errorf("%v: %+v", err, config)
	}

	cmd, _ := mcpProcess(t)
	session := agent(t, &sdk.CommandTransport{Command: cmd})
	for arguments, want := range map[string]string{
		blocks["json"][2]: blocks["text"][0],
		`{"city": "toronto", "items": [{"id": 1, "qty": 0.5}]}`: blocks["text"][1],
	} {
		if text := callTool(t, session, "compare", arguments).Content[0].(*sdk.TextContent).Text; text != want {
			t.Errorf("%s\nis answered\n%s\ndocumented is\n%s", arguments, text, want)
		}
	}

	shell := exec.CommandContext(t.Context(), "sh", "-c", blocks["sh"][0])
	if out, err := shell.Output(); err != nil || strings.Count(string(out), `"result"`) != 2 {
		t.Errorf("%s\nprints (%v)\n%s", blocks["sh"][0], err, out)
	}
}
