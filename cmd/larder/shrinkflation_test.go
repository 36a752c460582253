package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// demoOf returns a demo snapshot and the data that it is made of.
func demoOf(t *testing.T, seed, weeks int) (db string, d *synth.Data) {
	t.Helper()
	d, err := synth.Generate(synth.Config{Seed: uint64(seed), Weeks: weeks, Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		t.Fatal(err)
	}
	return demo(t, seed, weeks), d
}

// What is printed is what was planted, with the grades that it was planted for,
// in every format.
func TestPlantedEventsArePrinted(t *testing.T) {
	t.Parallel()
	db, d := demoOf(t, 3, 14)
	for n, accepted := range [][]string{{"high ok"}, {"high ok", "medium ok"}, nil} {
		confidence := confidences[n]
		var want []string
		for _, p := range d.Planted(synth.Shrink) {
			if accepted == nil || slices.Contains(accepted, p.Expect) {
				want = append(want, fmt.Sprintf("%d %s %s %s %s", p.Product, p.Banner, p.OldPack, p.NewPack, p.Expect))
			}
		}
		if len(want) < 3 {
			t.Fatalf("%s: only %v are planted", confidence, want)
		}
		slices.Sort(want)

		args := []string{"shrinkflation", "--db", db, "--confidence", confidence, "--from", "2026-07-19"}
		var events []struct {
			Old        string `json:"old_package_size"`
			New        string `json:"new_package_size"`
			Confidence string
			Flag       string
			Detected   string `json:"detected_at"`
			Of         struct {
				Banner   string
				Products struct{ ID int }
			} `json:"retailer_products"`
		}
		if err := json.Unmarshal(larder(t, append(args, "--format", "json")...), &events); err != nil {
			t.Fatal(err)
		}
		var fromJSON, times []string
		for _, e := range events {
			fromJSON = append(fromJSON, fmt.Sprintf("%d %s %s %s %s %s", e.Of.Products.ID, e.Of.Banner, e.Old, e.New, e.Confidence, e.Flag))
			times = append(times, e.Detected)
		}
		if !slices.IsSorted(times) {
			t.Errorf("%s: not in order of time: %v", confidence, times)
		}

		rows, err := csv.NewReader(strings.NewReader(string(larder(t, append(args, "--format", "csv")...)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
		var fromCSV []string
		for _, r := range rows[1:] {
			fromCSV = append(fromCSV, strings.Join([]string{
				at(r, "product_id"), at(r, "banner"), at(r, "old_package_size"), at(r, "new_package_size"), at(r, "confidence"), at(r, "flag"),
			}, " "))
		}
		if diff := cmp.Diff(fromJSON, fromCSV); diff != "" {
			t.Errorf("%s: -json +csv: %s", confidence, diff)
		}
		slices.Sort(fromJSON)
		if diff := cmp.Diff(want, fromJSON); diff != "" {
			t.Errorf("%s: -planted +printed: %s", confidence, diff)
		}
		if table := string(larder(t, args...)); strings.Count(table, "\n") != 1+len(want) {
			t.Errorf("%s: %d are planted: %s", confidence, len(want), table)
		}
	}
}
