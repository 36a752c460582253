package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// cellRow is a row of a file of cells.
type cellRow struct {
	Listing int64   `parquet:"listing_id"`
	Store   int64   `parquet:"store_id"`
	Week    int32   `parquet:"week,date"`
	MeanLog float64 `parquet:"mean_log_price"`
	Prices  int32   `parquet:"prices"`
}

// cellRows makes the cells of a snapshot's rows, one sum after the other.
func cellRows(t *testing.T, db string) (cells []cellRow) {
	t.Helper()
	all, err := sqlite.LoadAll(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	type key struct{ week, listing, store int64 }
	logs := map[key][]float64{}
	for i := range all.Rows.Len() {
		o := all.Rows.At(i)
		if o.Verdict != panel.Pass {
			continue
		}
		day := o.ObservedAt.In(panel.Toronto)
		day = time.Date(day.Year(), day.Month(), day.Day()+(7-int(day.Weekday()))%7, 0, 0, 0, 0, time.UTC)
		k := key{day.Unix() / (24 * 60 * 60), o.Listing, o.Store}
		logs[k] = append(logs[k], math.Log(float64(o.Effective)/10_000))
	}
	for k, list := range logs {
		slices.Sort(list)
		sum := 0.0
		for _, log := range list {
			sum += log
		}
		cells = append(cells, cellRow{k.listing, k.store, int32(k.week), sum / float64(len(list)), int32(len(list))})
	}
	slices.SortFunc(cells, func(a, b cellRow) int {
		return slices.Compare([]int64{int64(a.Week), a.Listing, a.Store}, []int64{int64(b.Week), b.Listing, b.Store})
	})
	return cells
}

// importCells imports cells with the reference files of an exported folder.
func importCells(t *testing.T, folder, db string, cells []cellRow) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cells.parquet")
	if err := parquet.WriteFile(file, cells); err != nil {
		t.Fatal(err)
	}
	larder(t, "import", folder, "--db", db, "--cells", file)
}

