package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDocCommands runs every block of commands and every program in README.md and docs,
// in their order and document by document, against a demo snapshot, a server of it and
// folders of the test's own. A command must end with status 0. A command after
// "$ " must print the text below it. Documents with programs are followed at the machine's
// clock, since their readers are there.
//
// A document is skipped when a tool is missing, and a program when its language is.
func TestDocCommands(t *testing.T) {
	t.Parallel()
	today, r := newReader(t, ""), newReader(t, testNow)
	for _, d := range readDocuments(t) {
		t.Run(path.Base(d.name), func(t *testing.T) {
			if d.blocks("python", "r") != nil {
				today.follow(t, d)
				return
			}
			r.follow(t, d)
		})
	}
}

// lookedUp matches commands of go and make, which take minutes or run this test itself.
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

// reader has the files and the server that documents assume.
type reader struct {
	dir   string // has the demo snapshot, a panel directory and the state of serve
	serve *serving
}

// newReader returns a reader at a time; "" is the machine's. Its demo goes on from testNow's.
func newReader(t *testing.T, now string) *reader {
	db := demo(t, 1, demoWeeks)
	if now == "" {
		now = time.Now().UTC().Format(time.RFC3339)
		db = filepath.Join(t.TempDir(), "larder.db")
		larder(t, "demo", "--db", db, "--now", now)
	}
	r := &reader{dir: filepath.Dir(db)}
	larder(t, "explain", "--demo", "--date", "2026-11-15")                     // the first one of a day says that it makes the demo
	larder(t, "export", filepath.Join(r.dir, "prices"), "--db", demo(t, 1, 2)) // few weeks: it is imported again and again
	larder(t, "keys", "create", "--state", filepath.Join(r.dir, "larder-state.db"), "--tier", "research", "--name", "first")
	site := filepath.Join(t.TempDir(), "site")
	larder(t, "release", demo(t, 1, 2), "--live", site+".db", "--log", site+".log", "--publish", site)
	r.serve = serve(t, "--db", db, "--now", now, "--publish", site)
	return r
}

// newKey makes a key for the server.
func (r *reader) newKey(t *testing.T) string {
	out := larder(t, "keys", "create", "--state", filepath.Join(r.dir, "larder-state.db"), "--tier", "standard", "--name", t.Name(), "--per-minute", "100000")
	return regexp.MustCompile(`larder_live_\w+`).FindString(string(out))
}

// languages are the commands that run a program's file, after the ending of its name.
var languages = map[string]struct {
	ending, command, tool string // tool is a command that fails where the language is not installed
}{
	"python": {"py", "python3", "python3 --version"},
	"pandas": {"py", "/usr/bin/python3", "/usr/bin/python3 -c 'import pandas'"}, // Python of the distribution
	"r":      {"R", "Rscript", "Rscript --version"},
	"go":     {"go", "go run", ""},
}

// program returns the commands that run a program: none when its language is not
// installed.
func (b block) program(t *testing.T) string {
	name := b.language
	if strings.Contains(b.text, "import pandas") {
		name = "pandas"
	}
	language := languages[name]
	if language.tool != "" && exec.Command("sh", "-c", language.tool).Run() != nil {
		t.Logf("%s:%d: %s fails", b.language, b.line, language.tool)
		return ""
	}
	file := fmt.Sprintf("program-%d.%s", b.line, language.ending)
	return fmt.Sprintf("cat > %s <<'END OF PROGRAM'\n%sEND OF PROGRAM\n%s %s\n", file, b.text, language.command, file)
}

