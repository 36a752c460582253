package shrink_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// TestPackChanges makes a small panel of every change of a listing in a file
// and counts the events and their grades by the kind of change.
//
// The file is testdata/pack_changes.csv, of invented listings, or your own with
// the same columns: LARDER_PACK_CHANGES=changes.csv go test ./shrink -run
// PackChanges -v. docs/shrinkflation.md states the counts of real changes. In any
// file every downsizing must be found, and no other change may be graded high.
func TestPackChanges(t *testing.T) {
	name, own := os.LookupEnv("LARDER_PACK_CHANGES")
	if !own {
		name = "testdata/pack_changes.csv"
	}
	counts := map[string]*[7]int{}
	total := 0
	for _, c := range readChanges(t, name) {
		got := c.outcome(t)
		if c["kind"] == "downsize" && strings.HasPrefix(got, "no") || mustNotBeHigh(c["kind"]) && got == "high ok" {
			t.Errorf("%s: %q to %q, %s to %s, is %s", c["kind"], c["size_before"], c["size_after"],
				c["price_before_last"], c["price_after_first"], got)
		}
		if counts[c["kind"]] == nil {
			counts[c["kind"]] = new([7]int)
		}
		counts[c["kind"]][slices.Index(outcomes, got)]++
		total++
	}
	table := renderCounts(counts)
	t.Logf("%d changes\n%s", total, table)
	want := inventedCounts
	if own {
		page, err := os.ReadFile("../docs/shrinkflation.md")
		if err != nil {
			t.Fatal(err)
		}
		want = string(page)
	}
	if !strings.Contains(want, table) {
		t.Errorf("the counts are other ones:\n%s", table)
	}
}

// outcomes are the columns of the table.
var outcomes = []string{
	"no size", "no event", "high ok", "medium ok", "low suspect_unit_mismatch", "low suspect_swap", "low suspect_tiny",
}

// inventedCounts is the table of testdata/pack_changes.csv.
const inventedCounts = `| data_entry | 0 | 1 | 0 | 0 | 0 | 1 | 0 |
| different_pack_listed | 1 | 1 | 0 | 0 | 0 | 2 | 0 |
| downsize | 0 | 0 | 3 | 1 | 0 | 0 | 1 |
| notation_change | 0 | 3 | 0 | 0 | 0 | 0 | 0 |
| product_id_reused | 0 | 1 | 0 | 0 | 1 | 0 | 0 |
| unit_switch | 0 | 2 | 0 | 0 | 0 | 0 | 0 |
`

// mustNotBeHigh reports whether a kind of change is surely no smaller pack.
func mustNotBeHigh(kind string) bool { return kind != "downsize" && kind != "ambiguous" }

// packChange is one row of the file, by column.
type packChange map[string]string

func readChanges(t *testing.T, name string) (changes []packChange) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] {
		c := packChange{}
		for i, column := range records[0] {
			c[column] = r[i]
		}
		changes = append(changes, c)
	}
	return changes
}

// outcome returns the grade for four weeks of the one listing and four of the
// other at one store. The size before the change is the product's standard size,
// and so the basis of all prices.
func (c packChange) outcome(t *testing.T) string {
	t.Helper()
	texts := [2]string{cmp.Or(c["size_before"], c["name_before"]), cmp.Or(c["size_after"], c["name_after"])}
	old, err := basket.ParseSize(texts[0])
	if err != nil {
		return "no size"
	}
	p := yogurt
	p.StandardSize, p.Unit = old.Quantity, old.Unit
	var rows []panel.Observation
	for i, text := range texts {
		size, err := basket.ParseSize(text)
		if err != nil {
			return "no size"
		}
		price, err := decimal.NewFromString(c[[2]string{"price_before_last", "price_after_first"}[i]])
		if err != nil {
			t.Fatal(err)
		}
		if q, ok := size.In(p.Unit); ok {
			price = price.Mul(decimal.NewFromFloat(p.StandardSize)).DivRound(decimal.NewFromFloat(q), 4)
		}
		for range 4 {
			rows = append(rows, row(int64(len(rows)+1), 1, 7*len(rows), text, price.String()))
		}
	}
	events := shrink.Detect(p, listing, rows)
	switch len(events) {
	case 0:
		return "no event"
	case 1:
		return grade(&events[0])
	}
	t.Fatalf("%q to %q gives %d events", texts[0], texts[1], len(events))
	return ""
}

func renderCounts(counts map[string]*[7]int) string {
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "| %s |", kind)
		for _, n := range counts[kind] {
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
