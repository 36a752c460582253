package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// document is README.md or a page of docs.
type document struct {
	name, prose string // its path in the source tree, and its text without blocks of code
	blocks      []block
}

// block is a fenced block of code.
type block struct {
	language, text string
	line           int
}

func readDocuments(t *testing.T) (all []document) {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	for _, name := range append([]string{"../../README.md"}, names...) {
		source := must(os.ReadFile(name))
		d, inside := document{name: strings.TrimPrefix(filepath.ToSlash(name), "../../")}, false
		for i, line := range strings.Split(string(source), "\n") {
			last := len(d.blocks) - 1
			switch language, fence := strings.CutPrefix(line, "```"); {
			case fence && !inside:
				d.blocks = append(d.blocks, block{language: language, line: i + 1})
				inside = true
			case fence:
				inside = false
			case inside:
				d.blocks[last].text += line + "\n"
			default:
				d.prose += line + "\n"
			}
		}
		all = append(all, d)
	}
	return all
}

// TestDocLinks follows the links of README.md and docs in the source tree, to files and to headings.
func TestDocLinks(t *testing.T) {
	t.Parallel()
	all, anchors := readDocuments(t), map[string]bool{}
	for _, d := range all {
		for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(d.prose, -1) {
			anchors[d.name+"#"+anchorOf(heading[1])] = true
		}
	}
	for _, d := range all {
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(d.prose, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, anchor, has := strings.Cut(link[1], "#")
			to := d.name
			if file != "" {
				to = path.Join(path.Dir(d.name), file)
			}
			if _, err := os.Stat(filepath.Join("../..", to)); err != nil || has && !anchors[to+"#"+anchor] {
				t.Errorf("%s: nothing is at %s (%v)", d.name, link[1], err)
			}
		}
	}
}

// anchorOf returns the anchor that GitHub gives a heading.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

// TestDocCommands runs the commands and the programs of README.md and docs in their order, document by document,
// against a demo snapshot, a server of it and folders of the test's own. A command must end with status 0. One after
// "$ " must print the text below it. A document is skipped where a tool is missing, and a program where its language
// or a module of it is.
func TestDocCommands(t *testing.T) {
	t.Parallel()
	today, r := newReader(t, ""), newReader(t, testNow)
	for _, d := range readDocuments(t) {
		reads := func(b block) bool { return b.language == "python" || b.language == "r" }
		t.Run(path.Base(d.name), func(t *testing.T) {
			if slices.ContainsFunc(d.blocks, reads) { // at the machine's clock, which programs have
				today.follow(t, d)
				return
			}
			r.follow(t, d)
		})
	}
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
		larder(t, "demo", "--db", db, "--now", now, "--weeks", "20")
	}
	r := &reader{dir: filepath.Dir(db)}
	state := filepath.Join(r.dir, "larder-state.db")
	larder(t, "explain", "--demo", "--date", "2026-11-15")                     // the first one of a day says that it makes the demo
	larder(t, "export", filepath.Join(r.dir, "prices"), "--db", demo(t, 1, 2)) // few weeks: it is imported again and again
	larder(t, "keys", "create", "--state", state, "--tier", "research", "--name", "first")
	site := filepath.Join(t.TempDir(), "site")
	larder(t, "release", demo(t, 1, 2), "--live", site+".db", "--log", site+".log", "--publish", site)
	r.serve = serve(t, "--db", db, "--now", now, "--publish", site)
	return r
}

// program returns the commands that run a program: none where its language or a module of it is not installed.
func (b *block) program(t *testing.T) string {
	file, command, probe := fmt.Sprintf("program-%d.%s", b.line, b.language), "", ""
	switch b.language {
	case "python":
		command, file = "python3", file[:len(file)-len("thon")]
		imports := strings.Join(regexp.MustCompile(`(?m)^import .*$`).FindAllString(b.text, -1), "\n")
		probe = "python3 -c '" + imports + "'"
		if exec.Command("sh", "-c", probe).Run() != nil { // the distribution's has modules of its packages
			command, probe = "/usr/bin/python3", "/usr/bin/"+probe
		}
	case "r":
		command, probe = "Rscript", "Rscript -e 'TRUE'"
		if strings.Contains(b.text, "arrow::") {
			probe = "Rscript -e 'loadNamespace(\"arrow\")'"
		}
	case "go":
		root, _ := filepath.Abs("../..") // its modules are this one's
		file, command, probe = "program.go", "go build -C "+root+" -o $PWD/program $PWD/program.go && ./program #", "go version"
	default:
		return ""
	}
	if out, err := exec.Command("sh", "-c", probe).CombinedOutput(); err != nil {
		t.Logf("the program of line %d is not run: %s", b.line, out)
		return ":\n"
	}
	return fmt.Sprintf("cat > %s <<'END OF PROGRAM'\n%sEND OF PROGRAM\n%s %[1]s\n", file, b.text, command)
}

