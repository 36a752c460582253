package main

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/larder-index/larder/internal/toolbox"
)

// lookedUp matches commands of go and make. They take minutes or run this test itself, so
// the test only looks up their packages, functions and targets.
var lookedUp = regexp.MustCompile(`^([A-Z_]+=\S+ )*(go|make) [a-z-]`)

// isLookedUp reports whether all lines of a block are commands of go or make.
func isLookedUp(text string) bool {
	for line := range strings.Lines(text) {
		if !lookedUp.MatchString(line) {
			return false
		}
	}
	return true
}

// TestDocSpans looks up the commands within sentences and tables. A command of
// larder must exist and take these arguments and flags.
func TestDocSpans(t *testing.T) {
	t.Parallel()
	commands, others := 0, 0
	for _, d := range readDocuments(t) {
		for _, span := range d.spans() {
			if lookedUp.MatchString(span) {
				others++
				t.Run(span, func(t *testing.T) { lookUp(t, span) })
				continue
			}
			args, ok := strings.CutPrefix(span, "larder ")
			if !ok || args == "help COMMAND" {
				continue
			}
			commands++
			cmd, rest, err := (&app{stdout: &output{Writer: bufio.NewWriter(io.Discard)}, stderr: io.Discard}).rootCommand().Find(strings.Fields(args))
			if err == nil {
				err = cmd.ParseFlags(rest)
			}
			if given := cmd.Flags().Args(); err == nil && (cmd.HasSubCommands() || len(given) > 0) {
				err = cmd.ValidateArgs(given) // without arguments a span is but a name
			}
			if err != nil {
				t.Errorf("%s: %q: %v", d.name, span, err)
			}
		}
	}
	if commands < 40 || others < 5 {
		t.Errorf("%d commands of larder and %d others: are these the documents?", commands, others)
	}
}

// lookUp checks a command line of go or make without running it.
func lookUp(t *testing.T, line string) {
	t.Helper()
	words := strings.Fields(line)
	for strings.Contains(words[0], "=") {
		words = words[1:] // of its environment
	}
	if words[0] == "make" {
		toolbox.Need(t, "make")
		run := exec.Command("make", append([]string{"-n", "-C", "../.."}, words[1:]...)...)
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
		return
	}
	var dirs []string
	var pattern, kind string
	for i, word := range words[2:] {
		switch before := words[i+1]; {
		case before == "-run", before == "-bench":
			pattern, _, _ = strings.Cut(strings.Trim(word, "'"), "/") // a part of a benchmark has no function
			kind = map[string]string{"-run": "Test", "-bench": "Benchmark"}[before]
		case strings.HasPrefix(word, "./"):
			dirs = append(dirs, strings.TrimSuffix(word, "/..."))
		case words[1] == "install":
			dir, version, _ := strings.Cut(word, "@")
			module, _ := os.ReadFile("../../go.mod")
			own, is := strings.CutPrefix(dir, strings.Fields(string(module))[1])
			if !is || version != "latest" {
				t.Errorf("%s: %q is no package of this module", line, word)
			}
			dirs = append(dirs, "."+own)
		}
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		if !hasFunction(t, filepath.Join("../..", dir), kind, pattern) {
			t.Errorf("%s: nothing of that in %s", line, dir)
		}
	}
}

// hasFunction reports whether the Go files at or below a folder have a function of
// the kind whose name matches.
func hasFunction(t *testing.T, dir, kind, pattern string) (found bool) {
	t.Helper()
	name, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	functions := regexp.MustCompile(`(?m)^func (` + kind + `\w*)\(`)
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || kind != "" && !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range functions.FindAllSubmatch(source, -1) {
			if name.Match(m[1]) {
				found = true
				return fs.SkipAll
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return found
}
