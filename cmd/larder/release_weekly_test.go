package main

import (
	"encoding/csv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// weekly is a synthetic panel that is released week by week.
type weekly struct {
	t         *testing.T
	dir       string
	next      string
	columns   []string              // of observations.csv
	rows      map[string][][]string // of observations.csv, by the week of delivery
	weeks     []string              // closed by testNow
	log, live string
}

// newWeekly makes the rows of some weeks. One row of so many arrives a week late; 0: none.
func newWeekly(t *testing.T, weeks, late int) *weekly {
	t.Helper()
	w := &weekly{t: t, rows: map[string][][]string{}}
	w.in(t.TempDir())
	full := filepath.Join(w.dir, "full.db")
	larder(t, "demo", "--db", full, "--through", testNow[:10], "--weeks", strconv.Itoa(weeks), "--stores", "14")
	larder(t, "export", filepath.Join(w.dir, "panel"), "--db", full)
	for _, name := range []string{"quarantine.csv", "shrink_events.csv"} { // import finds them anew
		if err := os.RemoveAll(w.file(name)); err != nil {
			t.Fatal(err)
		}
	}
	lines := readCSV(t, w.file("observations.csv"))
	w.columns = lines[0]
	for _, line := range lines[1:] {
		at, err := time.Parse(time.RFC3339, line[w.column("observed_at")])
		if err != nil {
			t.Fatal(err)
		}
		id, err := strconv.Atoi(line[0])
		if err != nil {
			t.Fatal(err)
		}
		week := panel.WeekOf(at)
		if late > 0 && id%late == 0 {
			week = week.Add(1)
		}
		w.rows[week.String()] = append(w.rows[week.String()], line)
	}
	w.weeks = slices.Sorted(maps.Keys(w.rows))
	closed, _ := slices.BinarySearch(w.weeks, "2026-11-22") // the week of testNow is open
	w.weeks = w.weeks[closed-weeks : closed]
	return w
}

// in has the panel in a folder from now on.
func (w *weekly) in(dir string) {
	w.dir, w.next = dir, filepath.Join(dir, "next.db")
	w.log, w.live = filepath.Join(dir, "releases.db"), filepath.Join(dir, "live.db")
}

// copy returns the panel and its releases in another folder.
func (w *weekly) copy(t *testing.T) *weekly {
	t.Helper()
	x := *w
	x.t = t
	x.in(t.TempDir())
	if err := os.CopyFS(x.dir, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	return &x
}

func (w *weekly) file(name string) string { return filepath.Join(w.dir, "panel", name) }

func (w *weekly) column(name string) int { return slices.Index(w.columns, name) }

// deliver imports rows of observations into the next snapshot.
func (w *weekly) deliver(rows [][]string, flags ...string) {
	w.t.Helper()
	writeCSV(w.t, w.file("observations.csv"), append([][]string{w.columns}, rows...))
	larder(w.t, append([]string{"import", filepath.Join(w.dir, "panel"), "--db", w.next}, flags...)...)
}

// set changes a cell of another file of the panel.
func (w *weekly) set(file string, row int, column string, change func(string) string) {
	w.t.Helper()
	rows := readCSV(w.t, w.file(file))
	cell := &rows[row][slices.Index(rows[0], column)]
	*cell = change(*cell)
	writeCSV(w.t, w.file(file), rows)
}

// priced returns a copy of a row with its prices changed. It has the id "".
func (w *weekly) priced(row []string, change func(panel.Price) panel.Price) []string {
	row = slices.Clone(row)
	row[0] = ""
	for _, name := range []string{"regular_price", "sale_price", "effective_price"} {
		cell := &row[w.column(name)]
		if *cell == "" {
			continue
		}
		price, err := panel.ParsePrice(*cell)
		if err != nil {
			w.t.Fatal(err)
		}
		*cell = change(price).String()
	}
	return row
}

// settings imports settings beside those that are there.
func (w *weekly) settings(list ...[]string) {
	w.t.Helper()
	path := w.file("settings.csv")
	rows := slices.DeleteFunc(readCSV(w.t, path), func(row []string) bool {
		return slices.ContainsFunc(list, func(x []string) bool { return x[0] == row[0] })
	})
	writeCSV(w.t, path, append(rows, list...))
	w.deliver(nil)
}

// storesOf returns the ids of the stores of a banner or city.
func (w *weekly) storesOf(place string) (ids []string) {
	for _, row := range readCSV(w.t, w.file("stores.csv")) {
		if row[1] == place || row[2] == place {
			ids = append(ids, row[0])
		}
	}
	return ids
}

// at reports whether a row is of one of the stores; all rows are without stores.
func (w *weekly) at(row []string, stores []string) bool {
	return len(stores) == 0 || slices.Contains(stores, row[w.column("store_id")])
}

// times returns rows with the prices of some stores multiplied by n/d.
func (w *weekly) times(rows [][]string, n, d panel.Price, stores ...string) (all [][]string) {
	for _, row := range rows {
		if w.at(row, stores) {
			id := row[0]
			row = w.priced(row, func(p panel.Price) panel.Price { return p * n / d })
			row[0] = id
		}
		all = append(all, row)
	}
	return all
}

// without returns rows but for those of some stores.
func (w *weekly) without(rows [][]string, stores []string) [][]string {
	return slices.DeleteFunc(slices.Clone(rows), func(row []string) bool { return w.at(row, stores) })
}

// again returns the rows of some stores in the week before, as if collected days later.
func (w *weekly) again(rows [][]string, days int, stores []string) (all [][]string) {
	for _, row := range rows {
		if !w.at(row, stores) {
			continue
		}
		row = w.priced(row, func(p panel.Price) panel.Price { return p })
		at := &row[w.column("observed_at")]
		day, err := panel.ParseDate((*at)[:10])
		if err != nil {
			w.t.Fatal(err)
		}
		*at = (day + panel.Date(days)).String() + (*at)[10:]
		all = append(all, row)
	}
	return all
}

// after returns the Monday on which a week is released: half past noon UTC.
func (w *weekly) after(week string) string {
	last, err := panel.ParseWeek(week)
	if err != nil {
		w.t.Fatal(err)
	}
	return (last.Date() + 1).Time(time.UTC).Add(12*time.Hour + 30*time.Minute).Format(time.RFC3339)
}

// release returns the command that releases the next snapshot. It accepts each rule for the
// reason "planted RULE".
func (w *weekly) release(now string, accepted ...release.Rule) []string {
	args := []string{"release", w.next, "--live", w.live, "--log", w.log, "--now", now}
	for _, rule := range accepted {
		args = append(args, "--accept", string(rule)+"=planted "+string(rule))
	}
	return args
}

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func writeCSV(t *testing.T, path string, rows [][]string) {
	t.Helper()
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
