package sqlite

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/cellfile"
)

// cellRow is a row of a file of cells. Its numbers may be missing.
type cellRow struct {
	Listing *int64   `parquet:"listing_id,optional"`
	Store   *int32   `parquet:"store_id,optional"`
	Week    *int32   `parquet:"week,date,optional"`
	MeanLog *float64 `parquet:"mean_log_price,optional"`
	Prices  *int64   `parquet:"prices,optional"`
	Dropped *int32   `parquet:"filtered,optional"`
}

// week1 is 2026-07-19.
var week1 = int32(panel.DefaultBaseWeek)

func cellOf(listing int64, store, week int32, mean float64) cellRow {
	one, none := int64(1), int32(0)
	return cellRow{&listing, &store, &week, &mean, &one, &none}
}

// soundCells are cells of the sound folder: of an active series, of a banner outside the
// index, and of a retired listing at a closed store.
var soundCells = []cellRow{
	cellOf(1, 1, week1, math.Log(3.49)), cellOf(2, 2, week1, math.Log(4.40)), cellOf(1, 1, week1+7, math.Log(3.59)), cellOf(3, 3, week1+7, 1),
}

var places = sound.with(files{"observations.csv": "-", "product_specs.csv": "-", "quarantine.csv": "-"})

// cellFile writes a file of cells.
func cellFile[T any](t *testing.T, cells []T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cells.parquet")
	if err := parquet.WriteFile(path, cells); err != nil {
		t.Fatal(err)
	}
	return path
}

func importCells(t *testing.T, f files, db, cells string) (Summary, error) {
	t.Helper()
	return Import(context.Background(), f.write(t), db, ImportOptions{Cells: cells})
}

func TestImportCells(t *testing.T) {
	db := filepath.Join(t.TempDir(), "panel.db")
	step := func(cells []cellRow, want string, restates ...string) {
		t.Helper()
		s, err := importCells(t, places, db, cellFile(t, cells))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.String(), want) || !cmp.Equal(s.Restates, restates) {
			t.Errorf("got %s, restating %q; want %s, %q", s, s.Restates, want, restates)
		}
	}
	step(soundCells, "; cells 4 added; shrink_events 1 added; index_v1 3 added")
	first := content(t, db)
	step(soundCells, "nothing changed: all 21 rows are there already")
	if content(t, db) != first {
		t.Error("the file was touched")
	}
	p, err := Load(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	if want := (panel.Counts{Observations: 4, InactiveStore: 1, OutsideIndex: 1, Used: 2}); p.Counts() != want || !p.OfCells() {
		t.Errorf("counts: %+v, want %+v", p.Counts(), want)
	}
	if got := [][]float64{p.LogPrices(0), p.LogPrices(1)}; len(p.Series()) != 1 || got[0][0] != math.Log(3.49) || got[1][0] != math.Log(3.59) {
		t.Errorf("%d series: %v", len(p.Series()), got)
	}
	info, err := Check(db)
	if err != nil || info.SchemaVersion != CellsVersion || info.Rows[len(info.Rows)-1] != (TableRows{"cells", 4}) {
		t.Errorf("%+v %v", info, err)
	}

	another := append(soundCells[:3:3], cellOf(3, 3, week1+7, 2), cellOf(1, 1, week1+14, 1))
	step(another, "cells 1 added, 2 updated; 19 rows unchanged", "cells of the week 2026-07-26")
	step(soundCells[:2], "cells 3 updated; 19 rows unchanged", "2 weeks are gone from the cells")
	step(soundCells, "cells 2 added; 19 rows unchanged")
	if _, err := Import(context.Background(), sound.write(t), db, ImportOptions{}); !errors.Is(err, panel.ErrCells) {
		t.Errorf("rows into cells: %v", err)
	}
	if _, err := importCells(t, places, imported(t, sound), cellFile(t, soundCells)); err == nil || !strings.Contains(err.Error(), "it has single prices") {
		t.Errorf("cells into rows: %v", err)
	}
}

// TestManyCells imports weeks with more cells than a part has.
func TestManyCells(t *testing.T) {
	const stores = 2*cellsPerPart + 5
	f := places
	var cells []cellRow
	rows := strings.Builder{}
	for id := int32(10); id < 10+stores; id++ {
		rows.WriteString(strings.ReplaceAll("ID,shop,here,1,1\n", "ID", panel.FixedOf(int64(id)*10_000).String()))
		cells = append(cells, cellOf(1, id, week1, float64(id)/1e5))
	}
	f = f.add("stores.csv", strings.ReplaceAll(rows.String(), ".0000", ""))
	db := filepath.Join(t.TempDir(), "panel.db")
	for _, n := range []int{stores, cellsPerPart, cellsPerPart + 1, 1, 2 * cellsPerPart} {
		if _, err := importCells(t, f, db, cellFile(t, cells[:n])); err != nil {
			t.Fatal(err)
		}
		p, err := Load(context.Background(), db)
		if err != nil || len(p.Series()) != n {
			t.Fatalf("%d cells: %v", n, err)
		}
		for i, log := range p.LogPrices(0) {
			if log != float64(i+10)/1e5 {
				t.Fatalf("%d cells: series %d has %v", n, i, log)
			}
		}
	}
}

