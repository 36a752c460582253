package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOperationsCommands runs the commands of docs/operations.md that need no
// other program and no service manager, in their order and with folders of the
// test's own.
func TestOperationsCommands(t *testing.T) {
	doc, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	if err := os.Mkdir(lib, 0o755); err != nil {
		t.Fatal(err)
	}
	larder(t, "demo", "--db", filepath.Join(dir, "larder.db"), "--through", "2026-11-20", "--weeks", "3")
	larder(t, "export", filepath.Join(dir, "prices"), "--db", filepath.Join(dir, "larder.db"))
	here := strings.NewReplacer("sudo -u larder ", "", "/usr/local/bin/", "", "/var/lib/larder", lib)
	ran, shell := map[string]int{}, false
	for line := range strings.Lines(string(doc)) {
		line = strings.TrimSpace(line)
		switch start, ok := strings.CutPrefix(line, "ExecStart="); {
		case strings.HasPrefix(line, "```"):
			shell = line == "```sh"
			continue
		case ok:
			line = start + " --help" // as far as its flags
		case !shell || !strings.HasPrefix(line, "sudo -u larder ") || strings.Contains(line, "sqlite3") || strings.Contains(line, "/var/backups"):
			continue
		}
		line = here.Replace(line)
		cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LARDER_NOW="+testNow, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
		ran[strings.Join(strings.Fields(line)[:2], " ")]++
	}
	for _, want := range []string{"larder serve", "larder import", "larder check", "larder keys", "larder usage", "larder export"} {
		if ran[want] == 0 {
			t.Errorf("no %s among %v", want, ran)
		}
	}
}
