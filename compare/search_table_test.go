package compare_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
)

// table reads a table of expectations, whose columns its first lines describe.
func table(t *testing.T, file string, columns int) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) != columns {
			t.Fatalf("%s: %d columns in %q", file, len(row), line)
		}
		rows = append(rows, row)
	}
	return rows[1:]
}

func idsIn(text string) (ids []int) {
	for part := range strings.SplitSeq(text, ",") {
		if id, err := strconv.Atoi(part); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// TestSearchTable looks up the texts of a table that was made without knowledge of the
// code. 98% are answered as it says, and nothing is chosen that it forbids.
func TestSearchTable(t *testing.T) {
	t.Parallel()
	pr := newMarket(t).projection()
	rows := table(t, "search.tsv", 7)
	wrong := 0
	for _, row := range rows {
		query, err := strconv.Unquote(`"` + strings.ReplaceAll(row[0], `"`, `\"`) + `"`)
		if err != nil {
			t.Fatal(err)
		}
		first, offered, chosen, never, qty := row[1], row[2], row[3], row[4], row[5]
		f := pr.Find(query)
		ids := []int{}
		for _, m := range f.Matches {
			ids = append(ids, m.ID)
		}
		got := ""
		if f.Status == compare.FoundOne {
			got = strconv.Itoa(ids[0])
		}
		if got != "" && got != chosen && (chosen != "" || never == "*" || got != first) || slices.Contains(strings.Split(never, ","), got) && got != "" {
			t.Errorf("%q chooses %s: %s", query, got, row)
		}
		good := (chosen == "" || got == chosen) && (first == "" || len(ids) > 0 && strconv.Itoa(ids[0]) == first) &&
			(offered != "none" || len(ids) == 0) && !slices.ContainsFunc(idsIn(offered), func(id int) bool { return !slices.Contains(ids, id) })
		set, fault := "", ""
		if len(f.Matches) > 0 && f.Status != compare.NotCompared {
			if q := f.Matches[0].Qty; q != nil {
				set = q.String()
			}
			fault = f.Matches[0].Fault
		}
		if set == "" && fault != "" {
			set = "-"
		}
		if !good || !slices.Contains(strings.Split(qty, "|"), set) && f.Status != compare.NotCompared {
			wrong++
			t.Logf("%q: %s %v, quantity %q; wanted %q", query, f.Status, ids, set, row[1:])
		}
	}
	if t.Logf("%d of %d rows are not as expected", wrong, len(rows)); wrong*50 > len(rows) {
		t.Errorf("%d of %d rows are not as expected", wrong, len(rows))
	}
}
