package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/panel/sqlite"
)

// checkedDemo writes a small demo snapshot.
func checkedDemo(t *testing.T) string {
	db := filepath.Join(t.TempDir(), "demo.db")
	larder(t, "demo", "--db", db, "--seed", "3", "--through", "2026-11-20", "--weeks", "6")
	return db
}

// The table by reason, the CSV and the gate's own judgement of each row tell the
// same.
func TestFilteredRowsAddUp(t *testing.T) {
	db := checkedDemo(t)
	all, err := sqlite.LoadAll(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	report := larder(t, "check", "--db", db)
	rows, err := csv.NewReader(bytes.NewReader(larder(t, "check", "--db", db, "--filtered"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`the quality gate \(larder-gate-1\) filtered (\d+) of`).FindSubmatch(report)
	if want == nil || string(want[1]) != strconv.Itoa(len(rows)-1) || len(rows) < 10 {
		t.Fatalf("%d rows in the CSV; the report says %s", len(rows)-1, want)
	}
	listed, rules := map[string]int{}, map[string]int{}
	rule := slices.Index(rows[0], "rule")
	for i, row := range rows[1:] {
		listed[row[0]] = i + 1
		rules[row[rule]]++
	}
	for name, n := range rules {
		if !regexp.MustCompile(`(?m)^` + name + ` +` + strconv.Itoa(n) + ` `).Match(report) {
			t.Errorf("the report lacks %s with %d rows", name, n)
		}
	}
	for i := range all.Rows.Len() {
		o, j := all.Rows.At(i), all.Rows.Judge(i)
		at, ok := listed[strconv.FormatInt(o.ID, 10)]
		if !ok {
			continue
		}
		entry := ""
		if j.Entry != nil {
			entry = strconv.FormatInt(j.Entry.ID, 10)
		}
		got := rows[at]
		for name, want := range map[string]string{
			"store_id": strconv.FormatInt(o.Store, 10), "retailer_product_id": strconv.FormatInt(o.Listing, 10),
			"scraped_name": o.ScrapedName, "package_size": o.PackageSize, "effective_price": o.Effective.String(),
			"verdict": o.Verdict.String(), "rule": j.Rule(), "quarantine_id": entry, "reason": j.String(),
		} {
			if v := got[slices.Index(rows[0], name)]; v != want {
				t.Errorf("row %d: %s is %q, want %q", o.ID, name, v, want)
			}
		}
		delete(listed, got[0])
	}
	if len(listed) > 0 {
		t.Errorf("rows that are nowhere: %v", listed)
	}
}

func TestCheckOfADamagedSnapshot(t *testing.T) {
	db := checkedDemo(t)
	data, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(damaged, data, 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := try("check", "--db", damaged)
	if code != exitFailed || stdout != "" || !strings.Contains(stderr, "damaged.db") {
		t.Errorf("exit status %d, %q, %q", code, stdout, stderr)
	}
}
