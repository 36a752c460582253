package jevons_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// compareCompanions compares both companion series with the oracle's.
func compareCompanions(t *testing.T, d *oracle.Data, p *panel.Panel, rows *panel.Rows, slow oracle.Options, fast jevons.Options) {
	t.Helper()
	regular, err := jevons.Regular(p, rows, fast)
	if err != nil {
		t.Fatal(err)
	}
	slow.Companion = oracle.Regular
	compareRows(t, regular.Rows, oracle.Table(d, slow))
	linked, err := jevons.Linked(p, fast)
	if err != nil {
		t.Fatal(err)
	}
	slow.Companion = oracle.Linked
	compareRows(t, linked.Rows, oracle.Table(d, slow))
}

// compareCoverage compares every cell of the grid.
func compareCoverage(t *testing.T, want []oracle.CoverageCell, got iter.Seq[jevons.CoverageCell]) {
	t.Helper()
	i := 0
	for c := range got {
		line := fmt.Sprintf("%s %q %q %q %q %d/%d", c.Week, c.Cell.City, c.Cell.Banner, slug(c.Cell.Category), c.Reason, c.ItemCount, c.TotalItems)
		for _, u := range c.Unmatched {
			line += fmt.Sprintf(" %d %s", u.Product, u.Reason)
		}
		if i == len(want) {
			t.Fatalf("a cell more than the %d of the grid: %s", i, line)
		}
		w := want[i]
		wanted := fmt.Sprintf("%s %q %q %q %q %d/%d", w.Date, w.City, w.Banner, w.Category, w.Reason, w.ItemCount, w.TotalItems)
		for _, u := range w.Unmatched {
			wanted += fmt.Sprintf(" %d %s", u.Product, u.Reason)
		}
		if line != wanted {
			t.Fatalf("cell %d:\n got %s\nwant %s", i, line, wanted)
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("the grid has %d cells, want %d", i, len(want))
	}
}

// TestEqualsOracleWithAttrition compares everything on panels of 160 weeks whose
// series end and begin, some of products that the base does not have, so that
// cells link, most of them twice.
func TestEqualsOracleWithAttrition(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			d := agingData(t, 600+seed)
			p := buildPanel(t, d)
			compareWithOracle(t, d, p, buildRows(t, d, p), oracle.Options{Now: randomEnd}, jevons.Options{})

			bases := map[string][]string{}
			for _, r := range oracle.Table(d, oracle.Options{Now: randomEnd, Companion: oracle.Linked}) {
				place := strings.Join([]string{r.City, r.Banner, r.Category}, "/")
				if !slices.Contains(bases[place], r.Base) {
					bases[place] = append(bases[place], r.Base)
				}
			}
			twice := 0
			for _, weeks := range bases {
				if len(weeks) >= 3 {
					twice++
				}
			}
			if twice < 5 {
				t.Errorf("%d of %d cells link twice", twice, len(bases))
			}
		})
	}
}

// agingData has 160 weeks. One series in three begins late, and one in a hundred
// ends each week.
func agingData(t *testing.T, seed uint64) *oracle.Data {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 160))
	d := randomWeeks(seed, 160)
	d.Stores = d.Stores[:6]
	known := map[int64]bool{}
	for _, s := range d.Stores {
		known[s.ID] = true
	}
	type series struct{ listing, store int64 }
	life := map[series][2]string{}
	d.Observations = slices.DeleteFunc(d.Observations, func(o oracle.Observation) bool {
		if !known[o.StoreID] {
			return true
		}
		s := series{o.ListingID, o.StoreID}
		if _, ok := life[s]; !ok {
			base, err := panel.ParseWeek(d.BaseWeek)
			if err != nil {
				t.Fatal(err)
			}
			from := 0
			if r.IntN(3) == 0 {
				from = r.IntN(120)
			}
			to := from
			for to < 160 && r.IntN(100) > 0 {
				to++
			}
			life[s] = [2]string{base.Add(from).String(), base.Add(to).String()}
		}
		day := o.ObservedAt[:len("2026-07-19")]
		return day < life[s][0] || day > life[s][1]
	})
	return d
}
