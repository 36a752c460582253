package jevons_test

import (
	"strings"
	"testing"

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
	table := compute(t, randomData(1))
	if _, err := table.WithDifferences(table.Rows, "Nowhere"); err == nil || !strings.Contains(err.Error(), `no city has the name "Nowhere"`) {
		t.Error(err)
	}
	if seen < 100 || intervals < 20 {
		t.Errorf("%d differences and %d intervals are compared: too few", seen, intervals)
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
