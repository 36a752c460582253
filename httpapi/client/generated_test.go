package client_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/toolbox"
)

// TestOapiCodegen makes a Go client of /openapi.json, with the configuration in
// docs/clients.md. The client builds, vets, and pages through the demo.
func TestOapiCodegen(t *testing.T) {
	t.Parallel()
	toolbox.Need(t, "oapi-codegen")
	f, dir := apitest.Serve(t), t.TempDir()
	_, config, _ := strings.Cut(string(apitest.Read("../../docs/clients.md")), "```yaml\n")
	config, _, _ = strings.Cut(config, "```")
	write(t, dir, fstest.MapFS{
		"go.mod": {Data: apitest.Read("testdata/oapi/go.mod")}, "go.sum": {Data: apitest.Read("testdata/oapi/go.sum")},
		"main.go": {Data: apitest.Read("testdata/oapi/main.go.txt")}, "oapi-codegen.yaml": {Data: []byte(config)},
		"openapi.json": {Data: f.Get("/openapi.json", "").Content}, "larder/doc.go": {Data: []byte("package larder\n")},
	})
	offline := []string{"GOPROXY=off", "GOWORK=off"}
	must(t, dir, offline, "go", "build", "-o", "codegen", "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen")
	must(t, dir, offline, "./codegen", "-config", "oapi-codegen.yaml", "openapi.json")
	must(t, dir, offline, "go", "build", "-o", "program", ".")
	must(t, dir, offline, "go", "vet", "./...")
	compare(t, f, must(t, dir, nil, "./program", f.HTTP.URL, f.Key(state.Standard)))
}

// TestOpenAPITypeScript makes the types of a TypeScript client of /openapi.json. A
// program with them compiles under --strict, and pages through the demo.
func TestOpenAPITypeScript(t *testing.T) {
	t.Parallel()
	toolbox.Need(t, "openapi-typescript")
	modules, err := filepath.Abs("testdata/typescript/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	f, dir := apitest.Serve(t), t.TempDir()
	write(t, dir, fstest.MapFS{
		"package.json": {Data: apitest.Read("testdata/typescript/package.json")}, "program.ts": {Data: apitest.Read("testdata/typescript/program.ts")},
		"openapi.json": {Data: f.Get("/openapi.json", "").Content},
	})
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	must(t, dir, nil, "node_modules/.bin/openapi-typescript", "openapi.json", "-o", "larder.d.ts")
	must(t, dir, nil, "node_modules/.bin/tsc", "--strict", "--target", "es2022", "--module", "nodenext", "program.ts")
	compare(t, f, must(t, dir, nil, "node", "program.js", f.HTTP.URL, f.Key(state.Standard)))
}

// compare compares what a generated client found with the server's own bodies.
func compare(t *testing.T, f *apitest.Server, out []byte) {
	t.Helper()
	type found struct {
		Pages        int
		Rows, Levels []string
		Again        int
	}
	var got found
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := found{Pages: 5, Again: 304}
	text := func(v any) string { // a number in the shortest way, as a program prints a float of 64 bits
		if s, ok := v.(string); ok {
			return fmt.Sprintf("%q", s)
		}
		b, _ := json.Marshal(v)
		return string(b)
	}
	rows := func(path string) []map[string]any {
		var page struct{ Observations []map[string]any }
		if err := json.Unmarshal(f.Get(path, f.Key(state.Standard)).Content, &page); err != nil {
			t.Fatal(err)
		}
		return page.Observations
	}
	for _, r := range rows("/api/v1/prices?from=2026-11-09&to=2026-11-15&limit=10000") {
		want.Rows = append(want.Rows, text(r["id"])+" "+text(r["effective_price"])+" "+text(r["package_size"]))
	}
	for _, r := range rows("/api/v1/index?level=national") {
		want.Levels = append(want.Levels, fmt.Sprint(r["date"], " ", text(r["index_value"]), " ", text(r["pct_change_yoy"])))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-server +client\n%.2000s", diff)
	}
	if len(got.Rows) < 4500 || len(got.Levels) < 100 || !strings.HasSuffix(got.Levels[0], " null") {
		t.Errorf("%d prices, %d rows of the index", len(got.Rows), len(got.Levels))
	}
}

func write(t *testing.T, dir string, files fstest.MapFS) {
	t.Helper()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
}

// run returns what a command prints.
func run(t *testing.T, dir string, env []string, command ...string) ([]byte, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("%v: %w\n%s%s", command, err, out, failed.Stderr)
	}
	return out, err
}

func must(t *testing.T, dir string, env []string, command ...string) []byte {
	t.Helper()
	out, err := run(t, dir, env, command...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
