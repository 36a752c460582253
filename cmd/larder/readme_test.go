package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeProgram runs the program in README.md as a reader would.
func TestReadmeProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(readme), "```go\n")
	program, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatal("README.md has no Go program")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", file)
	run.Dir = "../.."
	out, err := run.CombinedOutput()
	const want = "2026-07-19 overall 100.0000 \n2026-07-19 dairy 100.0000 \n2026-07-26 overall 105.0000 5.0000\n2026-07-26 dairy 105.0000 5.0000\n"
	if err != nil || string(out) != want {
		t.Errorf("it prints (%v)\n%s\nwant\n%s", err, out, want)
	}
}

// TestReadmeCommands runs the larder commands in README.md, against the demo
// snapshot and folders of the test's own.
func TestReadmeCommands(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db := filepath.Join(dir, "larder.db")
	larder(t, "demo", "--db", db, "--through", "2026-11-20")
	commands := 0
	for line := range strings.Lines(string(readme)) {
		cell, ok := strings.CutPrefix(line, "| `larder ")
		if !ok {
			continue
		}
		commands++
		args := strings.Fields(cell[:strings.Index(cell, "`")])
		for i, a := range args {
			switch a {
			case "larder.db":
				args[i] = db
			case "prices/", "demo.db", "index.svg":
				args[i] = filepath.Join(dir, a)
			}
		}
		if args[0] == "import" { // what export writes further down
			larder(t, "export", args[1], "--db", db)
			larder(t, args...)
			if err := os.RemoveAll(args[1]); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if args[0] == "explain" {
			args = append(args, "--db", db)
		}
		larder(t, args...)
	}
	if commands < 7 {
		t.Errorf("README.md shows %d commands", commands)
	}
}
