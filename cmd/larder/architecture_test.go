package main

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestOrder holds the order of packages: each imports only those of its own room and of rooms in lines above it.
func TestOrder(t *testing.T) {
	t.Parallel()
	rank := map[string]int{}
	for i, rooms := range strings.Split(`internal
		basket
		panel
		panel/record panel/check
		panel/csvdir
		panel/offers
		panel/sqlite panel/synth
		jevons shrink compare
		jevons/release
		jevons/release/log
		jevons/release/folder
		httpapi
		cmd`, "\n") {
		for room := range strings.FieldsSeq(rooms) {
			rank[room] = i + 1
		}
	}
	roomOf := func(name string) string {
		name = strings.TrimPrefix(name, "github.com/larder-index/larder/")
		for rank[name] == 0 && name != "." {
			name = path.Dir(name)
		}
		return name
	}
	list := exec.Command("go", "list", "-f", "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}", "../../...")
	out := must(list.Output())
	for line := range strings.Lines(string(out)) {
		imports := strings.Fields(line)
		room := roomOf(imports[0])
		for _, name := range imports[1:] {
			if of := roomOf(name); of != room && rank[of] >= rank[room] {
				t.Errorf("%s imports %s, which stands above it", imports[0], name)
			}
			if outside.MatchString(name) && core.MatchString(imports[0]) {
				t.Errorf("%s imports %s: the core knows no file, network, SQL, log or clock", imports[0], name)
			}
			if sql.MatchString(name) && !knowsSQL.MatchString(imports[0]) {
				t.Errorf("%s imports %s: SQL is known to panel/sqlite, jevons/release/log and httpapi/state", imports[0], name)
			}
		}
	}
}

var (
	sql      = regexp.MustCompile(`^database/sql|/go-sqlite3$|/pgx/`)
	knowsSQL = regexp.MustCompile(`/larder/(panel/sqlite|jevons/release/log|httpapi/state(/pgtest)?|httpapi/internal/apitest)$`)

	core    = regexp.MustCompile(`/larder/(basket|panel|jevons|jevons/release|compare|shrink)$`)
	outside = regexp.MustCompile(`^(os|io/fs|net|net/http|database/sql|log|log/slog|(crypto|math)/rand(/v2)?)$|/atomicfile$`)
)

// TestModules counts the modules that a package brings along and those that go.mod requires.
func TestModules(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"./jevons": 3, "./panel": 3, "./panel/sqlite": 5} {
		list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}`, name)
		list.Dir = "../.."
		out := must(list.Output())
		modules := slices.Compact(slices.Sorted(strings.FieldsSeq(string(out))))
		if len(modules) > most {
			t.Errorf("%s needs %q: more than %d modules", name, modules, most)
		}
	}
	text := must(os.ReadFile("../../go.mod"))
	file := must(modfile.ParseLax("go.mod", text, nil))
	direct := slices.DeleteFunc(file.Require, func(r *modfile.Require) bool { return r.Indirect })
	if len(direct) > 24 {
		t.Errorf("go.mod requires %d modules, more than 24", len(direct))
	}
	for _, r := range direct {
		if strings.Contains(r.Mod.Version, "-") { // a release candidate, or no release
			t.Errorf("go.mod requires %s", r.Mod)
		}
	}
}
