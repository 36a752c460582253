package main

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel/sqlite"
)

// The JSON is the result of package compare, byte for byte and a newline; the
// order in which items and stores are named plays no part.
func TestCompareJSON(t *testing.T) {
	db := filepath.Join(t.TempDir(), "demo.db")
	larder(t, "demo", "--db", db, "--through", "2026-11-20", "--weeks", "3")
	all, err := sqlite.LoadAll(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	pr := compare.NewProjection(all.Panel, all.Rows)
	for _, c := range []struct{ city, items, stores, now string }{
		{"toronto", "27,18x0.5,1x2", "", testNow},
		{"toronto", "30,1", "quartermoss,nickelbasket", testNow},
		{"montreal", "12x20", "", "2026-11-18T23:59:59-05:00"},
		{"calgary", "9", "", "2026-12-20T12:00:00Z"},
	} {
		items, err := compare.ParseItems(c.items)
		if err != nil {
			t.Fatal(err)
		}
		r := compare.Request{City: c.city, Items: items}
		args := []string{"compare", "--db", db, "--city", c.city, "--items", c.items, "--now", c.now, "--format", "json"}
		if c.stores != "" {
			r.Stores = strings.Split(c.stores, ",")
			args = append(args, "--stores", c.stores)
		}
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		want, err := compare.Evaluate(pr, r, now)
		if err != nil {
			t.Fatal(err)
		}
		got := larder(t, args...)
		if body := string(want.WithLinks("http://127.0.0.1:8080").AppendJSON(nil)) + "\n"; string(got) != body {
			t.Errorf("%v:\n%s\nwant\n%s", c, got, body)
		}
		var parsed struct {
			EvaluatedOn    string
			Stores         []struct{ Key string }
			Recommendation struct{ Status string }
		}
		if err := json.Unmarshal(got, &parsed); err != nil || parsed.EvaluatedOn != now.UTC().Format(time.DateOnly) ||
			parsed.Recommendation.Status != string(want.Recommendation.Status) || len(parsed.Stores) != len(want.Stores) {
			t.Errorf("%v: read back as %+v, %v", c, parsed, err)
		}
	}
}

// Every list in the table adds up to its chain's total in the table of chains,
// and what one line costs is the quantity times what each costs.
func TestCompareAddsUp(t *testing.T) {
	db := filepath.Join(t.TempDir(), "demo.db")
	larder(t, "demo", "--db", db, "--through", "2026-11-20", "--weeks", "3")
	var list []string
	for id := 1; id <= 50; id++ {
		list = append(list, strconv.Itoa(id)+"x"+strconv.Itoa(id%4+1))
	}
	out := string(larder(t, "compare", "--db", db, "--city", "toronto", "--items", strings.Join(list, ",")))
	sections := strings.Split(out, "\n\n")
	totals := map[string]int{} // in cents
	for row := range strings.Lines(sections[2]) {
		at := strings.Index(sections[2], "total $") + len("total $")
		if fields := strings.Fields(row[:at]); fields[0] != "chain" && fields[len(fields)-1] != noValue {
			totals[fields[0]] = cents(t, fields[len(fields)-1])
		}
	}
	checked := 0
	for _, section := range sections[3:] {
		title, table, _ := strings.Cut(section, "\n")
		_, rest, ok := strings.Cut(title, "(")
		key, _, ok2 := strings.Cut(rest, "): ")
		if !ok || !ok2 || !strings.HasPrefix(table, "id  item") {
			continue
		}
		sum := 0
		head, rows, _ := strings.Cut(table, "\n")
		column := func(row, name string) string {
			at := strings.Index(head, name) + len(name)
			fields := strings.Fields(row[:at])
			return fields[len(fields)-1]
		}
		for row := range strings.Lines(rows) {
			line := column(row, "line $")
			if line == noValue {
				continue
			}
			quantity, err := strconv.Atoi(column(row, "qty"))
			if err != nil {
				t.Fatal(err)
			}
			if each := column(row, "each $"); cents(t, line) != quantity*cents(t, each) {
				t.Errorf("%s: %s, but %d times %s", key, line, quantity, each)
			}
			sum += cents(t, line)
			checked++
		}
		if sum != totals[key] {
			t.Errorf("%s: lines add up to %d cents, the table has %d", key, sum, totals[key])
		}
	}
	if len(totals) < 10 || checked < 200 {
		t.Errorf("%d chains and %d lines were looked at", len(totals), checked)
	}
}

// cents reads dollars.
func cents(t *testing.T, dollars string) int {
	t.Helper()
	v, err := strconv.ParseFloat(dollars, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(v*100 + 0.5)
}

// The JSON is what a server sends for the same list, and a newline.
func TestCompareServed(t *testing.T) {
	db := filepath.Join(t.TempDir(), "demo.db")
	larder(t, "demo", "--db", db, "--through", "2026-11-20", "--weeks", "3")
	x := serve(t, "--db", db)
	status, body := get(t, x.public+"/api/shopper/compare?city=toronto&items=27,18x0.5,1x2&stores=quartermoss,nickelbasket", "")
	want := larder(t, "compare", "--db", db, "--city", "toronto", "--items", "27,18x0.5,1x2", "--stores", "quartermoss,nickelbasket",
		"--base-url", x.public, "--format", "json")
	if status != 200 || body+"\n" != string(want) {
		t.Errorf("%d\n%s\nwant\n%s", status, body, want)
	}
}
