package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shellBlocks returns the blocks of sh in a page of docs.
func shellBlocks(t *testing.T, page string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, rest := range strings.Split(string(text), "\n```sh\n")[1:] {
		block, _, ok := strings.Cut(rest, "\n```\n")
		if !ok {
			t.Fatalf("%s: a block does not end", page)
		}
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

// The commands of docs/verify.md, behind the functions of docs/api.md that they
// say they use, confirm what they are meant to.
func testVerifyDocs(t *testing.T, s *subscriber) {
	if out, err := exec.Command("curl", "--version").CombinedOutput(); err != nil {
		if strings.Contains(os.Getenv("LARDER_REQUIRE_TOOLS"), "curl") {
			t.Fatalf("curl is required here: %v\n%s", err, out)
		}
		t.Skip("not run: curl is not installed")
	}
	var header, functions string
	for _, block := range shellBlocks(t, "api.md") {
		if strings.Contains(block, "> larder.header") {
			header, _, _ = strings.Cut(block, "curl ")
		}
		if strings.HasPrefix(block, "ask() {") {
			functions, _, _ = strings.Cut(block, "\ndownload index ")
		}
	}
	if header == "" || functions == "" {
		t.Fatal("docs/api.md has no header, or no functions")
	}
	blocks := shellBlocks(t, "verify.md")
	if len(blocks) != 2 {
		t.Fatalf("docs/verify.md has %d blocks", len(blocks))
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "larder")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", header+functions+"\n"+blocks[0]+blocks[1])
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
