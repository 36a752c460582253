package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of docs/verify.md, behind the functions of docs/api.md that they
// say they use, confirm what they are meant to.
func testVerifyDocs(t *testing.T, s *subscriber) {
	requireTool(t, "curl")
	var header, functions string
	for _, b := range documentOf(t, "docs/api.md").blocks("sh") {
		if strings.Contains(b.text, "> larder.header") {
			header, _, _ = strings.Cut(b.text, "curl ")
		}
		if strings.HasPrefix(b.text, "ask() {") {
			functions, _, _ = strings.Cut(b.text, "\ndownload index ") // its last two lines
		}
	}
	if header == "" || functions == "" {
		t.Fatal("docs/api.md has no header, or no functions")
	}
	script := header + functions + "\n"
	for _, b := range documentOf(t, "docs/verify.md").blocks("sh", "bash", "console") {
		script += b.text
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "larder")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "LARDER_URL="+s.base, "LARDER_KEY="+s.key)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"overall, national, week 2026-11-15: matches: index ",
		"dairy, Halifax, week 2026-11-15: matches: index ",
		"not recomputed: needs all prices of week 2026-11-15 of the whole country",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// What docs/verify.md prints is what the worked example prints.
func TestVerifyDocsOutput(t *testing.T) {
	text, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "## What is printed\n\n")
	block, _, ok := strings.Cut(block, "\n\nThis is")
	want, err := os.ReadFile("testdata/script/verify.txtar")
	if err != nil || !ok {
		t.Fatal("no output in docs/verify.md", err)
	}
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " ...")
		if line != "..." && !strings.Contains(string(want), line) {
			t.Errorf("the worked example does not print %q", line)
		}
	}
}
