package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlotIsFigure compares charts of the command with those of the server, byte for byte.
func TestPlotIsFigure(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	x := serve(t, "--db", db)
	var made struct{ Key string }
	if err := json.Unmarshal(larder(t, "keys", "create", "--state", filepath.Join(filepath.Dir(db), "larder-state.db"), "--tier", "research", "--name", "A", "--format", "json"), &made); err != nil {
		t.Fatal(err)
	}
	for flags, address := range map[string]string{
		"--level national --category overall":                                   "/figure.svg",
		"--level national --category meat --lang fr":                            "/figure.png?s=national.meat&lang=fr",
		"--level city --city Toronto --category dairy --view 4w --lang fr":      "/figure.svg?s=toronto.dairy&view=4w&lang=fr",
		"--level city --city Montreal --category overall --view cost --lang en": "/figure.png?s=montreal.overall&view=cost",
	} {
		name, _, _ := strings.Cut(address, "?")
		out := filepath.Join(t.TempDir(), "chart"+filepath.Ext(name))
		larder(t, append(strings.Fields("plot "+flags), "--db", db, "--out", out)...)
		want, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if status, got := get(t, x.public+address, "Bearer "+made.Key); status != http.StatusOK || got != string(want) {
			t.Errorf("%s: status %d, another picture than plot %s", address, status, flags)
		}
	}
}

// TestGoldenPlot compares two charts of the demo with the golden files.
func TestGoldenPlot(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	for _, c := range []struct{ name, flags string }{
		{"demo-headline.svg", "--level national --category overall"},
		{"demo-since.svg", "--city Toronto --level city --view since --since 2026-08-02 --lang fr"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "chart.svg")
			larder(t, append(strings.Fields("plot "+c.flags), "--db", db, "--out", out)...)
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("..", "..", "testdata", "golden", c.name)
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
