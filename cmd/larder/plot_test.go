package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlotIsFigure compares charts of the command with those of the server, byte for byte.
func TestPlotIsFigure(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	x := serve(t, "--db", db)
	key := newKey(t, filepath.Join(filepath.Dir(db), "larder-state.db"), "research")
	for flags, address := range map[string]string{
		"--level national --category overall":                                   "/figure.svg",
		"--level national --category meat --lang fr":                            "/figure.png?s=national.meat&lang=fr",
		"--level city --city Toronto --category dairy --view 4w --lang fr":      "/figure.svg?s=toronto.dairy&view=4w&lang=fr",
		"--level city --city Montreal --category overall --view cost --lang en": "/figure.png?s=montreal.overall&view=cost",
	} {
		name, _, _ := strings.Cut(address, "?")
		out := filepath.Join(t.TempDir(), "chart"+filepath.Ext(name))
		larder(t, append(strings.Fields("plot "+flags), "--db", db, "--out", out)...)
		want := must(os.ReadFile(out))
		if status, got := get(t, x.public+address, "Bearer "+key); status != http.StatusOK || got != string(want) {
			t.Errorf("%s: status %d, another picture than plot %s", address, status, flags)
		}
	}
}

// TestGoldenPlot compares two charts of the demo with the golden files.
func TestGoldenPlot(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	for name, flags := range map[string]string{
		"demo-headline.svg": "--level national --category overall",
		"demo-since.svg":    "--city Toronto --level city --view since --since 2026-08-02 --lang fr",
	} {
		out := filepath.Join(t.TempDir(), "chart.svg")
		larder(t, append(strings.Fields("plot "+flags), "--db", db, "--out", out)...)
		isGolden(t, name, string(must(os.ReadFile(out))))
	}
}