// lookedUp matches commands of go, make and git, which take minutes, run this test itself or need the network.
var lookedUp = regexp.MustCompile(`(?m)^([A-Z_]+=\S+ )*(go|make|git) [a-z-]`)

// follow runs the commands of a document in their order.
func (r *reader) follow(t *testing.T, d document) {
	var script strings.Builder
	want := map[string]string{} // what a file of output must have
	shell := "sh"
	for _, b := range d.blocks {
		program := b.program(t)
		if program == "" && !slices.Contains([]string{"sh", "bash", "console"}, b.language) || lookedUp.MatchString(b.text) {
			continue
		}
		fmt.Fprintf(&script, "echo %s:%d > at\n", d.name, b.line)
		switch {
		case program != "":
			script.WriteString(program)
			continue
		case b.language == "console":
			for i, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
				command, output, _ := strings.Cut(part, "\n")
				file := fmt.Sprintf("output-%d-%d", b.line, i)
				fmt.Fprintf(&script, "( %s\n) > %s 2>&1 || :\n", command, file)
				want[file] = strings.TrimSuffix(output, "\n") + "\n"
			}
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
	key := newKey(t, filepath.Join(r.dir, "larder-state.db"), "standard", "--per-minute", "100000")
	run := exec.CommandContext(t.Context(), shell, "-eu", "-c", r.here(dir, key).Replace(script.String()))
	run.Dir, run.Stdin = dir, strings.NewReader(key+"\n") // for "read"
	run.Env = append(os.Environ(), "LARDER_DEMO=", "LARDER_DB="+filepath.Join(r.dir, "larder.db"),
		"CURL_HOME="+dir, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	if d.name == "docs/clients.md" { // it leaves these to docs/api.md
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
	program := must(os.Executable())
	files := map[string]string{
		"bin/sudo":      "#!/bin/sh\n[ \"$1\" = -u ] && shift 2\nexec \"$@\"\n",
		"bin/systemctl": "#!/bin/sh\n", "bin/useradd": "#!/bin/sh\n", "bin/apt": "#!/bin/sh\nmkdir -p var/lib/larder\n",
		".curlrc": "fail-with-body\nsilent\nshow-error\n",
		"var/lib": "", "var/backups": "",
	}
	if d.name == "docs/snapshot.md" { // its first block has the files of a folder, each line behind a name or as deep as one
		name := ""
		for line := range strings.Lines(d.blocks[0].text) {
			if first := strings.Fields(line)[0]; !strings.HasPrefix(line, " ") {
				name, line = "milk/"+first, strings.TrimPrefix(line, first)
			}
			files[name] += strings.TrimSpace(line) + "\n"
		}
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if text == "" {
			orPanic(os.MkdirAll(name, 0o755))
		} else {
			write(name, text)
			orPanic(os.Chmod(name, 0o755))
		}
	}
	for name, to := range map[string]string{
		"larder": program, "prices": filepath.Join(r.dir, "prices"), "larder.db": filepath.Join(r.dir, "larder.db"),
	} {
		orPanic(os.Symlink(to, filepath.Join(dir, name)))
	}
	return dir
}

// TestReadmeServe runs larder serve as README.md says, and the line of curl that it prints. Ctrl-C ends it.
func TestReadmeServe(t *testing.T) {
	t.Parallel()
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
	for _, page := range []string{"/", "/shopper", "/account", "/methodology", "/docs"} {
		if status, body := get(t, x.public+page, ""); status != http.StatusOK || !strings.HasPrefix(body, "<!DOCTYPE html>") {
			t.Errorf("%s: %d %.100s", page, status, body)
		}
	}
	orPanic(cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); err != nil {
		t.Errorf("Ctrl-C: %v\n%s", err, x.log)
	}
}

// TestReadmeCommands runs the commands in the tables of README.md, in their order.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	larder(t, "export", filepath.Join(dir, "prices"), "--db", demo(t, 1, demoWeeks)) // README.md: of the demo
	for _, m := range regexp.MustCompile("(?m)^\\| `larder ([^`]*)`").FindAllStringSubmatch(readDocuments(t)[0].prose, -1) {
		args := strings.Fields(m[1])
		for i, a := range args {
			if strings.HasSuffix(a, "/") || strings.HasSuffix(a, ".db") || strings.HasSuffix(a, ".svg") {
				args[i] = filepath.Join(dir, a)
			}
		}
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
}
