package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"larder": main})
}

// testNow is the time that all tests run at: the Friday of an open week.
const testNow = "2026-11-20T12:00:00Z"

func TestScripts(t *testing.T) {
	cache := t.TempDir() // shared, so that the demo snapshot is made once
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LARDER_NOW", testNow)
			e.Setenv("XDG_CACHE_HOME", cache)
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

// TestGolden compares published values of the demo snapshot with the golden
// files, to the last digit.
func TestGolden(t *testing.T) {
	db := filepath.Join(t.TempDir(), "demo.db")
	larder(t, "demo", "--db", db, "--seed", "1", "--through", "2026-11-20", "--weeks", "18")
	for name, args := range map[string][]string{
		"demo-headlines.csv": {"index", "--category", "overall", "--format", "csv"},
		"demo-national.csv":  {"index", "--level", "national", "--format", "csv"},
		"demo-toronto.csv":   {"index", "--city", "Toronto", "--level", "city", "--format", "csv"},
		"demo-pilot.csv":     {"index", "--series", "v1", "--category", "overall", "--format", "csv"},
		"demo-explain.txt":   {"explain", "--date", "2026-11-15"},
		"demo-explain.json":  {"explain", "--date", "2026-11-15", "--city", "Toronto", "--category", "dairy", "--format", "json"},
	} {
		t.Run(name, func(t *testing.T) {
			got := larder(t, append(args, "--db", db)...)
			path := filepath.Join("..", "..", "testdata", "golden", name)
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("-golden +got; if this is meant, see testdata/README.md\n%s", diff)
			}
		})
	}
}

// larder runs one command that must succeed and returns its output.
func larder(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), args, testWorld(t, &stdout, &stderr)); code != exitDone {
		t.Fatalf("larder %v: exit status %d\n%s", args, code, &stderr)
	}
	return stdout.Bytes()
}

func testWorld(t *testing.T, stdout, stderr io.Writer) world {
	now, err := time.Parse(time.RFC3339, testNow)
	if err != nil {
		t.Fatal(err)
	}
	return world{
		stdin: http.NoBody, stdout: stdout, stderr: stderr,
		getenv:   func(string) string { return "" },
		now:      func() time.Time { return now },
		cacheDir: func() (string, error) { return "", fmt.Errorf("tests have no cache") },
	}
}
