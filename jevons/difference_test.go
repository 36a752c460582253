package jevons_test

import (
	"math"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// TestDifferencesEqualOracle compares with the plain computation, which deletes each group in turn.
func TestDifferencesEqualOracle(t *testing.T) {
	seen, intervals := 0, 0
	for seed := range uint64(12) {
		d := randomData(seed)
		for _, city := range d.Cities[:min(2, len(d.Cities))] {
			table := compute(t, d)
			rows := differences(t, table, city.Name)
			for i, want := range oracle.Differences(d, oracle.Options{Now: randomEnd}, city.Name) {
				got, maybe := rows[i].Extra.Difference, func(v *float64) (x panel.Fixed) {
					if v != nil {
						x = fixed(*v)
					}
					return x
				}
				if w := (jevons.Difference{City: city.Name, Percent: maybe(want.Percent), Low: maybe(want.Low), High: maybe(want.High)}); *got != w {
					t.Errorf("seed %d, %s, week %s, to %s: %v, want %v", seed, rows[i].Cell, rows[i].Week, city.Name, *got, w)
				}
				if got.Percent.Valid && rows[i].Cell.City != city.Name {
					seen++
				}
				if got.Low.Valid {
					intervals++
				}
			}
		}
	}
	if seen < 100 || intervals < 20 {
		t.Errorf("%d differences and %d intervals are compared: too few", seen, intervals)
	}
}

// TestDifferenceIdentities: a place has no difference to itself, and a to b is the inverse of b to a.
func TestDifferenceIdentities(t *testing.T) {
	pairs := 0
	for seed := range uint64(12) {
		table := compute(t, randomData(seed))
		for _, name := range []string{"Zed", "Alma"} {
			other := map[string]string{"Zed": "Alma", "Alma": "Zed"}[name]
			if table.Base(jevons.Cell{Level: jevons.City, City: "Zed"}) == 0 || table.Base(jevons.Cell{Level: jevons.City, City: "Alma"}) == 0 {
				continue
			}
			back := &jevons.Table{Rows: differences(t, table, name)}
			for _, row := range differences(t, table, other) {
				there := row.Extra.Difference
				if row.Cell.Level != jevons.City || !there.Percent.Valid {
					continue
				}
				if row.Cell.City == other && (there.Percent.Units != 0 || there.Low.Valid) {
					t.Errorf("%s to itself, week %s: %v", row.Cell, row.Week, *there)
				}
				if row.Cell.City != name {
					continue
				}
				pairs++
				here := back.Find(row.Week, jevons.Cell{Level: jevons.City, City: other, Category: row.Cell.Category}).Extra.Difference
				for _, x := range [][2]panel.Fixed{{there.Percent, here.Percent}, {there.Low, here.High}, {there.High, here.Low}} {
					a, b := 1+number(x[0])/100, 1+number(x[1])/100
					if x[0].Valid != x[1].Valid || x[0].Valid && math.Abs(a*b-1) > 1e-6*(1+a+b) {
						t.Errorf("%s, week %s: %v to %s, and %v back", row.Cell, row.Week, *there, other, *here)
					}
				}
				if row.Cell.Category != basket.Overall && there.Low.Valid {
					t.Errorf("%s, a category, has an interval", row.Cell)
				}
			}
		}
	}
	if pairs < 20 {
		t.Errorf("%d pairs only", pairs)
	}
}

func differences(t *testing.T, table *jevons.Table, city string) []jevons.Row {
	t.Helper()
	rows, err := table.WithDifferences(table.Rows, city)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestNoSuchCityToCompareWith(t *testing.T) {
	table := compute(t, randomData(1))
	if _, err := table.WithDifferences(table.Rows, "Nowhere"); err == nil || !strings.Contains(err.Error(), `no city has the name "Nowhere"`) {
		t.Error(err)
	}
}
