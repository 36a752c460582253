package releaselog

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/note"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// place is where a plain table, a map, has a row.
type place struct {
	week panel.Week
	cell jevons.Cell
}

type plainTable map[place]jevons.Row

// rows returns the table in published order, each headline based on its first week.
func (t plainTable) rows() []jevons.Row {
	rows := slices.Collect(maps.Values(t))
	for i := range rows {
		rows[i].Base = firstWeek
		if rows[i].Cell.Category == basket.Overall {
			rows[i].Base = rows[i].Week
			for p := range t {
				if p.cell == *rows[i].Cell {
					rows[i].Base = min(rows[i].Base, p.week)
				}
			}
		}
	}
	slices.SortFunc(rows, func(a, b jevons.Row) int {
		return cmp.Or(cmp.Compare(a.Week, b.Week), jevons.CompareCells(a.Cell, b.Cell))
	})
	return rows
}

var (
	firstWeek = panel.DefaultBaseWeek
	firstDay  = time.Date(2026, 7, 27, 12, 30, 0, 0, time.UTC)
)

// history makes logs of random tables without any snapshot.
type history struct {
	t      testing.TB
	r      *rand.Rand
	path   string
	log    *Log
	table  plainTable
	tables []plainTable // of each release
	cells  []jevons.Cell
	signer note.Signer
}

func newHistory(t testing.TB, seed uint64) *history {
	h := &history{t: t, r: rand.New(rand.NewPCG(seed, 1)), path: filepath.Join(t.TempDir(), "releases.db"), log: &Log{}, table: plainTable{}}
	for _, city := range []string{"", "Toronto", `Qué"bec <é>`} {
		for _, banner := range []string{"", "alpha", "beta"} {
			for _, c := range basket.Categories(nil).Slices()[:4] {
				level := jevons.National
				switch {
				case city != "" && banner != "":
					level = jevons.Banner
				case city != "":
					level = jevons.City
				case banner != "":
					continue
				}
				h.cells = append(h.cells, jevons.Cell{Level: level, City: city, Banner: banner, Category: c})
			}
		}
	}
	return h
}

// fixed draws a number or null.
func (h *history) fixed() panel.Fixed {
	if h.r.IntN(5) == 0 {
		return panel.Fixed{}
	}
	return panel.FixedOf(h.r.Int64N(4_000_000) - 1_000_000)
}

func (h *history) row(w panel.Week, c jevons.Cell) jevons.Row {
	return jevons.Row{
		Week: w, Cell: &c, Index: panel.FixedOf(h.r.Int64N(3_000_000)), BasketCost: panel.FixedOf(100 * h.r.Int64N(90_000)),
		WoW: h.fixed(), MoM: h.fixed(), YoY: h.fixed(), ItemCount: h.r.Int32N(60), TotalItems: 60,
	}
}

// step changes the table: a week is added, and some rows appear, move or go.
func (h *history) step() {
	weeks := len(h.tables) + 1
	for i, c := range h.cells {
		if h.r.IntN(8) > 0 {
			w := firstWeek.Add(weeks)
			h.table[place{w, c}] = h.row(w, c)
		}
		if h.r.IntN(6) == 0 {
			p := place{firstWeek.Add(h.r.IntN(weeks + 1)), h.cells[(i+5)%len(h.cells)]}
			row, ok := h.table[p]
			switch {
			case !ok:
				h.table[p] = h.row(p.week, p.cell)
			case h.r.IntN(3) == 0:
				delete(h.table, p)
			default:
				figures[h.r.IntN(5)].Set(&row, panel.FixedOf(h.r.Int64N(50)))
				h.table[p] = row
			}
		}
	}
}

// changes compares a plain table with the last release's, in no order.
func (h *history) changes() (changes []release.Change) {
	before := plainTable{}
	if n := len(h.tables); n > 0 {
		before = h.tables[n-1]
	}
	seen := plainTable{}
	maps.Copy(seen, before)
	maps.Copy(seen, h.table)
	for p := range seen {
		c := release.Change{Week: p.week, Cell: p.cell, Causes: []release.Cause{[]release.Cause{release.NewWeek, release.AddedRows, release.Method}[int(p.week)/7%3]}}
		if r, ok := before[p]; ok {
			c.Old = &r
		}
		if r, ok := h.table[p]; ok {
			c.New = &r
		}
		if c.Old == nil || c.New == nil || !c.Old.Same(c.New) {
			changes = append(changes, c)
		}
	}
	return changes
}

