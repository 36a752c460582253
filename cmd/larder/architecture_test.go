package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestArchitecture compares imports with the table in docs/architecture.md. The core imports
// no file, network, SQL, log or clock.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	may := map[string][]string{}
	quoted := regexp.MustCompile("`([^`]+)`")
	for row := range strings.Lines(string(doc)) {
		if cells := strings.Split(row, "|"); len(cells) == 4 && strings.HasPrefix(row, "| `") {
			name := quoted.FindStringSubmatch(cells[1])[1]
			may[name] = nil
			for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
				may[name] = append(may[name], m[1])
			}
		}
	}
	for _, m := range regexp.MustCompile("`([a-z][a-z_/]*/[a-z_]+\\.(?:go|sql|json|yaml|js))`").FindAllStringSubmatch(string(doc), -1) {
		if _, err := os.Stat("../../" + m[1]); err != nil {
			t.Errorf("docs/architecture.md names a file that is not there: %v", err)
		}
	}
	list := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/larder-index/larder/"
	core := []string{"basket", "panel", "jevons", "jevons/release", "compare", "shrink"}
	world := []string{"os", "io/fs", "net", "net/http", "database/sql", "log", "log/slog", "crypto/rand", "math/rand", "math/rand/v2"}
	sql := []string{"panel/sqlite", "panel/sqlite/releaselog", "httpapi/state", "httpapi/internal/apitest", "httpapi/state/pgtest"} // the last two are of tests
	seen := 0
	for line := range strings.Lines(string(out)) {
		imports := strings.Fields(line)
		name := strings.TrimPrefix(imports[0], module)
		allowed, ok := may[name]
		if ok {
			seen++
		} else if !strings.Contains("/"+name, "/internal/") && !strings.HasPrefix(name, "testdata/") {
			t.Errorf("docs/architecture.md does not have %s", name)
		}
		for _, path := range imports[1:] {
			own, is := strings.CutPrefix(path, module)
			switch {
			case own == "internal/atomicfile" && slices.Contains(core, name):
				t.Errorf("%s imports %s: the core knows no file", name, own)
			case is && ok && name != "cmd/larder" && !strings.HasPrefix(own, "internal/") && !slices.Contains(allowed, own):
				t.Errorf("%s imports %s, which docs/architecture.md does not say", name, own)
			case slices.Contains(core, name) && slices.Contains(world, path):
				t.Errorf("%s imports %s: the core knows nothing of the world", name, path)
			case (path == "database/sql" || path == "github.com/mattn/go-sqlite3") && !slices.Contains(sql, name):
				t.Errorf("%s imports %s: SQL is known in panel/sqlite, panel/sqlite/releaselog and httpapi/state", name, path)
			}
		}
	}
	if seen != len(may) {
		t.Errorf("docs/architecture.md has %d packages, of which %d are there", len(may), seen)
	}
}

// TestModules counts the modules that a package brings along and those that go.mod requires.
func TestModules(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"./jevons": 3, "./panel": 3, "./panel/sqlite": 5} {
		list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}`, name)
		list.Dir = "../.."
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		modules := slices.Compact(slices.Sorted(strings.FieldsSeq(string(out))))
		if len(modules) > most {
			t.Errorf("%s needs %q: more than %d modules", name, modules, most)
		}
	}
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	direct := slices.DeleteFunc(file.Require, func(r *modfile.Require) bool { return r.Indirect })
	if len(direct) > 30 {
		t.Errorf("go.mod requires %d modules, more than 30", len(direct))
	}
	for _, r := range direct {
		if strings.Contains(r.Mod.Version, "-") { // a release candidate, or no release
			t.Errorf("go.mod requires %s", r.Mod)
		}
	}
}
