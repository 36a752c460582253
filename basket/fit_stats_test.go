package basket_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
)

var update = flag.Bool("update", false, "write testdata/fit_stats.txt anew")

// TestFitStats judges titles that a person has judged, and counts them by item. A diff of the file
// shows what a change of words costs. At most eight wrong titles may be exact.
func TestFitStats(t *testing.T) {
	const file = "testdata/fit_stats.txt"
	text, err := os.ReadFile("testdata/titles.tsv")
	if err != nil {
		t.Fatal(err)
	}
	products := basket.Canada().Products
	f := basket.NewFitter(products, nil, true)
	judged := map[int64][]string{}               // lines by item
	counts := map[int64]map[string][3]int{0: {}} // by item, then by what a person says: titles by fit; 0: all items
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		item, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		said, title, ok := strings.Cut(rest, "\t")
		id, err := strconv.ParseInt(item, 10, 64)
		if err != nil || !ok || !strings.Contains("right variant wrong", said) {
			t.Fatalf("titles.tsv: %q", line)
		}
		fit, words := f.Judge(id, title)
		judged[id] = append(judged[id], strings.TrimRight(fmt.Sprintf("  %-8s%-9s%s  %s", said, fit, title, strings.Join(words, ", ")), " "))
		if counts[id] == nil {
			counts[id] = map[string][3]int{}
		}
		for _, id := range []int64{0, id} {
			n := counts[id][said]
			n[fit]++
			counts[id][said] = n
		}
	}
	var b strings.Builder
	section := func(id int64, name string) {
		fmt.Fprintf(&b, "%s\n", name)
		for _, said := range []string{"right", "variant", "wrong"} {
			n := counts[id][said]
			fmt.Fprintf(&b, "  %-8s%3d: %d exact, %d variant, %d doubtful\n", said, n[0]+n[1]+n[2], n[0], n[1], n[2])
		}
	}
	section(0, "All items")
	for _, p := range products {
		fmt.Fprintln(&b)
		section(p.ID, fmt.Sprint(p.ID, " ", p.Name))
		fmt.Fprint(&b, strings.Join(judged[p.ID], "\n"), "\n")
	}
	if n := counts[0]["wrong"][basket.Exact]; n > 8 {
		t.Errorf("%d wrong titles are exact", n)
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := os.ReadFile(file)
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("%s differs; go test ./basket -run FitStats -update writes it anew:\n%s", file, d)
	}
}