// release appends the table to the log and returns its changes.
func (h *history) release(note string) []release.Change {
	h.t.Helper()
	n := len(h.tables)
	x := &Context{
		Settings: map[string]string{"source": fmt.Sprintf("source %d", n/3)}, Cities: []string{"Toronto"}, Banners: []string{"alpha"},
		Pilot: &jevons.Table{Rows: []jevons.Row{{
			Week: firstWeek, Cell: &h.cells[5], Index: panel.FixedOf(1_010_000), WoW: panel.FixedOf(-3), ItemCount: -1, TotalItems: 50,
		}}},
	}
	x.content = x.encode()
	r := &Release{
		At: firstDay.AddDate(0, 0, 7*n), Snapshot: fmt.Sprintf("%064x", n), File: "/next.db", Gate: "gate-1", Method: "method-1", Note: note,
		Base: firstWeek, Through: firstWeek.Add(n + 1), Context: x,
	}
	if r.Accepted = []Accepted{}; n%4 == 3 {
		r.Accepted = []Accepted{{release.Jump, "a <real> jump", "jump:city/a", Points{panel.FixedOf(-31_000)}, Points{}, Points{panel.FixedOf(5)}, "percent"}}
	}
	changes := h.changes()
	before := state{}
	if n > 0 {
		for p, row := range h.tables[n-1] {
			before[p.week] = map[jevons.Cell]*jevons.Row{p.cell: &row}
		}
	}
	check(h.log.add(r, changes, before.has, h.signer))
	check(h.log.write(h.path, func(*Log) error { return nil }))
	h.log = must(Open(h.path))
	h.tables = append(h.tables, maps.Clone(h.table))
	return changes
}

// Every table of random histories comes back, the changes of each release turn the table
// before into its table, and the largest moves come first.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		h := newHistory(t, seed)
		var made [][]release.Change
		for range 12 {
			h.step()
			made = append(made, h.release("note"))
		}
		log := must(Open(h.path))
		table := plainTable{}
		for n := range len(h.tables) + 1 {
			want := plainTable{}
			if n > 0 {
				want = h.tables[n-1]
			}
			got := must(log.Table(n))
			if diff := gocmp.Diff(want.rows(), got.Rows, gocmp.Transformer("nil", func(r []jevons.Row) []jevons.Row { return append([]jevons.Row{}, r...) })); diff != "" {
				t.Fatalf("seed %d, release %d: -want +got\n%s", seed, n, diff)
			}
			if n == 0 {
				continue
			}
			if o := got.Options; o.Base != firstWeek || o.Through != firstWeek.Add(n) {
				t.Errorf("release %d has the options %+v", n, o)
			}
			changes, err := log.Changes(n)
			if err != nil || len(changes) != len(made[n-1]) {
				t.Fatalf("release %d has %d changes of %d: %v", n, len(changes), len(made[n-1]), err)
			}
			if !slices.IsSortedFunc(changes, func(a, b release.Change) int { return cmp.Compare(b.Move(), a.Move()) }) {
				t.Errorf("the changes of release %d are not sorted", n)
			}
			counts := Counts{}
			for _, c := range changes {
				p := place{c.Week, c.Cell}
				old, had := table[p]
				if had != (c.Old != nil) || had && !old.Same(c.Old) {
					t.Fatalf("release %d: the old row of %v is not that of the release before", n, p)
				}
				switch {
				case c.New == nil:
					counts.CellsWithdrawn++
					delete(table, p)
				case had:
					counts.CellsRevised++
					table[p] = *c.New
				default:
					counts.CellsAdded++
					table[p] = *c.New
				}
			}
			if !maps.EqualFunc(table, want, func(a, b jevons.Row) bool { return a.Same(&b) }) {
				t.Fatalf("release %d: its changes do not lead to its table", n)
			}
			r := log.Releases()[n-1]
			counts.WeeksAdded, counts.LargestRevision = r.WeeksAdded, r.LargestRevision
			if r.Counts != counts || n > 1 && (r.WeeksAdded != 1 || r.LargestRevision.Valid && r.LargestRevision.Units != changes[0].Move()) {
				t.Errorf("release %d counts %+v, want %+v; its largest move is %d", n, r.Counts, counts, changes[0].Move())
			}
			if want := fmt.Sprintf("source %d", (n-1)/3); r.Context.Settings["source"] != want || len(r.Context.Pilot.Rows) != 1 ||
				!r.Context.Pilot.Rows[0].Same(&jevons.Row{Week: firstWeek, Cell: &h.cells[5], Index: panel.FixedOf(1_010_000), WoW: panel.FixedOf(-3), ItemCount: -1, TotalItems: 50}) || (len(r.Accepted) > 0) != (n%4 == 0) {
				t.Errorf("release %d is kept as %+v with %+v", n, r, r.Context)
			}
		}
		if v, err := Verify(h.path, VerifyOptions{}); err != nil || v.Releases != 12 {
			t.Errorf("%+v, %v", v, err)
		}
	}
}

