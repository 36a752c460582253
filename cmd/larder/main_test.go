package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"larder": main})
}

// suite runs the tests in an environment of their own with one cache, so that the demo
// snapshot is made once.
type suite struct{ m *testing.M }

func (s suite) Run() int {
	cache, err := os.MkdirTemp("", "larder-test-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(cache)
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "LARDER_") {
			os.Unsetenv(name)
		}
	}
	if user, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" { // Go's own cache stays
		os.Setenv("GOCACHE", filepath.Join(user, "go-build"))
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	os.Setenv("LARDER_NOW", testNow)
	os.Setenv("LARDER_DEMO", "true") // their output goes into pipes
	return s.m.Run()
}

// testNow is the time that all tests run at: the Friday of an open week.
const testNow = "2026-11-20T12:00:00Z"

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LARDER_NOW", testNow)
			e.Setenv("LARDER_DEMO", "true")
			e.Setenv("XDG_CACHE_HOME", os.Getenv("XDG_CACHE_HOME"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// exits runs a command that must end with the given status: exits 2 larder ...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

var update = flag.Bool("update", false, "write the golden files anew; see testdata/README.md")

// TestGolden compares values of the demo snapshot with the golden files.
func TestGolden(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	for name, commands := range map[string][]string{
		"demo-index.txt": {
			"index --category overall --format csv",
			"index --level national --format csv",
			"index --city Toronto --level city --format csv",
			"index --series v1 --category overall --format csv",
			"index --level national --category dairy --view since --since 2026-08-02 --format csv",
		},
		"demo-explain.txt": {
			"explain --date 2026-11-15",
			"explain --date 2026-11-15 --city Toronto --category dairy --format json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []byte
			for _, c := range commands {
				got = fmt.Appendf(got, "$ larder %s\n%s", c, larder(t, append(strings.Fields(c), "--db", db)...))
			}
			isGolden(t, name, string(got))
		})
	}
}

// isGolden compares a text with a golden file.
func isGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "golden", name)
	if *update {
		write(path, got)
	}
	if diff := cmp.Diff(string(must(os.ReadFile(path))), got); diff != "" {
		t.Errorf("-golden +got; if this is meant, see testdata/README.md\n%s", diff)
	}
}

// TestSynthetic looks for the mark of invented prices: the last column of CSV, and a member of each object in JSON.
func TestSynthetic(t *testing.T) {
	t.Parallel()
	db, old := demo(t, 1, demoWeeks), demo(t, 1, 2)
	for command, formats := range map[string]string{
		"index --include quality --level national": "csv json", "coverage --level national": "csv json", "quarantine list": "csv json",
		"shrinkflation --confidence low --from 2026-07-01": "csv json", "diff " + old: "csv json", "explain --date 2026-11-15": "json", "check": "json",
	} {
		for format := range strings.FieldsSeq(formats) {
			args := append(strings.Fields(command), "--db", db)
			if args[0] == "diff" {
				args = []string{"diff", old, db}
			}
			text := larder(t, append(args, "--format", format)...)
			marked, all := 0, 0
			if format == "csv" {
				for _, row := range parseCSV(t, text)[1:] {
					if all++; row[len(row)-1] == "true" {
						marked++
					}
				}
			} else {
				if text[0] == '{' {
					text = fmt.Appendf(nil, "[%s]", text)
				}
				var list []struct{ Synthetic bool }
				if err := json.Unmarshal(text, &list); err != nil {
					t.Error(err)
				}
				for _, x := range list {
					if all++; x.Synthetic {
						marked++
					}
				}
			}
			if all == 0 || marked != all {
				t.Errorf("%s as %s: %d of %d are marked\n%.300s", command, format, marked, all, text)
			}
		}
	}
}

// larder runs one command that must succeed and returns its output.
func larder(t *testing.T, args ...string) []byte {
	t.Helper()
	stdout, stderr, status := try(args...)
	if status != exitDone {
		t.Fatalf("larder %v: exit status %d\n%s", args, status, stderr)
	}
	return []byte(stdout)
}

// need skips a test where a program is not installed.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
}

var making sync.Mutex

// demo returns a demo snapshot through the day of testNow, in a folder of its own. Each is
// made once. Tests get hard links to it, since a command replaces the file and never
// changes it.
func demo(t *testing.T, seed, weeks int) string {
	t.Helper()
	making.Lock()
	defer making.Unlock()
	made := filepath.Join(os.Getenv("XDG_CACHE_HOME"), fmt.Sprintf("%d-%d.db", seed, weeks))
	if _, err := os.Stat(made); err != nil {
		larder(t, "demo", "--db", made, "--seed", fmt.Sprint(seed), "--through", testNow[:10], "--weeks", fmt.Sprint(weeks))
	}
	db := filepath.Join(t.TempDir(), "larder.db")
	orPanic(os.Link(made, db))
	return db
}

// demoWeeks is how many weeks a demo snapshot has without --weeks.
const demoWeeks = 18

// try runs one command and returns what it prints and its exit status.
func try(args ...string) (stdout, stderr string, status int) {
	var out, problems bytes.Buffer
	status = report(&problems, run(context.Background(), args, &out, &problems))
	return out.String(), problems.String(), status
}

// must returns the result of a call that works, or panics.
func must[T any](x T, err error) T {
	orPanic(err)
	return x
}

func orPanic(err error) {
	if err != nil {
		panic(err)
	}
}

// write writes a file, in a folder that may be a new one.
func write(name, text string) {
	orPanic(os.MkdirAll(filepath.Dir(name), 0o755))
	orPanic(os.WriteFile(name, []byte(text), 0o644))
}

// newKey makes a key in a state.
func newKey(t *testing.T, state, tier string, flags ...string) string {
	t.Helper()
	out := larder(t, append([]string{"keys", "create", "--state", state, "--tier", tier, "--name", t.Name()}, flags...)...)
	return regexp.MustCompile(`larder_live_\w+`).FindString(string(out))
}
