package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeProgram runs the program in README.md, of which this package has a copy.
func TestReadmeProgram(t *testing.T) {
	own, err := os.ReadFile("readme_example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(readmeText(t), "\nfunc main() {\n")
	program, _, ok := strings.Cut(program, "\n}\n")
	if !ok || !strings.Contains(string(own), program) {
		t.Errorf("readme_example_test.go does not have\n%s", program)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	terminal := os.Stdout
	os.Stdout = w
	readmeProgram()
	os.Stdout = terminal
	w.Close()
	got, err := io.ReadAll(r)
	const want = "2026-07-19 overall 100.0000 \n2026-07-19 dairy 100.0000 \n2026-07-26 overall 105.0000 5.0000\n2026-07-26 dairy 105.0000 5.0000\n"
	if err != nil || string(got) != want {
		t.Errorf("it prints (%v)\n%s\nwant\n%s", err, got, want)
	}
}

// TestReadmeServe runs the first command of README.md on a free port. It runs the printed
// line of curl, opens the pages that README.md names, and ends the server with Ctrl-C.
func TestReadmeServe(t *testing.T) {
	t.Parallel()
	if !strings.Contains(readmeText(t), "\ngo run ./cmd/larder serve\n") {
		t.Fatal("README.md does not begin with larder serve")
	}
	x, cmd := serveProcess(t, "larder")
	line := regexp.MustCompile(`(?m)^  curl .*$`).FindString(x.greeting)
	if line == "" {
		t.Fatalf("no line of curl in %s", x.greeting)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", line+" --silent --show-error --fail-with-body").CombinedOutput()
	var index struct{ Observations []any }
	if err != nil || json.Unmarshal(out, &index) != nil || len(index.Observations) == 0 {
		t.Errorf("%s: %v\n%.300s", line, err, out)
	}
	pages := regexp.MustCompile("(?m)^\\| (`/[a-z]*`(?:, `/[a-z]*`)*) \\|").FindAllStringSubmatch(readmeText(t), -1)
	if len(pages) != 4 {
		t.Errorf("README.md names the pages %q", pages)
	}
	for _, row := range pages {
		for page := range strings.SplitSeq(row[1], ", ") {
			if status, body := get(t, x.public+strings.Trim(page, "`"), ""); status != http.StatusOK || !strings.HasPrefix(body, "<!DOCTYPE html>") {
				t.Errorf("%s: %d %.100s", page, status, body)
			}
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("Ctrl-C: %v\n%s", err, x.log)
	}
}

// TestReadmeCommands runs the larder commands in the tables of README.md in
// their order, beginning with the one that makes a panel directory.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	db, dir := demo(t, 1, demoWeeks), t.TempDir()
	if !strings.Contains(readmeText(t), "`larder export prices/ --demo`") {
		t.Fatal("README.md does not say how to come by a panel directory")
	}
	larder(t, "export", filepath.Join(dir, "prices"), "--db", db) // README.md: of the demo
	ran := map[string]int{}
	for line := range strings.Lines(readmeText(t)) {
		cell, ok := strings.CutPrefix(line, "| `larder ")
		if !ok {
			continue
		}
		args := strings.Fields(cell[:strings.Index(cell, "`")])
		for i, a := range args {
			switch a {
			case "larder.db", "live.db", "releases.db", "larder-state.db", "prices/", "panel/", "index.svg":
				args[i] = filepath.Join(dir, a)
			}
		}
		ran[args[0]]++
		if args[0] != "serve" {
			larder(t, args...)
			continue
		}
		x := serve(t, args[1:]...)
		if status, body := get(t, x.admin+"/readyz", ""); status != http.StatusOK {
			t.Errorf("%v: %d %s", args, status, body)
		}
		if code := x.end(); code != exitDone {
			t.Errorf("%v: exit status %d\n%s", args, code, x.log)
		}
	}
	for _, name := range []string{"import", "check", "index", "explain", "plot", "shrinkflation", "compare", "export", "quarantine", "release", "releases", "serve", "keys", "usage", "mcp"} {
		if ran[name] == 0 {
			t.Errorf("README.md does not show larder %s", name)
		}
	}
}

func readmeText(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(readme)
}
