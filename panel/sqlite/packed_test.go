package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/larder-index/larder/panel"
)

// drawStored draws observations with ascending ids. Their numbers take every packed form, up
// to the largest and smallest.
func drawStored(t *rapid.T) []storedRow {
	whole := rapid.OneOf(rapid.Int64Range(1, 300), rapid.Int64Range(1, 1<<40), rapid.Just(int64(math.MaxInt64)))
	at := rapid.OneOf(rapid.Map(rapid.Int64Range(0, 4e9), func(s int64) int64 { return s * 1e9 }), rapid.Int64Range(0, math.MaxInt64))
	ids := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int64Range(1, 400), rapid.Int64()), 1, 50, rapid.ID).Draw(t, "ids")
	slices.Sort(ids)
	rows := make([]storedRow, len(ids))
	for i, id := range ids {
		o := &rows[i]
		o.ID, o.label, o.Store, o.ObservedAt = id, whole.Draw(t, "label"), whole.Draw(t, "store"), time.Unix(0, at.Draw(t, "at")).UTC()
		o.Effective = panel.Price(whole.Draw(t, "effective"))
		price := rapid.OneOf(rapid.Just(int64(0)), rapid.Just(int64(o.Effective)), whole)
		o.Regular, o.Sale = panel.Price(price.Draw(t, "regular")), panel.Price(price.Draw(t, "sale"))
		o.UnitPrice = rapid.OneOf(rapid.Just(0.0), rapid.Map(rapid.IntRange(1, 999999), func(n int) float64 { return float64(n) / 1e4 }),
			rapid.Float64Range(0, math.MaxFloat64)).Draw(t, "unit price")
		o.InStock = panel.Tri(rapid.IntRange(0, 2).Draw(t, "stock"))
		o.OnSale = rapid.Bool().Draw(t, "on sale")
		o.SaleEndsOn = panel.Date(rapid.OneOf(rapid.Just(int32(0)), rapid.Int32Range(-9, 99999)).Draw(t, "ends"))
		o.SaleCondition = panel.SaleCondition(rapid.IntRange(0, 2).Draw(t, "condition"))
		o.RegularSource = panel.RegularSource(rapid.IntRange(0, 3).Draw(t, "source"))
		o.PromoDetail = rapid.SampledFrom([]string{"", "{}", `{"packagePrice": 4.40}`, strings.Repeat("x", 300)}).Draw(t, "promo")
	}
	return rows
}

// TestPackedAsStored packs and unpacks random rows. They come back bit for bit.
func TestPackedAsStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawStored(t)
		rest, err := packRest(rows)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpackPrices(nil, packPrices(rows), len(rows))
		if err != nil {
			t.Fatal(err)
		}
		if err := unpackRest(got, rest); err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if got[i] != rows[i] {
				t.Errorf("%+v\nbecomes %+v", rows[i], got[i])
			}
		}
	})
}

// TestCutBlobs cuts blobs at every byte and appends a byte. They are refused.
func TestCutBlobs(t *testing.T) {
	rows := []storedRow{
		{300, panel.Observation{ID: 7, Store: 2, Effective: 34900, ObservedAt: time.Unix(0, 1e18).UTC(), Regular: 39900, Sale: 1, UnitPrice: 1.0 / 3, InStock: panel.Yes, SaleEndsOn: 20000, PromoDetail: "{}"}},
		{1, panel.Observation{ID: 9, Store: 2, Effective: 34900, ObservedAt: time.Unix(0, 1e18+1).UTC(), UnitPrice: 0.5, SaleCondition: 2, RegularSource: 3, PromoDetail: "{} "}},
	}
	prices := packPrices(rows)
	rest, err := packRest(rows)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(prices) + 2 {
		if _, err := unpackPrices(nil, append(prices, 0)[:n], len(rows)); (err == nil) != (n == len(prices)) {
			t.Errorf("prices with %d of %d bytes: %v", n, len(prices), err)
		}
	}
	for n := range len(rest) + 2 {
		if err := unpackRest(slices.Clone(rows), append(rest, 0)[:n]); (err == nil) != (n == len(rest)) {
			t.Errorf("rest with %d of %d bytes: %v", n, len(rest), err)
		}
	}
}

// TestForeignLabels takes in rows with labels that the snapshot lacks. They are refused.
func TestForeignLabels(t *testing.T) {
	screens := labelGates(panel.NewGate(nil, nil, nil, nil, nil), make([]panel.Label, 3))
	for _, label := range []int64{math.MinInt64, 0, 3, math.MaxInt64} {
		if err := observe(panel.NewBuilder(panel.DefaultBaseWeek), screens, []storedRow{{label, panel.Observation{ID: 7}}}); err == nil {
			t.Errorf("a row with label %d of 1 and 2 is taken", label)
		}
	}
}

