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
		"--level national --category meat --square --lang fr":                   "/figure.png?s=national.meat&size=square&lang=fr",
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

// TestGoldenPlot compares two charts of the demo with the golden files. A chart's
// description has the newest figures of a table, digit for digit, and its labels have them
// rounded.
func TestGoldenPlot(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	for _, c := range []struct {
		name, flags, column string
		labels              []string
	}{
		{"demo-headline.svg", "--level national --category overall", "index", []string{">All items 100.7<"}},
		{"demo-since.svg", "--city Toronto --level city --view since --since 2026-08-02 --lang fr", "pct_change_since",
			[]string{">Produits laitiers ", "\u00a0%<", ">août<"}},
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
			for _, label := range c.labels {
				if !strings.Contains(string(got), label) {
					t.Errorf("no text has %q", label)
				}
			}
			_, description, _ := strings.Cut(string(got), "<desc>")
			description, _, _ = strings.Cut(description, "</desc>")
			flags, _, _ := strings.Cut(c.flags, " --lang")
			lines := strings.Split(strings.TrimSpace(string(larder(t, append(strings.Fields("index --format csv "+flags), "--db", db)...))), "\n")
			header := strings.Split(lines[0], ",")
			written := strings.NewReplacer("\u2212", "-", "+", "", ",", ".", "\u00a0%", "").Replace(description)
			seen := 0
			for _, line := range lines[1:] {
				for i, cell := range strings.Split(line, ",") {
					if !strings.HasPrefix(line, "2026-11-15") || !strings.HasPrefix(header[i], c.column) {
						continue
					}
					if seen++; !strings.Contains(written, " "+cell) {
						t.Errorf("the description lacks %s %s of %q: %s", header[i], cell, line, description)
					}
				}
			}
			if seen == 0 {
				t.Errorf("no newest row: %s", lines[0])
			}
		})
	}
}
