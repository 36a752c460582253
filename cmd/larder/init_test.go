package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel/sqlite"
)

// TestExampleBaskets judges titles of each country's shops by the basket that init writes. Of each a person said
// which item it is exactly. A change of words moves the counts.
func TestExampleBaskets(t *testing.T) {
	t.Parallel()
	for country, want := range map[string]string{
		"BG": "214 titles: 96 right, 1 wrong, 0 missed",
		"CA": "61 titles: 34 right, 0 wrong, 2 missed",
		"DE": "205 titles: 92 right, 0 wrong, 0 missed",
		"HR": "207 titles: 95 right, 1 wrong, 0 missed",
	} {
		dir := filepath.Join(t.TempDir(), "p")
		larder(t, "init", dir, "--country", country)
		larder(t, "import", dir, "--db", dir+".db", "--strict")
		p := must(sqlite.Load(t.Context(), dir+".db"))
		judge := p.Fits()
		exact := func(title string) (ids []int64) {
			for _, item := range p.Products() {
				if fit, _ := judge.Judge(item.ID, title); fit == basket.Exact {
					ids = append(ids, item.ID)
				}
			}
			return ids
		}
		for _, item := range p.Products() {
			if got := exact(item.Name); !slices.Equal(got, []int64{item.ID}) {
				t.Errorf("%s: %s is %v, not %d", country, item.Name, got, item.ID)
			}
		}
		text := must(os.ReadFile("testdata/titles/" + country + ".tsv"))
		var right, wrong, missed, titles int
		for line := range strings.Lines(string(text)) {
			id, title, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				continue
			}
			item, _ := strconv.ParseInt(id, 10, 64)
			titles++
			switch got := exact(title); {
			case slices.Equal(got, []int64{item}):
				right++
			case len(got) > 0:
				wrong++
				t.Logf("%s: %s is %v, not %d", country, title, got, item)
			case item != 0:
				missed++
				t.Logf("%s: %s is nothing, not %d", country, title, item)
			}
		}
		if got := fmt.Sprintf("%d titles: %d right, %d wrong, %d missed", titles, right, wrong, missed); got != want {
			t.Errorf("%s: %s, want %s", country, got, want)
		}
	}
}
