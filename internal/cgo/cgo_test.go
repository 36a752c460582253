package cgo

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestWithoutCCompiler checks that a build without cgo ends with one line about one thing.
func TestWithoutCCompiler(t *testing.T) {
	t.Parallel()
	build := exec.Command("go", "build", ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	// The first line is the name of the package.
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err == nil || len(lines) != 2 || !strings.Contains(lines[1], `"Larder needs a C compiler for SQLite: install gcc, unset CGO_ENABLED"`) {
		t.Errorf("%v\n%s", err, out)
	}
}
