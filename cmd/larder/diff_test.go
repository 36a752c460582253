package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// diffRow is a row of "larder diff --format json" with the texts of its figures.
type diffRow struct {
	Date           string
	City, Retailer *string
	Category       *string
	Release        *string
	Causes         []string
	Old, New       map[string]json.RawMessage
}

// TestDiff sets a listing aside and lets a week close. The rows of diff turn what index
// prints of the old snapshot into what it prints of the new one, and CSV has the same.
func TestDiff(t *testing.T) {
	t.Parallel()
	old := demo(t, 1, 6)
	next := filepath.Join(t.TempDir(), "next.db")
	content, err := os.ReadFile(old)
	if err == nil {
		err = os.WriteFile(next, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	larder(t, "quarantine", "add", "--db", next, "--listing", "200", "--reason", "another cheese", "--yes")

	table := indexByCell(t, old)
	var rows []diffRow
	body := larder(t, "diff", old, next, "--format", "json")
	if err := json.Unmarshal(body, &rows); err != nil || len(rows) == 0 {
		t.Fatal(len(rows), err)
	}
	lines, err := csv.NewReader(strings.NewReader(string(larder(t, "diff", old, next, "--format", "csv")))).ReadAll()
	if err != nil || len(lines) != len(rows)+1 {
		t.Fatalf("%d lines of CSV for %d rows, %v", len(lines), len(rows), err)
	}
	for i, r := range rows {
		if !slices.Equal(r.Causes, []string{"quarantine"}) || r.Release != nil {
			t.Fatalf("row %d: %+v", i, r)
		}
		key := cellKey(r.Date, r.City, r.Retailer, r.Category)
		if diff := cmp.Diff(table[key], r.Old); diff != "" {
			t.Fatalf("row %d: -index of the old snapshot +diff's old\n%s", i, diff)
		}
		if delete(table, key); r.New != nil {
			table[key] = r.New
		}
		line := map[string]string{}
		for j, name := range lines[0] {
			line[name] = lines[i+1][j]
		}
		if key != cellKey(line["date"], orNull(line["city"]), orNull(line["retailer"]), orNull(line["category"])) || line["causes"] != "quarantine" {
			t.Errorf("line %d is not of row %d: %v", i, i, line)
		}
		for prefix, figures := range map[string]map[string]json.RawMessage{"old_": r.Old, "new_": r.New} {
			for name, value := range figures {
				if want := strings.TrimSuffix(string(value), "null"); line[prefix+name] != want {
					t.Errorf("line %d: %s%s %q, want %q", i, prefix, name, line[prefix+name], want)
				}
			}
		}
	}
	if diff := cmp.Diff(indexByCell(t, next), table); diff != "" {
		t.Errorf("-index of the new snapshot +the old one with the changes\n%.2000s", diff)
	}
	if want := `{"date":"` + rows[0].Date + `","city":`; !strings.HasPrefix(string(body), "[\n"+want) ||
		!strings.Contains(string(body), `,"release":null,"released_at":null,"causes":["quarantine"],"old":{"index_value":`) {
		t.Errorf("%.300s", body)
	}

	out, problems, status := try("diff", old, next)
	if status != exitDone || strings.Contains(problems, "WARNING") || !strings.Contains(out, "\nquarantine: ") || !strings.Contains(out, " cells, moved by up to ") {
		t.Errorf("status %d\n%s%s", status, out, problems)
	}
	out, problems, _ = try("diff", old, old)
	if out != "no published cell changes\n" || !strings.Contains(problems, "by the rule nothing_new: ") {
		t.Error(out, problems)
	}
	if out, _, _ := try("diff", old, next, "--format", "json", "--now", "2026-10-19T12:00:00Z"); strings.Contains(out, "2026-10-25") || !strings.Contains(out, "2026-10-18") {
		t.Errorf("on October 19 the changed weeks are\n%.500s", out)
	}
	if _, problems, status := try("diff", old); status != exitUsage {
		t.Error(status, problems)
	}
}

// indexByCell returns the figures of every row of index by date and cell.
func indexByCell(t *testing.T, db string) map[string]map[string]json.RawMessage {
	t.Helper()
	var rows []map[string]json.RawMessage
	if err := json.Unmarshal(larder(t, "index", "--db", db, "--format", "json"), &rows); err != nil {
		t.Fatal(err)
	}
	table := map[string]map[string]json.RawMessage{}
	for _, r := range rows {
		var key diffRow
		text, _ := json.Marshal(r)
		if err := json.Unmarshal(text, &key); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"date", "city", "retailer", "category"} {
			delete(r, name)
		}
		table[cellKey(key.Date, key.City, key.Retailer, key.Category)] = r
	}
	return table
}

func cellKey(date string, names ...*string) string {
	for _, name := range names {
		date += "|"
		if name != nil {
			date += *name
		}
	}
	return date
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