// follow runs the commands of a document in their order.
func (r *reader) follow(t *testing.T, d document) {
	var script strings.Builder
	want := map[string]string{} // what a file of output must have
	shell := "sh"
	for _, b := range d.blocks("sh", "bash", "console", "python", "r", "go") {
		fmt.Fprintf(&script, "echo %s:%d > at\n", d.name, b.line)
		switch {
		case b.language == "go" && ownTests[d.name] != "":
			continue
		case languages[b.language].command != "":
			script.WriteString(b.program(t))
			continue
		case b.language == "console":
			for i, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
				command, output, _ := strings.Cut(part, "\n")
				file := fmt.Sprintf("output-%d-%d", b.line, i)
				fmt.Fprintf(&script, "( %s\n) > %s 2>&1 || :\n", command, file)
				want[file] = strings.TrimSuffix(output, "\n") + "\n"
			}
			continue
		case isLookedUp(b.text):
			continue
		case b.language == "bash":
			shell = "bash"
		}
		script.WriteString(b.text)
	}
	for _, tool := range []string{"curl", "sqlite3", "bash"} {
		if regexp.MustCompile(`(?m)(^|[|;(] *|-u larder )`+tool+` `).MatchString(script.String()) || shell == tool {
			need(t, tool)
		}
	}
	dir := r.arrive(t, d)
	key := r.newKey(t)
	run := exec.CommandContext(t.Context(), shell, "-eu", "-c", r.here(dir, key).Replace(script.String()))
	run.Dir, run.Stdin = dir, strings.NewReader(key+"\n") // for "read"
	run.Env = append(os.Environ(), "LARDER_DEMO=", "LARDER_DB="+filepath.Join(r.dir, "larder.db"),
		"CURL_HOME="+dir, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	if d.name == "docs/reading.md" || d.name == "docs/clients.md" { // they leave these to docs/api.md
		run.Env = append(run.Env, "LARDER_URL="+r.serve.public, "LARDER_KEY="+key)
	}
	if out, err := run.CombinedOutput(); err != nil {
		at, _ := os.ReadFile(filepath.Join(dir, "at"))
		t.Fatalf("%s: %v\n%.5000s", strings.TrimSpace(string(at)), err, out)
	}
	for file, want := range want {
		got, err := os.ReadFile(filepath.Join(dir, file))
		if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
			t.Errorf("%s: -documented +printed, %v\n%s", file, err, diff)
		}
	}
}

// here replaces example addresses, keys and folders by those of the test.
func (r *reader) here(dir, key string) *strings.Replacer {
	return strings.NewReplacer(
		"https://prices.example.org", r.serve.public, "larder_live_...", key,
		"http://127.0.0.1:8080", r.serve.public, "http://127.0.0.1:8081", r.serve.admin,
		"/var/", filepath.Join(dir, "var")+"/", "/usr/bin/larder", filepath.Join(dir, "larder"),
		" -o larder -g larder", "", // a user that this machine lacks
	)
}

// arrive makes a folder with the files that a document assumes.
func (r *reader) arrive(t *testing.T, d document) string {
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"bin/sudo":      "#!/bin/sh\n[ \"$1\" = -u ] && shift 2\nexec \"$@\"\n",
		"bin/systemctl": "#!/bin/sh\n", "bin/useradd": "#!/bin/sh\n", "bin/apt": "#!/bin/sh\nmkdir -p var/lib/larder\n",
		".curlrc": "fail-with-body\nsilent\nshow-error\n",
		"var/lib": "", "var/backups": "",
	}
	if d.name == "docs/snapshot.md" {
		addListing(t, files, "milk/", d.blocks("")[0].text)
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if text == "" {
			err = os.MkdirAll(name, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
			err = os.WriteFile(name, []byte(text), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"larder": program, "prices": filepath.Join(r.dir, "prices"), "larder.db": filepath.Join(r.dir, "larder.db")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// addListing adds the files of a block. In the block, each file's name comes
// before its first line.
func addListing(t *testing.T, files map[string]string, folder, listing string) {
	t.Helper()
	name := ""
	for line := range strings.Lines(listing) {
		if first := strings.Fields(line)[0]; !strings.HasPrefix(line, " ") {
			name, line = folder+first, strings.TrimPrefix(line, first)
		}
		files[name] += strings.TrimSpace(line) + "\n"
	}
	if len(files) < 6 {
		t.Fatalf("no files in\n%s", listing)
	}
}
