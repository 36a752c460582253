// Package toolbox is for tests that take a tool which not every machine has. They are skipped where
// it is missing, unless LARDER_REQUIRE_TOOLS names it, as CI does.
package toolbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tools say how a tool is found and what installs it.
var tools = map[string]struct {
	find func() error
	from string
}{
	"bash":            {command("bash"), "bash"},
	"caddy":           {command("caddy"), "caddy"},
	"clickhouse":      {folder("testdata/engines/node_modules/chdb"), "make engines"},
	"curl":            {command("curl"), "curl"},
	"duckdb":          {folder("testdata/engines/node_modules/@duckdb/node-api"), "make engines"},
	"make":            {command("make"), "make"},
	"nginx":           {command("nginx"), "nginx-light"},
	"pandas":          {command("/usr/bin/python3", "-c", "import pandas"), "python3-pandas"}, // Python of the distribution
	"postgresql":      {func() error { _, err := Postgres(); return err }, "postgresql"},
	"psql":            {command("psql"), "postgresql-client"},
	"python3":         {command("python3", "-S", "--version"), "python3"},
	"rclone":          {command("rclone"), "rclone"},
	"rsync":           {command("rsync"), "rsync"},
	"Rscript":         {command("Rscript"), "r-base-core"},
	"sqlite3":         {command("sqlite3"), "sqlite3"},
	"systemd-analyze": {command("systemd-analyze"), "systemd"},
}

// Need skips the test if a tool is missing.
func Need(t testing.TB, name string) {
	t.Helper()
	if !Has(t, name) {
		t.SkipNow()
	}
}

// Has says whether a tool is here. Its absence is logged, or fails the test.
func Has(t testing.TB, name string) bool {
	t.Helper()
	err := tools[name].find()
	if err != nil {
		Absent(t, name, fmt.Errorf("%w (%s)", err, tools[name].from))
	}
	return err == nil
}

// Absent fails the test if LARDER_REQUIRE_TOOLS names a tool, and else logs that it is missing.
func Absent(t testing.TB, name string, err error) {
	t.Helper()
	if slices.Contains(strings.Fields(os.Getenv("LARDER_REQUIRE_TOOLS")), name) {
		t.Fatalf("%s is required here: %v", name, err)
	}
	t.Logf("not run for want of %s: %v", name, err)
}

// Missing lists the missing tools by what installs them, such as "duckdb (make engines)".
func Missing() []string {
	by := map[string][]string{}
	for name, tool := range tools {
		if tool.find() != nil {
			by[tool.from] = append(by[tool.from], name)
		}
	}
	var all []string
	for from, names := range by {
		slices.Sort(names)
		all = append(all, fmt.Sprintf("%s (%s)", strings.Join(names, ", "), from))
	}
	slices.Sort(all)
	return all
}

// Postgres returns the folder of PostgreSQL's programs.
func Postgres() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
	if len(found) == 0 {
		return "", errors.New("initdb is not installed")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// command finds a program, and runs it if it has arguments.
func command(name string, args ...string) func() error {
	return func() error {
		path, err := exec.LookPath(name)
		if err == nil && len(args) > 0 {
			err = exec.Command(path, args...).Run()
		}
		return err
	}
}

// folder finds a folder of the tree.
func folder(path string) func() error {
	return func() error {
		_, err := os.Stat(filepath.Join(root(), path))
		return err
	}
}

// root is the folder of go.mod: tests run in those of their packages.
func root() string {
	dir, _ := os.Getwd() //nolint:errcheck // then nothing is found
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	return dir
}
