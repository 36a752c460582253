package client_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestDocProgram builds the program of docs/clients.md and runs it against the demo, at the machine's clock.
func TestDocProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	t.Parallel()
	_, program, _ := strings.Cut(string(apitest.Read("../../docs/clients.md")), "```go\n")
	program, _, _ = strings.Cut(program, "```")
	dir, f := t.TempDir(), apitest.Serve(t)
	f.Clock.Set(time.Now())
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, ".", nil, "go", "build", "-o", filepath.Join(dir, "main"), file)
	out := string(must(t, dir, []string{"LARDER_URL=" + f.HTTP.URL, "LARDER_KEY=" + f.Key(state.Standard)}, "./main"))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) < 13+2 || !strings.HasPrefix(lines[0], "2026-11-") || !strings.HasPrefix(lines[len(lines)-14], "overall, Calgary ") ||
		!strings.Contains(lines[len(lines)-1], "overall, Calgary and overall, Charlottetown: levels of several series are not compared") {
		t.Errorf("it prints\n%s", out)
	}
}
