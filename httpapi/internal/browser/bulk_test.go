package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons/release/folder"
)

// TestParquetReaders has hyparquet read one column of the prices by ranges and DuckDB read the
// file. The rows, types and sums are those of the pages.
func TestParquetReaders(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("../../../testdata/engines/node_modules/@duckdb/node-api"); err != nil {
		t.Skip(err, "(make engines)")
	}
	dir := t.TempDir()
	f, x := apitest.ServeReleases(t, apitest.Ample, func(c *httpapi.Config) { c.Publish = dir })
	f.Clock.Set(apitest.Now)
	_, demo := apitest.Demo()
	x.Publish(t, f, demo, "")
	f.Look(false)
	if _, err := folder.Publish(t.Context(), dir, x.Live, x.Log); err != nil {
		t.Fatal(err)
	}
	_, query, _ := strings.Cut(string(apitest.Read("../../../docs/folder.md")), "```sql\n")
	query, _, _ = strings.Cut(query, "```")
	run := exec.CommandContext(t.Context(), "node", "bulk.mjs", f.HTTP.URL, "r1", f.Key(state.Enterprise), t.TempDir(), query)
	run.Dir = "../../../testdata/engines"
	out, err := run.Output()
	if err != nil {
		if failed, ok := err.(*exec.ExitError); ok {
			t.Fatalf("%v\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	var got struct {
		Share                                 float64
		Groups, Quarters, Rows, Pages, Column int
		Differences                           [][]any
		Types                                 map[string]string
		Sum, SumInDuckDB, SumOfColumn         string
		Categories                            int // that the query of docs/folder.md finds
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got.Categories != 9 {
		t.Errorf("the query of docs/folder.md finds %d categories", got.Categories)
	}
	if got.Share <= 0 || got.Share >= 0.2 {
		t.Errorf("one column moves %.3f of the bytes", got.Share)
	}
	if got.Rows < 100_000 || got.Rows != got.Pages || got.Rows != got.Column || got.Groups != got.Quarters || len(got.Differences) > 0 {
		t.Errorf("%d rows in DuckDB, %d in hyparquet, %d on the pages; %d row groups of %d quarters; differences: %v",
			got.Rows, got.Column, got.Pages, got.Groups, got.Quarters, got.Differences)
	}
	if got.Sum == "0" || got.Sum != got.SumInDuckDB || got.Sum != got.SumOfColumn {
		t.Errorf("the prices add up to %s on the pages, %s in DuckDB, %s in hyparquet", got.Sum, got.SumInDuckDB, got.SumOfColumn)
	}
	const price, moment = "DECIMAL(18,4)", "TIMESTAMP WITH TIME ZONE"
	for name, want := range map[string]string{
		"id": "BIGINT", "regular_price": price, "sale_price": price, "effective_price": price, "unit_price": "DOUBLE",
		"in_stock": "BOOLEAN", "scraped_name": "VARCHAR", "observed_at": moment, "basket_weight": "DOUBLE", "week": "DATE",
	} {
		if diff := cmp.Diff(want, got.Types[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
