package jevons_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// TestEqualsOracleOnRandomPanels compares the whole table with the plain
// reference computation, which was written from the methodology alone.
func TestEqualsOracleOnRandomPanels(t *testing.T) {
	for seed := range uint64(24) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			equalsOracle(t, randomData(seed), oracle.Options{}, jevons.Options{})
		})
	}
}

// TestEqualsOracleWithoutBaseWeek does so where nothing was priced in the base
// week: there are headlines, on their entry weeks, and no categories.
func TestEqualsOracleWithoutBaseWeek(t *testing.T) {
	for seed := range uint64(4) {
		d := randomData(300 + seed)
		d.Observations = slices.DeleteFunc(d.Observations, func(o oracle.Observation) bool {
			return inWeek(t, o, panel.DefaultBaseWeek)
		})
		equalsOracle(t, d, oracle.Options{}, jevons.Options{})
		table, err := jevons.Compute(buildPanel(t, d), jevons.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = table.Explain(panel.DefaultBaseWeek.Add(3), jevons.Cell{Level: jevons.National, Category: basket.Categories(nil).Of("dairy")})
		if err == nil || !strings.Contains(err.Error(), "no price counts in the base week 2026-07-19") {
			t.Errorf("a category: %v", err)
		}
	}
}

// TestEqualsOracleWithOptions does so with another base week, trim and floor.
func TestEqualsOracleWithOptions(t *testing.T) {
	for seed := range uint64(8) {
		d := randomData(1000 + seed)
		trim, floor := []int{0, 5, 25, 49}[seed%4], []int{0, 40, 80, 100}[seed/2]
		later := panel.DefaultBaseWeek.Add(int(seed % 3))
		equalsOracle(t, d, oracle.Options{BaseWeek: later.String(), TrimPercent: &trim, FloorPercent: &floor},
			jevons.Options{Base: later, Trim: jevons.Percent(trim), Floor: jevons.Percent(floor)})
	}
}

// TestEqualsOracleWithOwnCategories does so with one, five and as many categories as a panel may have. Their order is
// not that of the alphabet, and some have no product.
func TestEqualsOracleWithOwnCategories(t *testing.T) {
	for n, weeks := range map[int]int{1: 16, 5: 16, 64: 8} {
		d := randomWeeks(uint64(2000+n), weeks)
		for i := range n {
			d.Categories = append(d.Categories, fmt.Sprintf("part-%d", (i*7+3)%n))
		}
		for i := range d.Products {
			d.Products[i].Category = d.Categories[i*5%(n-n/4)]
		}
		equalsOracle(t, d, oracle.Options{}, jevons.Options{})
	}
}

// equalsOracle builds a random panel, and compares all.
func equalsOracle(t *testing.T, d *oracle.Data, slow oracle.Options, fast jevons.Options) []jevons.Row {
	t.Helper()
	p := buildPanel(t, d)
	slow.Now = randomEnd
	return compareWithOracle(t, d, p, buildRows(t, d, p), slow, fast)
}

// compareWithOracle compares all that the oracle computes, and returns the rows.
func compareWithOracle(
	t *testing.T, d *oracle.Data, p *panel.Panel, rows *panel.Rows, slow oracle.Options, fast jevons.Options,
) []jevons.Row {
	t.Helper()
	if fast.Through == 0 {
		fast.Through = panel.Calendar{}.LastClosed(slow.Now)
	}
	regular, err := jevons.Regular(p, rows, fast)
	plain, err2 := jevons.Compute(p, fast)
	if err := cmp.Or(err, err2); err != nil {
		t.Fatal(err)
	}
	companion := slow
	companion.Regular = true
	compareRows(t, regular.Rows, oracle.Table(d, companion))
	compareCoverage(t, oracle.Coverage(d, slow), jevons.NewCoverage(rows, plain).Cells(jevons.Filter{}, fast.Through))
	fast.Quality = true
	table, err := jevons.Compute(p, fast)
	if err != nil {
		t.Fatal(err)
	}
	full, err := table.WithContributions(table.Rows)
	if err != nil {
		t.Fatal(err)
	}
	compareRows(t, full, oracle.Table(d, slow))
	for i, r := range full {
		r.Extra, r.Cell = nil, plain.Rows[i].Cell
		if r != plain.Rows[i] {
			t.Fatalf("row %d is %+v, and %+v with its quality", i, plain.Rows[i], r)
		}
	}
	return full
}

func compareRows(t *testing.T, got []jevons.Row, want []oracle.Row) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("the panel has no rows: it tests nothing")
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	shown := 0
	for i := range min(len(want), len(got)) {
		got, want := describeRow(&got[i]), describeWanted(&want[i])
		if got != want {
			t.Errorf("row %d:\n got %s\nwant %s", i, got, want)
			if shown++; shown > 5 {
				t.Fatal("and more")
			}
		}
	}
}

func describeRow(r *jevons.Row) string {
	row := fmt.Sprintf("%s %q %q %q %s %s wow %s mom %s yoy %s %d/%d base %s", r.Week, r.Cell.City, r.Cell.Banner, slug(r.Cell.Category),
		r.Index, r.BasketCost, r.WoW, r.MoM, r.YoY, r.ItemCount, r.TotalItems, r.Base)
	if r.Extra == nil {
		return row
	}
	q := r.Extra.Quality
	row += fmt.Sprintf(" se %s %s to %s wow %s df %s series %d stores %d trimmed %d weight %s %c", q.SE, q.Low, q.High, q.SEWoW,
		q.DF, q.Series, q.Stores, q.Trimmed, q.Weight, q.Status)
	for _, part := range r.Extra.Contributions {
		id := part.Category.String()
		if part.Product != 0 {
			id = fmt.Sprint(part.Product)
		}
		row += fmt.Sprintf(" %s %s/%s", id, part.Level, part.WoW)
	}
	return row
}

// slug is the oracle's name of a slice.
func slug(c basket.Category) string {
	if c == basket.Overall {
		return ""
	}
	return c.String()
}

func describeWanted(r *oracle.Row) string {
	maybe := func(v *float64) panel.Fixed {
		if v == nil {
			return panel.Fixed{}
		}
		return fixed(*v)
	}
	row := fmt.Sprintf("%s %q %q %q %s %s wow %s mom %s yoy %s %d/%d base %s", r.Date, r.City, r.Banner, r.Category,
		fixed(r.Index), fixed(r.Cost), maybe(r.WoW), maybe(r.MoM), maybe(r.YoY), r.ItemCount, r.TotalItems, r.Base)
	q := r.Quality
	if q.Status == "" {
		return row
	}
	row += fmt.Sprintf(" se %s %s to %s wow %s df %s series %d stores %d trimmed %d weight %s %s", maybe(q.SE), maybe(q.Low), maybe(q.High),
		maybe(q.SEWoW), fixed(q.DF), q.MatchedSeries, q.MatchedStores, q.Trimmed, fixed(q.MatchedWeight), q.Status)
	for _, part := range r.Contributions {
		row += fmt.Sprintf(" %s %s/%s", part.ID, fixed(part.Level), maybe(part.WoW))
	}
	return row
}

func fixed(v float64) panel.Fixed { return panel.FixedOf(int64(math.Round(v * 10_000))) }