// A column is added to the index. The log keeps it, and releases from before lack it.
func TestAddedColumn(t *testing.T) {
	h := newHistory(t, 3)
	h.step()
	h.release("before")
	defer func(before []table.Column) { figures = before }(figures)
	values := map[jevons.Row]panel.Fixed{} // rows have no field of this name
	key := func(r *jevons.Row) jevons.Row {
		return jevons.Row{Week: r.Week, Index: r.Index, ItemCount: r.ItemCount}
	}
	figures = leafColumns(append(table.Columns(&panel.About{}), table.Column{
		Name: "added", Decimals: 2, Number: func(r *jevons.Row) panel.Fixed { return values[key(r)] },
		Set: func(r *jevons.Row, v panel.Fixed) { values[key(r)] = v },
	}))
	h.step()
	want := map[jevons.Row]panel.Fixed{}
	for _, r := range h.table {
		values[key(&r)] = panel.FixedOf(r.Index.Units / 3)
		want[key(&r)] = values[key(&r)]
	}
	h.release("after")
	clear(values)
	log := must(Open(h.path))
	for n, full := range []bool{false, true} {
		changes, err := log.Changes(n + 1)
		if err != nil || len(changes) == 0 {
			t.Fatal(err)
		}
		for _, c := range changes {
			if c.New == nil {
				continue
			}
			if got := values[key(c.New)]; got.Valid != full || full && got != want[key(c.New)] {
				t.Fatalf("release %d: %v has %v", n+1, c.Cell, got)
			}
		}
	}
	if _, err := Verify(h.path, VerifyOptions{}); err != nil {
		t.Error(err)
	}
	figures = figures[:len(figures)-1]
	if _, err := log.Table(2); err == nil || !strings.Contains(err.Error(), "a figure that this larder does not know") {
		t.Errorf("without the column: %v", err)
	}
}

// A log that was opened sees releases appended later, and keeps what it has when the file
// is no longer its own.
func TestRefresh(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 1)
	h.step()
	h.release("first")
	log := must(Open(h.path))
	h.step()
	h.release("second")
	if n := len(log.Releases()); n != 1 {
		t.Errorf("%d releases before Refresh", n)
	}
	if log = must(log.Refresh()); len(log.Releases()) != 2 {
		t.Fatal("after Refresh")
	}
	other := newHistory(t, 2)
	other.path = h.path
	change(t, h.path, "DELETE FROM releases", "DELETE FROM contexts")
	other.log = must(Open(h.path))
	other.step()
	other.release("another publisher's")
	if _, err := log.Refresh(); err == nil || !strings.Contains(err.Error(), "no longer begins with the 2 releases") {
		t.Error(err)
	}
}

func TestAsOf(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 1)
	for range 3 {
		h.step()
		h.release("")
	}
	log := must(Open(h.path))
	now := firstDay.AddDate(0, 0, 30)
	for text, want := range map[string]int{
		"r1": 1, "r3": 3,
		"2026-07-27T12:29:59.999Z": 0, "2026-07-27T12:30:00Z": 1, "2026-07-27T08:30:00-04:00": 1,
		"2026-08-03T12:29:59Z": 1, "2026-08-03T12:30:00Z": 2, "2026-08-26T12:30:00Z": 3,
	} {
		r, err := log.AsOf(text, now)
		if err != nil || (r == nil) != (want == 0) || r != nil && r.Number != want {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
	for text, want := range map[string]string{
		"r4": "the newest is r3", "r0": "neither", "R1": "neither", "r01": "neither", "": "neither", "2026-07-27": "neither", "0000-12-31T23:59:59Z": "neither",
		"2026-08-26T12:30:01Z": "in the future", "2026-07-27T12:30:00": "write 2026-07-27T12:30:00Z",
	} {
		if r, err := log.AsOf(text, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
	if r := log.Of(fmt.Sprintf("%064x", 1)); r == nil || r.ID() != "r2" {
		t.Errorf("of the second snapshot: %+v", r)
	}
	if r := log.Of("x"); r != nil {
		t.Errorf("of no snapshot: %+v", r)
	}
}

// change runs statements in a log after its triggers are dropped.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := must(openFile(path, "mode=rw"))
	defer db.Close()
	var triggers []string
	check(query(db, "SELECT name FROM sqlite_schema WHERE type = 'trigger'", func(scan func(...any) error) error {
		triggers = append(triggers, "")
		return scan(&triggers[len(triggers)-1])
	}))
	for _, name := range triggers {
		must(db.Exec("DROP TRIGGER " + name))
	}
	for _, s := range statements {
		must(db.Exec(s))
	}
}

// The triggers let nothing change or go.
func TestTriggers(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 1)
	for range 2 {
		h.step()
		h.release("")
	}
	db := must(sql.Open("sqlite3", h.path))
	defer db.Close()
	for _, s := range []string{
		"UPDATE releases SET file = 'x' WHERE number = 1", "DELETE FROM releases WHERE number = 2", "DELETE FROM releases",
		"UPDATE contexts SET id = 7", "DELETE FROM contexts",
		"INSERT OR REPLACE INTO releases SELECT * FROM releases WHERE number = 1", "INSERT OR REPLACE INTO contexts SELECT * FROM contexts",
		"INSERT INTO releases SELECT 4, leaf, hash, checkpoint, file FROM releases WHERE number = 1",
	} {
		if _, err := db.Exec(s); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// must returns the result of a call that works, or panics.
func must[T any](x T, err error) T {
	check(err)
	return x
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
