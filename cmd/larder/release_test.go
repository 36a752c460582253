package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// weekly is a synthetic panel that is released week by week.
type weekly struct {
	t         *testing.T
	dir       string
	next      string
	head      string              // of observations.csv
	rows      map[string][]string // lines of observations.csv by the week of delivery
	weeks     []string
	log, live string
}

// newWeekly makes the rows of 33 weeks. One row in fifty arrives a week late.
func newWeekly(t *testing.T) *weekly {
	dir := t.TempDir()
	w := &weekly{t: t, dir: dir, next: filepath.Join(dir, "next.db"), log: filepath.Join(dir, "releases.db"), live: filepath.Join(dir, "live.db"), rows: map[string][]string{}}
	full := filepath.Join(dir, "full.db")
	larder(t, "demo", "--db", full, "--through", testNow[:10], "--weeks", "33", "--stores", "14")
	larder(t, "export", filepath.Join(dir, "panel"), "--db", full)
	for _, name := range []string{"quarantine.csv", "shrink_events.csv"} { // import finds them anew
		if err := os.RemoveAll(filepath.Join(dir, "panel", name)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "panel", "observations.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	w.head = lines[0]
	columns := strings.Split(strings.TrimSpace(w.head), ",")
	for _, line := range lines[1 : len(lines)-1] {
		cells, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, cells[slices.Index(columns, "observed_at")])
		if err != nil {
			t.Fatal(err)
		}
		id, err := strconv.Atoi(cells[0])
		if err != nil {
			t.Fatal(err)
		}
		week := panel.WeekOf(at)
		if id%50 == 0 {
			week = week.Add(1)
		}
		w.rows[week.String()] = append(w.rows[week.String()], line)
	}
	for week := range w.rows {
		w.weeks = append(w.weeks, week)
	}
	slices.Sort(w.weeks)
	closed, _ := slices.BinarySearch(w.weeks, "2026-11-22") // the week of testNow is open
	w.weeks = w.weeks[closed-33 : closed]
	return w
}

// deliver imports lines of observations into the next snapshot.
func (w *weekly) deliver(lines []string, flags ...string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, "panel", "observations.csv"), []byte(w.head+strings.Join(lines, "")), 0o600); err != nil {
		w.t.Fatal(err)
	}
	larder(w.t, append([]string{"import", filepath.Join(w.dir, "panel"), "--db", w.next}, flags...)...)
}

// doubleWeight doubles the basket weight of the first product.
func (w *weekly) doubleWeight() {
	path := filepath.Join(w.dir, "panel", "products.csv")
	text, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		w.t.Fatal(err)
	}
	weight := &rows[1][slices.Index(rows[0], "basket_weight")]
	v, err := strconv.ParseFloat(*weight, 64)
	if err != nil {
		w.t.Fatal(err)
	}
	*weight = strconv.FormatFloat(2*v, 'g', -1, 64)
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// dearer returns a line of observations with its effective price 1 dollar up.
func (w *weekly) dearer(line string) string {
	columns := strings.Split(strings.TrimSpace(w.head), ",")
	cells, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil {
		w.t.Fatal(err)
	}
	price, err := panel.ParsePrice(cells[slices.Index(columns, "effective_price")])
	if err != nil {
		w.t.Fatal(err)
	}
	cells[0], cells[slices.Index(columns, "effective_price")] = "", (price + 10_000).String()
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	out.Write(cells)
	out.Flush()
	return b.String()
}