// placesOf exports a snapshot without the files about single prices.
func placesOf(t *testing.T, db string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "places")
	larder(t, "export", folder, "--db", db)
	for _, name := range []string{"observations", "product_specs", "quarantine"} {
		if err := os.Remove(filepath.Join(folder, name+".csv")); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestCells compares a snapshot of cells with the snapshot of the rows that they were
// made of: what commands print and what servers answer is the same, byte for byte. What
// needs single prices is refused in the same words everywhere.
func TestCells(t *testing.T) {
	rows := demo(t, 1, demoWeeks)
	cells := filepath.Join(t.TempDir(), "cells.db")
	importCells(t, placesOf(t, rows), cells, cellRows(t, rows))
	// A snapshot of cells does not know of rows that the gate dropped.
	unfiltered := strings.NewReplacer(`"filtered"`, `"not_priced"`, " filtered", " not_priced")
	same := func(what, want, got string) {
		t.Helper()
		if want = unfiltered.Replace(want); want != got {
			t.Errorf("%s: -rows +cells\n%s", what, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
	}
	for _, command := range []string{
		"index --format csv", "index --format csv --include quality", "index --format json --include quality,contributions",
		"index --format csv --companion linked", "index --series v1", "index --trim 0 --floor 50 --format csv",
		"explain --date 2026-11-15", "explain --date 2026-10-04 --city Toronto --category dairy --format json",
		"coverage --format json --from 2026-10-01", "shrinkflation --format json",
	} {
		with := func(db string) string {
			return string(larder(t, append(strings.Fields(command), "--db", db, "--now", testNow)...))
		}
		same(command, with(rows), with(cells))
	}

	t.Setenv("TMPDIR", t.TempDir())
	served := func(db string) (base, key string) {
		w := &weekly{t: t, dir: t.TempDir()}
		key = "Bearer " + w.newKey(t)
		x := serve(t, "--db", db, "--state", filepath.Join(w.dir, "state.db"), "--now", testNow, "--public-per-minute", "1000000", "--shopper-per-minute", "1000000")
		return x.public, key
	}
	idOf := func(db string) string {
		info, err := sqlite.Check(db)
		if err != nil {
			t.Fatal(err)
		}
		return info.Hash[:16]
	}
	rowsBase, rowsKey := served(rows)
	cellsBase, cellsKey := served(cells)
	for _, path := range []string{
		"/api/v1/index?limit=10000", "/api/v1/index?include=quality,contributions&city=Toronto", "/api/public/index?include=quality",
		"/api/v1/index?level=national&view=since&since=2026-07-19", "/api/v1/companions/linked", "/api/v1/coverage", "/api/v1/products",
		"/api/v1/shrinkflation?confidence=low", "/why?s=national.overall&week=2026-11-15", "/figure.svg?s=national.overall", "/llms.txt",
	} {
		status, want := get(t, rowsBase+path, rowsKey)
		again, got := get(t, cellsBase+path, cellsKey)
		if status != http.StatusOK || again != status {
			t.Errorf("%s: %d of rows, %d of cells", path, status, again)
		}
		same(path, timeless(strings.NewReplacer(rowsBase, "", idOf(rows), "").Replace(want)), timeless(strings.NewReplacer(cellsBase, "", idOf(cells), "").Replace(got)))
	}
	status, release := get(t, cellsBase+"/api/v1/bulk/latest/SHA256SUMS", cellsKey)
	if status != http.StatusOK || strings.Contains(release, "prices") || strings.Count(release, "\n") != 7 {
		t.Errorf("sums: %d %s", status, release)
	}

	for _, path := range []string{
		"/api/v1/prices", "/api/v1/companions/regular", "/api/v1/bulk/latest/prices.parquet",
		"/api/shopper/catalog", "/api/shopper/compare?city=toronto&items=1x2",
	} {
		if status, body := get(t, cellsBase+path, cellsKey); status != http.StatusNotFound || !strings.Contains(body, panel.ErrCells.Error()) || !strings.Contains(body, `"not_found"`) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"catalog","arguments":{}}}`
	if body := posted(t, cellsBase+"/mcp", call); !strings.Contains(body, panel.ErrCells.Error()) {
		t.Errorf("/mcp: %s", body)
	}
	page := filepath.Join(t.TempDir(), "page.json")
	_, body := get(t, cellsBase+"/api/v1/prices", cellsKey)
	if err := os.WriteFile(page, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"export x", "compare --city toronto --items 1x2", "check --filtered", "check --spread", "index --companion regular", "plot --out x.svg --level national --companion regular", "mcp",
		"quarantine list", "quarantine add --banner gullhaven --reason wrong", "quarantine release 1 --reason right",
	} {
		if _, stderr, status := try(append(strings.Fields(command), "--db", cells)...); status != exitFailed || !strings.Contains(stderr, panel.ErrCells.Error()) {
			t.Errorf("larder %s: %d %s", command, status, stderr)
		}
	}
	if _, stderr, status := try("verify", "--date", "2026-11-15", "--prices", page, "--products", page); status != exitFailed || !strings.Contains(stderr, panel.ErrCells.Error()) {
		t.Errorf("larder verify: %d %s", status, stderr)
	}
	if report := string(larder(t, "check", "--db", cells, "--now", testNow)); !strings.Contains(report, panel.ErrCells.Error()) || !strings.Contains(report, "no warnings") {
		t.Errorf("larder check: %s", report)
	}
}

// posted sends a message to the tools and returns the answer.
func posted(t *testing.T, address, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestCellsReleased releases cells week by week. Cells that change are found, and named
// as changed rows, and the stop rules about prices hold.
func TestCellsReleased(t *testing.T) {
	rows := demo(t, 1, demoWeeks)
	folder, all := placesOf(t, rows), cellRows(t, rows)
	dir := t.TempDir()
	live, next, log := filepath.Join(dir, "live.db"), filepath.Join(dir, "next.db"), filepath.Join(dir, "releases.db")
	banner := map[int64]string{} // by listing
	loaded, err := sqlite.Load(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range loaded.Listings() {
		banner[l.ID] = l.Banner
	}
	day := func(week string) int32 {
		w, err := panel.ParseWeek(week)
		if err != nil {
			t.Fatal(err)
		}
		return int32(w)
	}
	// through returns the cells up to a week, each as change leaves it.
	through := func(week string, change func(c *cellRow)) []cellRow {
		var list []cellRow
		for _, c := range all {
			if c.Week <= day(week) {
				change(&c)
				list = append(list, c)
			}
		}
		return list
	}
	type answer struct {
		Status string
		Stops  []struct {
			Rule     string
			Evidence []string
			What     string `json:"what_to_do"`
		}
	}
	release := func(cells []cellRow, now string, more ...string) (a answer) {
		t.Helper()
		importCells(t, folder, next, cells)
		args := append([]string{"release", next, "--live", live, "--log", log, "--now", now, "--format", "json"}, more...)
		stdout, stderr, _ := try(args...)
		if err := json.Unmarshal([]byte(stdout), &a); err != nil {
			t.Fatalf("%v: %s %s", err, stdout, stderr)
		}
		return a
	}
	asIs := func(*cellRow) {}
	const first, last, atFirst, atLast = "2026-11-08", "2026-11-15", "2026-11-10T12:00:00Z", "2026-11-17T12:00:00Z"
	if a := release(through(first, asIs), atFirst); a.Status != "released" {
		t.Fatal(a)
	}
	wants := func(what, rule, evidence string, change func(c *cellRow)) {
		t.Helper()
		a := release(through(last, change), atLast)
		for _, stop := range a.Stops {
			if stop.Rule == rule && strings.HasPrefix(stop.Evidence[0], evidence) && strings.Contains(stop.What, "--cells FILE") {
				return
			}
		}
		t.Errorf("%s: %+v", what, a)
	}
	wants("in cents", "scale", "gullhaven, week 2026-11-15: the median of ", func(c *cellRow) {
		if c.Week == day(last) && banner[c.Listing] == "gullhaven" {
			c.MeanLog += math.Log(100)
		}
	})
	before := map[[2]int64]float64{}
	wants("a copy", "frozen", "gullhaven: all ", func(c *cellRow) {
		if banner[c.Listing] != "gullhaven" || c.Week < day("2026-11-01") {
			return
		}
		id := [2]int64{c.Listing, c.Store}
		if log, ok := before[id]; ok {
			c.MeanLog = log
		}
		before[id] = c.MeanLog
	})
	// One price of Toronto is another in a released week.
	var changed *cellRow
	cells := through(last, func(*cellRow) {})
	for i := range cells {
		if cells[i].Week == day("2026-10-04") && banner[cells[i].Listing] == "gullhaven" {
			changed = &cells[i]
			break
		}
	}
	changed.MeanLog += 0.05
	importCells(t, folder, next, cells)
	diff := larder(t, "diff", live, next, "--format", "csv", "--now", atLast)
	causes := map[string]int{}
	for line := range bytes.Lines(diff) {
		if date := string(line[:min(10, len(line))]); date < last && date > "2026" {
			causes[strings.Split(string(line), ",")[4]]++
		}
	}
	if len(causes) != 1 || causes["rows"] == 0 {
		t.Errorf("causes: %v\n%s", causes, diff)
	}
	if a := release(cells, atLast); a.Status != "released" {
		t.Error(a)
	}
	want := larder(t, "index", "--db", live, "--format", "csv", "--now", atLast)
	if got := larder(t, "index", "--log", log, "--format", "csv"); !bytes.Equal(want, got) {
		t.Error("the released index is another")
	}
}