func TestBadCells(t *testing.T) {
	db := filepath.Join(t.TempDir(), "panel.db")
	wants := func(path string, f files, want ...string) {
		t.Helper()
		_, err := importCells(t, f, db, path)
		for _, text := range want {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v, want %s", err, text)
			}
		}
		if _, err := os.Stat(db); err == nil {
			t.Fatalf("a snapshot was made: %s", want)
		}
	}
	good := soundCells[0]
	change := func(edit func(c *cellRow)) cellRow {
		c := good
		edit(&c)
		return c
	}
	number, small, float := func(v int64) *int64 { return &v }, func(v int32) *int32 { return &v }, func(v float64) *float64 { return &v }
	for want, bad := range map[string]cellRow{
		"listing_id: no retailer product 9 in retailer_products.csv or in the snapshot":          change(func(c *cellRow) { c.Listing = number(9) }),
		"store_id: no store 9 in stores.csv or in the snapshot":                                  change(func(c *cellRow) { c.Store = small(9) }),
		`listing_id: retailer product 1 is of the banner "shop", store 2 of "mart"`:              change(func(c *cellRow) { c.Store = small(2) }),
		"listing_id: 0 is not above 0":                                                           change(func(c *cellRow) { c.Listing = number(0) }),
		"store_id: -1 is not above 0":                                                            change(func(c *cellRow) { c.Store = small(-1) }),
		"week: 2026-07-20 is no Sunday":                                                          change(func(c *cellRow) { c.Week = small(week1 + 1) }),
		"week: 2200-01-06 is not from 1970-01-02 to 2199-12-31":                                  change(func(c *cellRow) { c.Week = small(84011) }),
		"mean_log_price: NaN is not the natural logarithm of a price from 0.0001 to 10000000.00": change(func(c *cellRow) { c.MeanLog = float(math.NaN()) }),
		"mean_log_price: +Inf is not":                                                            change(func(c *cellRow) { c.MeanLog = float(math.Inf(1)) }),
		"mean_log_price: 349 is not":                                                             change(func(c *cellRow) { c.MeanLog = float(349) }),
		"mean_log_price: -9.3 is not":                                                            change(func(c *cellRow) { c.MeanLog = float(-9.3) }),
		"prices: 0 is not above 0":                                                               change(func(c *cellRow) { c.Prices = number(0) }),
		"filtered: -1 is below 0":                                                                change(func(c *cellRow) { c.Dropped = small(-1) }),
		"mean_log_price: it is null":                                                             change(func(c *cellRow) { c.MeanLog = nil }),
		"week: it is null":                                                                       change(func(c *cellRow) { c.Week = nil }),
		"there is a cell of listing 1 at store 1 in the week 2026-07-19 before; keep one":        good,
		"it is out of order; sort the rows by week, listing_id and store_id":                     cellOf(1, 1, week1-7, 1),
	} {
		wants(cellFile(t, []cellRow{good, bad}), places, "cells.parquet, row 2: "+want)
	}
	type other struct {
		Listing string  `parquet:"listing_id"`
		Store   int64   `parquet:"store_id"`
		Week    int32   `parquet:"week"`
		MeanLog float32 `parquet:"mean_log_price"`
		Extra   []int64 `parquet:"prices"`
		Name    string  `parquet:"name"`
	}
	wants(cellFile(t, []other{{}}), places, "column listing_id is STRING, not INT64 or INT32", "column week is INT(32,true), not DATE",
		"column mean_log_price is FLOAT, not DOUBLE", "column prices is nested, not INT32 or INT64", "column name is unknown")
	type fewer struct {
		Store int64 `parquet:"store_id"`
	}
	wants(cellFile(t, []fewer{{1}}), places, "column listing_id (INT64 or INT32) is missing", "column prices (INT32 or INT64) is missing", "column week (DATE) is missing")
	wants(cellFile(t, []cellRow{}), places, "cells.parquet has no rows")
	wants(filepath.Join(t.TempDir(), "none.parquet"), places, "no file")
	whole := []byte(content(t, cellFile(t, soundCells)))
	for _, damaged := range [][]byte{nil, whole[:len(whole)/2], []byte("listing_id,store_id\n1,1\n")} {
		path := filepath.Join(t.TempDir(), "cells.parquet")
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		wants(path, places, "cells.parquet can't be read as Parquet")
	}
	wants(cellFile(t, soundCells), sound, "observations.csv: it is about single prices", "product_specs.csv: it is", "quarantine.csv: it is")
	wants(cellFile(t, soundCells), places.with(files{"stores.csv": "-"}), "stores.csv: the file is missing")
}

// TestFlippedCells flips bits of a file of cells. Each file is read or refused, without a panic.
func TestFlippedCells(t *testing.T) {
	whole := []byte(content(t, cellFile(t, soundCells)))
	path := filepath.Join(t.TempDir(), "cells.parquet")
	for at := 0; at < len(whole); at += 7 {
		damaged := append([]byte{}, whole...)
		damaged[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if file, err := cellfile.Open(path); err == nil {
			_ = file.Each(func(int64, *panel.WeekCell) error { return nil })
			file.Close()
		}
	}
}