// Thirty releases, with late rows, corrections, a changed weight, and a listing that is set
// aside and let go: what the index printed at each release is what --as-of prints at the end,
// byte for byte, and what each release changed turns one index into the next.
func TestThirtyReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thirty releases")
	}
	t.Parallel()
	w := newWeekly(t)
	var saved [][2][]byte // series v2 and v1
	var instants []string
	index := func(series string, flags ...string) []byte {
		return larder(t, append([]string{"index", "--series", series, "--format", "json"}, flags...)...)
	}
	release := []string{"release", w.next, "--live", w.live, "--log", w.log}
	for _, rule := range stopRules() {
		release = append(release, "--accept", rule+"=planted")
	}
	for i, week := range w.weeks {
		w.deliver(w.rows[week])
		if i < 3 {
			continue
		}
		switch i {
		case 10:
			w.deliver([]string{w.dearer(w.rows[w.weeks[9]][3]), w.dearer(w.rows[w.weeks[0]][5])}, "--correct", "read from the wrong shelf")
		case 15:
			w.doubleWeight()
			w.deliver(w.rows[week])
		case 20:
			larder(t, "quarantine", "add", "--db", w.next, "--listing", "1", "--reason", "a test")
		case 24:
			entry := operatorEntry(t, w.next)
			larder(t, "quarantine", "release", entry, "--db", w.next, "--reason", "the test is over")
		}
		closed, err := panel.ParseWeek(week)
		if err != nil {
			t.Fatal(err)
		}
		now := closed.Add(1).Date().Time(time.UTC).AddDate(0, 0, -6).Add(12*time.Hour + 30*time.Minute).Format(time.RFC3339)
		larder(t, append(release, "--now", now)...)
		saved = append(saved, [2][]byte{index("v2", "--db", w.live, "--now", now), index("v1", "--db", w.live, "--now", now)})
		instants = append(instants, now)
	}
	if len(saved) != 30 {
		t.Fatalf("%d releases", len(saved))
	}
	var before map[string]json.RawMessage
	causes := map[string]int{}
	for i, want := range saved {
		id := fmt.Sprintf("r%d", i+1)
		for k, series := range []string{"v2", "v1"} {
			for _, asOf := range []string{id, instants[i]} {
				if got := index(series, "--log", w.log, "--as-of", asOf); !bytes.Equal(got, want[k]) {
					t.Errorf("as of %s series %s is not what it was: %s", asOf, series, cmp.Diff(string(want[k]), string(got)))
				}
			}
		}
		after := revise(t, before, larder(t, "releases", "show", id, "--log", w.log, "--format", "json"), causes)
		if diff := cmp.Diff(rowsByCell(t, want[0]), after); diff != "" {
			t.Errorf("the revisions of %s do not lead to its index: %s", id, diff)
		}
		before = after
	}
	for _, cause := range []string{"new_week", "rows", "quarantine", "reference"} {
		if causes[cause] == 0 {
			t.Errorf("no change has the cause %s: %v", cause, causes)
		}
	}
	larder(t, "releases", "verify", "--log", w.log)
}

func stopRules() (names []string) {
	for _, r := range release.Rules() {
		names = append(names, string(r))
	}
	return names
}

// operatorEntry returns the id of the operator's entry.
func operatorEntry(t *testing.T, db string) string {
	t.Helper()
	var entries []struct {
		ID   int64  `json:"id"`
		Rule string `json:"rule"`
	}
	if err := json.Unmarshal(larder(t, "quarantine", "list", "--db", db, "--format", "json"), &entries); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Rule == "listed" {
			return strconv.FormatInt(e.ID, 10)
		}
	}
	t.Fatal("no entry")
	return ""
}

// figuresKey names the cell and week of a row, by its members.
func figuresKey(t *testing.T, row map[string]json.RawMessage) string {
	var parts []string
	for _, name := range []string{"date", "city", "retailer", "category"} {
		if row[name] == nil {
			t.Fatalf("no %s in %v", name, row)
		}
		parts = append(parts, string(row[name]))
		delete(row, name)
	}
	return strings.Join(parts, " ")
}

// rowsByCell returns the figures of index rows by cell and week.
func rowsByCell(t *testing.T, index []byte) map[string]json.RawMessage {
	var rows []map[string]json.RawMessage
	if err := json.Unmarshal(index, &rows); err != nil {
		t.Fatal(err)
	}
	all := map[string]json.RawMessage{}
	for _, row := range rows {
		key := figuresKey(t, row)
		all[key] = sorted(t, row)
	}
	return all
}

// sorted writes an object with its members sorted.
func sorted(t *testing.T, v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// revise applies revisions to figures by cell and week, and counts their causes. The old
// figures must be those that were there.
func revise(t *testing.T, before map[string]json.RawMessage, revisions []byte, causes map[string]int) map[string]json.RawMessage {
	t.Helper()
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(revisions, &list); err != nil {
		t.Fatal(err)
	}
	after := map[string]json.RawMessage{}
	for key, figures := range before {
		after[key] = figures
	}
	for _, x := range list {
		key := figuresKey(t, x)
		var old, next map[string]json.RawMessage
		var why []string
		for name, into := range map[string]any{"old": &old, "new": &next, "causes": &why} {
			if err := json.Unmarshal(x[name], into); err != nil {
				t.Fatal(err)
			}
		}
		for _, cause := range why {
			causes[cause]++
		}
		was, had := before[key]
		if had != (old != nil) || had && !bytes.Equal(was, sorted(t, old)) {
			t.Fatalf("%s was %s, not %s", key, was, sorted(t, old))
		}
		if next == nil {
			delete(after, key)
		} else {
			after[key] = sorted(t, next)
		}
	}
	return after
}