// TestTooManyConditions packs values that do not fit into two bits. They are refused.
func TestTooManyConditions(t *testing.T) {
	for _, o := range []panel.Observation{{SaleCondition: 4}, {RegularSource: 4}, {SaleCondition: 255}} {
		if b, err := packRest([]storedRow{{1, o}}); err == nil {
			t.Errorf("%+v is packed as %v", o, b)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	rows := []storedRow{
		{2, panel.Observation{ID: 1, Store: 3, Effective: 4, ObservedAt: time.Unix(0, 5), Regular: 6, UnitPrice: 0.1, PromoDetail: "{}"}},
		{2, panel.Observation{ID: 2, Store: 3, Effective: 4, ObservedAt: time.Unix(5, 0), Sale: 4}},
	}
	rest, _ := packRest(rows)
	f.Add(packPrices(rows), rest, 2)
	f.Fuzz(func(t *testing.T, prices, rest []byte, n int) {
		list, err := unpackPrices(nil, prices, min(max(n, 0), packedRows))
		full := slices.Clone(list)
		if err != nil || unpackRest(full, rest) != nil {
			return
		}
		// What was read can be packed, and is then read alike.
		again, err := packRest(full)
		if err != nil {
			t.Fatal(err)
		}
		back := slices.Clone(list)
		if err := unpackRest(back, again); err != nil {
			t.Fatal(err)
		}
		for i := range full {
			if back[i] != full[i] && full[i].UnitPrice == full[i].UnitPrice {
				t.Fatalf("%+v becomes %+v", full[i], back[i])
			}
		}
	})
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

// TestPackedHoweverImported imports the same rows in different parts. They are packed as if
// they came at once, and as the table has them.
func TestPackedHoweverImported(t *testing.T) {
	const n = 2*packedRows + 100
	whole := between(1, n, 1)
	for name, parts := range map[string][][]int{
		"at once":    {whole},
		"appended":   {between(1, packedRows, 1), between(packedRows, packedRows+5, 1), between(packedRows+5, n, 1)},
		"full rows":  {between(1, packedRows+1, 1), between(packedRows+1, n, 1)},
		"in between": {between(1, n, 2), between(2, n, 2)},
		// Of the ids up to the last one that is packed there are as many as go into
		// one row, and fewer than that are packed.
		"filled up":     {between(packedRows-99, packedRows+1, 1), between(1, packedRows-99, 1), between(packedRows+1, n, 1)},
		"the last ones": {between(9, n, 1), between(1, 9, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "panel.db")
			for _, ids := range parts {
				f := sound.with(files{"observations.csv": manyRows(ids...), "quarantine.csv": "-", "shrink_events.csv": "-"})
				if _, err := Import(context.Background(), f.write(t), db, ImportOptions{Strict: true}); err != nil {
					t.Fatal(err)
				}
			}
			c, err := open(db, readOnly)
			if err != nil {
				t.Fatal(err)
			}
			defer c.close()
			var want, got []storedRow
			var rows []int
			scan, err := newScanner(c)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.each(scan.query("ORDER BY id"), func(r row) error {
				want = append(want, storedRow{})
				scan.row(r, &want[len(want)-1])
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if err := eachPacked(t.Context(), c, true, func(list []storedRow) error {
				got, rows = append(got, list...), append(rows, len(list))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if len(want) != n-1 || !slices.Equal(got, want) {
				t.Errorf("%d rows are packed as %d, or others", len(want), len(got))
			}
			if d := cmp.Diff([]int{packedRows, packedRows, n - 1 - 2*packedRows}, rows); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestCheckPacked changes one of the two copies of the rows and seals the file anew. It is
// refused.
func TestCheckPacked(t *testing.T) {
	for name, change := range map[string]string{
		"one less": "DELETE FROM observations WHERE id = (SELECT min(id) FROM observations WHERE id NOT IN (SELECT coalesce(observation_id, 0) FROM quarantine))",
		"none":     "DELETE FROM packed",
		"another":  "UPDATE observations SET id = 999 WHERE id = (SELECT max(id) FROM observations)",
		"rows":     "UPDATE packed SET rows = rows + 1",
		"no rows":  "UPDATE packed SET rows = 0",
		"no blob":  "UPDATE packed SET prices = x''",
		"billions": "UPDATE packed SET rows = 3000000000",
		"too many": "UPDATE packed SET rows = 1 << 62",
		"below 0":  "UPDATE packed SET rows = -1",
		"longer":   "UPDATE packed SET rows = 8192",
	} {
		t.Run(name, func(t *testing.T) {
			db := resealed(t, imported(t, sound), change)
			if _, err := Check(db); err == nil || !strings.Contains(err.Error(), errPacked.Error()) || !strings.Contains(err.Error(), db) {
				t.Errorf("got %v", err)
			}
			if name == "one less" {
				return // loading does not read all of the table
			}
			if _, err := Load(t.Context(), db); !errors.Is(err, errPacked) {
				t.Errorf("Load: %v", err)
			}
			if _, err := LoadAll(t.Context(), db); !errors.Is(err, errPacked) {
				t.Errorf("LoadAll: %v", err)
			}
		})
	}
}

// TestSettingsAreCheckedOnRead opens a snapshot with a setting that no import takes, in every way.
func TestSettingsAreCheckedOnRead(t *testing.T) {
	db := resealed(t, imported(t, sound), "INSERT INTO settings VALUES ('release_time', 'Foo 08:30')")
	_, loads := Load(t.Context(), db)
	_, loadsAll := LoadAll(t.Context(), db)
	_, checks := Check(db)
	_, imports := Import(t.Context(), sound.write(t), db, ImportOptions{})
	_, releases := Lift(t.Context(), db, 1, "why", time.Now())
	for what, err := range map[string]error{
		"Load": loads, "LoadAll": loadsAll, "Check": checks, "Import": imports, "Release": releases,
		"Export": Export(t.Context(), db, filepath.Join(t.TempDir(), "out")),
	} {
		want := `setting "release_time": value: release_time needs a weekday and a time in Toronto, such as Mon 08:30, not "Foo 08:30"`
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
	if err := c.exec("UPDATE manifest SET seal = ?", placeholder); err != nil {
		t.Fatal(err)
	}
	if err := c.exec(statement, args...); err != nil {
		t.Fatal(err)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(db, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := writeSeal(f); err != nil {
		t.Fatal(err)
	}
	return db
}
