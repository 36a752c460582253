package sqlite

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/panel"
)

// TestForeignLabels takes in rows with labels that the snapshot lacks. They are refused.
func TestForeignLabels(t *testing.T) {
	gates := labelGates(panel.NewGate(panel.Calendar{}, nil, nil, nil, nil, nil), make([]panel.Label, 3))
	for _, label := range []int64{math.MinInt64, 0, 3, math.MaxInt64} {
		in := intake{index: panel.NewBuilder(panel.DefaultBaseWeek), gates: gates}
		if err := in.take([]storedRow{{label, panel.Observation{ID: 7}}}); err == nil || !strings.Contains(err.Error(), "no label") {
			t.Errorf("a row with label %d of 1 and 2: %v", label, err)
		}
	}
}

// manyRows are observations with the given ids and labels of the sound folder.
func manyRows(ids ...int) string {
	var b strings.Builder
	b.WriteString(obsHeader)
	for _, id := range ids {
		fmt.Fprintf(&b, "%d,1,1,,%s,%d.49,,,,0,,,,2026-08-%02dT12:00:%02dZ,,\n", id, []string{"", "3.49"}[id%2], 1+id%7, 1+id%28, id%60)
	}
	return b.String()
}

func between(from, to, step int) (ids []int) {
	for id := from; id < to; id += step {
		ids = append(ids, id)
	}
	return ids
}

// TestRunsComeInOrder reads rows of several runs, with one connection and with two. They come by
// id, however far apart the ids are.
func TestRunsComeInOrder(t *testing.T) {
	const n = 4*runRows + 100
	ids := append(between(1, n, 1), firstCorrection, firstCorrection+7)
	f := sound.with(files{"observations.csv": manyRows(ids...), "quarantine.csv": "-", "shrink_events.csv": "-"})
	s, err := openSnapshot(imported(t, f))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, conns := range [][]*conn{{s.conn}, {s.conn, s.next}} {
		var got []int
		err := newScanner(s.conn, forIndex...).eachRun(t.Context(), func(run []storedRow) error {
			for i := range run {
				got = append(got, int(run[i].ID))
			}
			return nil
		}, conns...)
		if err != nil || !slices.Equal(got, ids) {
			t.Errorf("%d connections: %d rows, want %d, or in another order: %v", len(conns), len(got), len(ids), err)
		}
	}
}

// TestSettingsAreCheckedOnRead opens a snapshot with a setting that no import takes, in every way.
func TestSettingsAreCheckedOnRead(t *testing.T) {
	db := resealed(t, imported(t, sound), "INSERT INTO settings VALUES ('release_time', 'Foo 08:30')")
	for what, err := range tryAll(t, db) {
		want := `setting "release_time": value: release_time needs a weekday and a time of day, such as Mon 08:30, not "Foo 08:30"`
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), db+": ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// resealed runs a statement on a snapshot and seals it anew.
func resealed(t *testing.T, db, statement string, args ...driver.Value) string {
	t.Helper()
	c, err := open(db, readWrite)
	if err != nil {
		t.Fatal(err)
	}
	c.exec(statement, args...)
	if err := cmp.Or(c.err, c.close()); err != nil {
		t.Fatal(err)
	}
	if err := writeSeal(db); err != nil {
		t.Fatal(err)
	}
	return db
}
