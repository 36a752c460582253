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

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/larder-index/larder/panel"
)

// drawStored draws observations that exercise every form that a number has, the
// largest and smallest among them, with ids that ascend.
func drawStored(t *rapid.T) []storedRow {
	whole := rapid.OneOf(rapid.Int64Range(1, 300), rapid.Int64Range(1, 1<<40), rapid.Just(int64(math.MaxInt64)))
	at := rapid.OneOf(rapid.Map(rapid.Int64Range(0, 4e9), func(s int64) int64 { return s * 1e9 }), rapid.Int64Range(0, math.MaxInt64))
	ids := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int64Range(1, 400), rapid.Int64()), 1, 50, rapid.ID).Draw(t, "ids")
	slices.Sort(ids)
	rows := make([]storedRow, len(ids))
	for i, id := range ids {
		o := &rows[i]
		o.priceRow = priceRow{id, whole.Draw(t, "label"), whole.Draw(t, "store"), whole.Draw(t, "effective"), at.Draw(t, "at")}
		price := rapid.OneOf(rapid.Just(int64(0)), rapid.Just(o.effective), whole)
		o.regular, o.sale = price.Draw(t, "regular"), price.Draw(t, "sale")
		o.unitPrice = rapid.OneOf(rapid.Just(0.0), rapid.Map(rapid.IntRange(1, 999999), func(n int) float64 { return float64(n) / 1e4 }),
			rapid.Float64Range(0, math.MaxFloat64)).Draw(t, "unit price")
		o.stock = panel.Tri(rapid.IntRange(0, 2).Draw(t, "stock"))
		o.onSale = rapid.Bool().Draw(t, "on sale")
		o.endsOn = rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(-9, 99999)).Draw(t, "ends")
		o.condition, o.source = rapid.Int64Range(0, 2).Draw(t, "condition"), rapid.Int64Range(0, 3).Draw(t, "source")
		o.promo = rapid.SampledFrom([]string{"", "{}", `{"packagePrice": 4.40}`, strings.Repeat("x", 300)}).Draw(t, "promo")
	}
	return rows
}

// What is packed comes back as it was, in every bit.
func TestPackedAsStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawStored(t)
		rest, err := packRest(rows)
		if err != nil {
			t.Fatal(err)
		}
		prices, err := unpackPrices(nil, packPrices(rows), len(rows))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]storedRow, len(rows))
		for i := range got {
			got[i].priceRow = prices[i]
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

// Every blob that was cut, or that has something behind it, is refused.
func TestCutBlobs(t *testing.T) {
	rows := []storedRow{
		{priceRow: priceRow{7, 300, 2, 34900, 1e18}, regular: 39900, sale: 1, unitPrice: 1.0 / 3, stock: panel.Yes, endsOn: 20000, promo: "{}"},
		{priceRow: priceRow{9, 1, 2, 34900, 1e18 + 1}, unitPrice: 0.5, condition: 2, source: 3, promo: "{} "},
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

// What has no place in two bits is not packed as something else.
func TestTooManyConditions(t *testing.T) {
	for _, o := range []storedRow{{condition: 4}, {source: 4}, {condition: -1}} {
		if b, err := packRest([]storedRow{o}); err == nil {
			t.Errorf("%+v is packed as %v", o, b)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	rows := []storedRow{{priceRow: priceRow{1, 2, 3, 4, 5}, regular: 6, unitPrice: 0.1, promo: "{}"}, {priceRow: priceRow{2, 2, 3, 4, 5e9}, sale: 4}}
	rest, _ := packRest(rows)
	f.Add(packPrices(rows), rest, 2)
	f.Fuzz(func(t *testing.T, prices, rest []byte, n int) {
		list, err := unpackPrices(nil, prices, min(max(n, 0), packedRows))
		if err != nil {
			return
		}
		full := make([]storedRow, len(list))
		for i := range full {
			full[i].priceRow = list[i]
		}
		if unpackRest(full, rest) != nil {
			return
		}
		// What was read can be packed, and is then read alike.
		again, err := packRest(full)
		if err != nil {
			t.Fatal(err)
		}
		back := make([]storedRow, len(full))
		for i := range back {
			back[i].priceRow = full[i].priceRow
		}
		if err := unpackRest(back, again); err != nil {
			t.Fatal(err)
		}
		for i := range full {
			if back[i] != full[i] && full[i].unitPrice == full[i].unitPrice {
				t.Fatalf("%+v becomes %+v", full[i], back[i])
			}
		}
	})
}

// manyRows are observations of the sound folder's labels: those with the
// given ids.
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

// However the rows came in, they are packed as they are when they come at once,
// and as they stand in the table.
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
			if err := c.each("SELECT "+strings.Join(obsColumns, ", ")+" FROM observations ORDER BY id", func(r row) error {
				want = append(want, scanStored(r))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if err := eachStored(t.Context(), c, func(list []storedRow) error {
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

// A file whose two copies of the rows are not of the same rows does not pass,
// though its seal is right.
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
