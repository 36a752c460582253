package csvdir

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// trips are the tables, each with the cells of a good row and its round trip.
var trips = []struct {
	cells []string
	trip  func(t fatal, row []byte) bool
}{
	{[]string{"base_week", "2026-07-19"}, trip(Settings)},
	{[]string{"1", "Milk", "dairy", "", "2000", "mL", "0", "package", "1", "Lait", "lait|2%| a", "01.1.4|7", "73513537|4006381333931"}, trip(Products)},
	{[]string{"toronto", "Toronto", "ON"}, trip(Cities)},
	{[]string{"shop", "Shop", "Shop Inc.", "1", "1", "0"}, trip(Banners)},
	{[]string{"1", "shop", "toronto", "1", "0", "T 17"}, trip(Stores)},
	{[]string{"1", "1", "shop", "", "B\u0093uf\r hach\n", "", "", "1", "036000291452"}, trip(Listings)}, // a shop's control characters go
	{[]string{"1", "milk|lait&2", "soya", "2.5", "2.5"}, trip(Specs)},
	{[]string{"1", "", "too dear", "7", "listed", "2026-07-15T12:00:00Z", "1", "", "", "", "", "", "2026-07-22T12:00:00Z", ""}, trip(QuarantineEntries)},
	{[]string{"", "", "in cents", "", "", "", "0", "toronto", "shop", "1", "2026-07-13", "2026-07-19", "", "2026-07-20T08:00:00Z"}, trip(QuarantineEntries)},
	{[]string{"1", "1", "2 L", "1.89 L", "2", "1.89", "L", "-5.5", "1.2", "1.3", "8.33", "4.49", "2026-07-15T12:00:00-04:00", "1|2"}, trip(ShrinkEvents)},
	{[]string{"2026-03-08", "city", "toronto", "", "dairy", "101.25", "99.1", "1.5", "", "12", "50"}, trip(Pilot)},
	{[]string{"good", "Saft", "jus|nektar", "7", "no juice"}, trip(Words)},
	{[]string{"12", "rejected", "juice, not apples", "2026-11-20T07:00:00-05:00"}, trip(Matches)},
	{[]string{"", "1", "1", "3.99", "", "3.49", "0.001", "2 L", "1", "0", "", "", "MILK", "2026-07-15T12:00:00Z", "", "", ""}, trip(Observations)},
	{[]string{"", "1", "1", "", "", "", "", "2 L", "", "0", "", "", "", "2026-07-15T12:00:00Z", "", "", "2.99"}, trip(Observations)},
}

type fatal interface{ Fatalf(format string, a ...any) }

// trip reads a row, writes it, reads that and writes it again. It wants the same record and
// the same bytes, and reports whether the row was accepted.
func trip[T any](table *Table[T]) func(t fatal, row []byte) bool {
	return func(t fatal, row []byte) bool {
		read := func(row []byte) (*T, bool) {
			s := newSplitter(bytes.NewReader(append([]byte("header\n"), row...)))
			s.scan()
			s.want = len(table.filed())
			if !s.scan() || s.problem != "" {
				return nil, false
			}
			r := &Reader[T]{split: s, order: table.filed(), check: table.check}
			return r.Record(), r.decode() == nil
		}
		write := func(v *T) []byte {
			var b bytes.Buffer
			if err := encode(&b, table, each([]T{*v})); err != nil {
				t.Fatalf("%q: %v", row, err)
			}
			return bytes.SplitAfterN(b.Bytes(), []byte("\n"), 2)[1]
		}
		v, ok := read(row)
		if !ok {
			return false
		}
		first := write(v)
		again, ok := read(first)
		if !ok {
			t.Fatalf("%s: %q is taken, and what is written of it is not: %q", table.name, row, first)
		}
		if d := cmp.Diff(v, again, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s: %q, written as %q: %s", table.name, row, first, d)
		}
		if second := write(again); !bytes.Equal(second, first) {
			t.Fatalf("%s: %q, then %q", table.name, first, second)
		}
		return true
	}
}

// quotedRow writes cells in quotes.
func quotedRow(cells []string) []byte {
	quoted := make([]string, len(cells))
	for i, c := range cells {
		quoted[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
	}
	return []byte(strings.Join(quoted, ",") + "\n")
}

// FuzzTables makes sure that every accepted row survives its round trip.
func FuzzTables(f *testing.F) {
	for i, table := range trips {
		f.Add(i, quotedRow(table.cells))
	}
	f.Fuzz(func(t *testing.T, table int, row []byte) {
		if table >= 0 && table < len(trips) {
			trips[table].trip(t, row)
		}
	})
}

// cell draws cells of every kind, and texts that need care in CSV.
var cell = rapid.OneOf(
	rapid.StringOfN(rapid.RuneFrom([]rune("ab ,;\"\n\r|&é漢\ufeff'")), 0, 12, -1),
	rapid.Map(rapid.Int64Range(0, 1<<62), func(n int64) string { return strconv.FormatInt(n, 10) }),
	rapid.Map(rapid.Int64Range(1, 1e11), func(n int64) string { return fmt.Sprintf("%d.%04d", n/1e4, n%1e4) }),
	rapid.Map(rapid.Float64Range(0, 1e300), func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }),
	rapid.Custom(func(t *rapid.T) string {
		at := time.Unix(rapid.Int64Range(0, 7.2e9).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nano")).UTC()
		return at.Format(rapid.SampledFrom([]string{time.RFC3339Nano, time.DateOnly}).Draw(t, "layout"))
	}),
	rapid.SampledFrom(strings.Fields("0 1 -1.5 9|7 listed wrong_product wrong_basis wrong_basis_row wrong_scale_row corrected multi_buy member scraped derived assumed_equal "+
		`g mL unit kg package meat frozen é|"b"&c|d,e {} {"packagePrice":1.50,"regularPriceBasisUnavailable":true}`)),
)

// TestRoundTrip changes a cell of a good row of every table.
func TestRoundTrip(t *testing.T) {
	for _, table := range trips {
		if !table.trip(t, quotedRow(table.cells)) {
			t.Fatalf("%q is not taken", table.cells)
		}
	}
	rows, taken := 0, make([]int, len(trips))
	rapid.Check(t, func(t *rapid.T) {
		rows++
		for i, table := range trips {
			cells := slices.Clone(table.cells)
			cells[rapid.IntRange(0, len(cells)-1).Draw(t, "column")] = cell.Draw(t, "cell")
			if table.trip(t, quotedRow(cells)) {
				taken[i]++
			}
		}
	})
	for i, n := range taken {
		if n < rows/16 { // -short draws a fifth of the rows
			t.Errorf("%q: only %d of %d changed rows are taken", trips[i].cells, n, rows)
		}
	}
}
