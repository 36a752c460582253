package find_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare/find"
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
// code. 98% are answered as it says, and nothing is chosen that it forbids. A catalog of
// names alone answers alike. One that lacks most items chooses nothing wrong either.
func TestSearchTable(t *testing.T) {
	t.Parallel()
	full, bare, few := basket.Canada(), basket.Canada(), basket.Canada()
	for i := range bare.Products {
		bare.Products[i].NameFr, bare.Products[i].Aliases = "", nil
	}
	few.Products = slices.DeleteFunc(slices.Clone(bare.Products), func(p basket.Product) bool {
		return !slices.Contains([]int{1, 2, 7, 9, 10, 18, 19, 20, 23, 24, 25, 26, 28, 30, 31, 33, 34, 39, 41, 45}, p.ID)
	})
	for _, c := range []struct {
		name     string
		products []basket.Product
		asWished float64 // of the rows
		chosen   float64 // of the rows that want one of its items chosen
	}{
		{"the published basket", full.Products, 0.98, 1},
		{"names alone", bare.Products, 0.98, 1},
		{"few items, names alone", few.Products, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			pr := find.New(c.products, nil, true)
			rows := table(t, "search.tsv", 7)
			wrong, sure, wanted := 0, 0, 0
			for _, row := range rows {
				query, err := strconv.Unquote(`"` + strings.ReplaceAll(row[0], `"`, `\"`) + `"`)
				if err != nil {
					t.Fatal(err)
				}
				f := pr.Find(query)
				if id := idsIn(row[3]); len(id) == 1 && slices.ContainsFunc(c.products, func(p basket.Product) bool { return p.ID == id[0] }) {
					wanted++
					if f.Status == find.One {
						sure++
					} else {
						t.Logf("%q: wanted %s, and asks %q", query, row[3], f.Ask)
					}
				}
				if !asWanted(t, &f, row) {
					wrong++
					t.Logf("%q: %+v; wanted %q", query, f, row[1:])
				}
			}
			if float64(wrong) > (1-c.asWished)*float64(len(rows)) {
				t.Errorf("%d of %d rows are not as expected", wrong, len(rows))
			}
			if float64(sure) < c.chosen*float64(wanted) || wanted == 0 {
				t.Errorf("an item is chosen for %d of %d rows that want one of its items chosen", sure, wanted)
			}
		})
	}
}

// asWanted reports whether a find is as its row says. It fails the test if the find
// chooses what the row forbids.
func asWanted(t *testing.T, f *find.Found, row []string) bool {
	first, offered, chosen, never, qty := row[1], row[2], row[3], row[4], row[5]
	ids := []int{}
	for _, m := range f.Matches {
		ids = append(ids, m.ID)
	}
	got := ""
	if f.Status == find.One {
		got = strconv.Itoa(ids[0])
	}
	if got != "" && got != chosen && (chosen != "" || never == "*" || got != first) || slices.Contains(strings.Split(never, ","), got) && got != "" {
		t.Errorf("%q chooses %s: %s", f.Text, got, row)
	}
	good := (chosen == "" || got == chosen) && (first == "" || len(ids) > 0 && strconv.Itoa(ids[0]) == first) &&
		(offered != "none" || len(ids) == 0) && !slices.ContainsFunc(idsIn(offered), func(id int) bool { return !slices.Contains(ids, id) })
	set, fault := "", ""
	if len(f.Matches) > 0 && f.Status != find.NotCompared {
		if q := f.Matches[0].Qty; q != nil {
			set = q.String()
		}
		fault = f.Matches[0].Fault
	}
	if set == "" && fault != "" {
		set = "-"
	}
	return good && (slices.Contains(strings.Split(qty, "|"), set) || f.Status == find.NotCompared)
}
