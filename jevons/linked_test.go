package jevons_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// thinning is a random panel of so many weeks in which listings end and begin.
func thinning(t *testing.T, seed uint64, weeks, stores int) *oracle.Data {
	d := randomWeeks(seed, weeks)
	d.Stores = d.Stores[:min(stores, len(d.Stores))]
	known := map[int64]bool{}
	for _, s := range d.Stores {
		known[s.ID] = true
	}
	base, err := panel.ParseWeek(d.BaseWeek)
	if err != nil {
		t.Fatal(err)
	}
	d.Observations = slices.DeleteFunc(d.Observations, func(o oracle.Observation) bool {
		if !known[o.StoreID] {
			return true
		}
		end := 20 + int(o.ListingID*37+o.StoreID*11)%(2*weeks)
		begin := 0
		if o.ListingID%4 == 0 {
			begin, end = end/3, weeks
		}
		return o.ObservedAt < base.Add(begin-1).String() || o.ObservedAt >= base.Add(end).String()
	})
	return d
}

// TestLinkedSegments compares every segment with the published method on the base
// of the segment, and looks for each link where it must be.
func TestLinkedSegments(t *testing.T) {
	links := 0
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			p := buildPanel(t, thinning(t, 600+seed, 170, 14))
			through := panel.LastClosed(randomEnd)
			linked, err := jevons.Linked(p, jevons.Options{Through: through})
			if err != nil {
				t.Fatal(err)
			}
			based := map[panel.Week]*jevons.Table{}
			last := map[jevons.Cell]*jevons.Row{}
			for i := range linked.Rows {
				r := &linked.Rows[i]
				where := fmt.Sprintf("%s in %s, based on %s", r.Cell, r.Week, r.Base)
				if based[r.Base] == nil {
					if based[r.Base], err = jevons.Compute(p, jevons.Options{Base: r.Base, Through: through}); err != nil {
						t.Fatal(err)
					}
				}
				level := 100.0
				if before := last[*r.Cell]; before != nil && before.Base != r.Base {
					links++
					checkLink(t, where, p, linked, before, r)
				}
				last[*r.Cell] = r
				if link := linked.Find(r.Base, *r.Cell); link != nil {
					level = link.Index.Float64()
				}
				want := based[r.Base].Find(r.Week, *r.Cell)
				if want == nil {
					t.Fatalf("%s: %s is not published on that base", where, r.Index)
				}
				slack := 0.51e-4 * (1 + level/100 + want.Index.Float64()/100) // three roundings
				if got := r.Index.Float64(); math.Abs(got-level*want.Index.Float64()/100) > slack {
					t.Errorf("%s: %v, want %v of %v", where, got, want.Index, level)
				}
				if r.ItemCount != want.ItemCount || r.BasketCost != want.BasketCost {
					t.Errorf("%s: %d products, $%s; want %d, $%s", where, r.ItemCount, r.BasketCost, want.ItemCount, want.BasketCost)
				}
				if r.Cell.Category == basket.Overall && r.WoW != want.WoW {
					t.Errorf("%s: over the week %s, want %s", where, r.WoW, want.WoW)
				}
			}
		})
	}
	if links < 100 {
		t.Errorf("%d links: that tests little", links)
	}
}

// checkLink checks that a cell is linked in the first week in which it may be. The
// row is the first published one after the link, and before is the row before it.
func checkLink(t *testing.T, where string, p *panel.Panel, linked *jevons.Table, before, r *jevons.Row) {
	t.Helper()
	for week := before.Base.Add(52); week <= r.Base; week = week.Add(1) {
		row := linked.Find(week, *r.Cell)
		priced, active := pricedProducts(p, week, r.Cell)
		may := row != nil && 4*priced >= 3*active
		if may != (week == r.Base) {
			t.Errorf("%s: in %s %d of %d products are priced, published: %v", where, week, priced, active, row != nil)
		}
	}
	if row := linked.Find(r.Base, *r.Cell); row == nil || row.Base != before.Base {
		t.Errorf("%s: the week of the link has the row %+v", where, row)
	}
}

// pricedProducts counts the products of a cell with a price in a week.
func pricedProducts(p *panel.Panel, week panel.Week, cell *jevons.Cell) (priced, active int) {
	there := map[int32]bool{}
	if k, ok := slices.BinarySearch(p.Weeks(), week); ok {
		for i, s := range p.Series() {
			if !math.IsNaN(p.LogPrices(k)[i]) && (cell.City == "" || p.Cities()[s.City].Name == cell.City) && (cell.Banner == "" || p.Banners()[s.Banner].Key == cell.Banner) {
				there[s.Product] = true
			}
		}
	}
	for i, x := range p.Products() {
		if x.Active && (cell.Category == basket.Overall || cell.Category == x.Category) {
			active++
			if there[int32(i)] {
				priced++
			}
		}
	}
	return priced, active
}

// steady is a panel of one store without a missing price. A week's prices are those
// of the week that of returns, times factor.
func steady(t *testing.T, weeks int, factor func(week int) float64, of func(week int) int) *panel.Panel {
	t.Helper()
	var prices [][]float64
	for k := range weeks {
		var week []float64
		for i := range 4 {
			week = append(week, factor(k)*(3+float64((of(k)*(7+i)+i*i)%11)/4))
		}
		prices = append(prices, week)
	}
	return oneStorePanel(t, []float64{0.3, 0.2, 0.1, 0.4}, prices)
}

func linkedTable(t *testing.T, p *panel.Panel) *jevons.Table {
	t.Helper()
	table, err := jevons.Linked(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestLinkedIdentities(t *testing.T) {
	one := func(int) float64 { return 1 }
	same := func(week int) int { return week }
	p := steady(t, 130, one, same)
	table := linkedTable(t, p)
	first, last := table.Rows[0], table.Rows[len(table.Rows)-1]
	if last.Base != first.Week.Add(104) || !table.Linked {
		t.Fatalf("the last base is %s", last.Base)
	}
	if _, err := table.Explain(last.Week, *last.Cell); err == nil {
		t.Error("a linked row is taken apart")
	}
	if _, err := jevons.Linked(p, jevons.Options{Quality: true}); err == nil {
		t.Error("a linked series has a quality")
	}
	// Without attrition it is the published series.
	published, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range published.Rows {
		r, want := table.Rows[i], published.Rows[i]
		if r.Base, r.Cell = want.Base, want.Cell; r != want {
			t.Fatalf("row %d is %+v, want %+v", i, table.Rows[i], want)
		}
	}
	// Prices that double after the second link double the levels from then on.
	doubled := linkedTable(t, steady(t, 130, func(week int) float64 { return float64(1 + week/120) }, same))
	// Exchanging two neighbouring weeks reverses the change between them.
	swapped := linkedTable(t, steady(t, 130, one, func(week int) int {
		if week == 124 || week == 125 {
			return 249 - week
		}
		return week
	}))
	for i, r := range table.Rows {
		want := r.Index.Units
		if r.Week >= first.Week.Add(120) {
			want *= 2
		}
		if diff := doubled.Rows[i].Index.Units - want; diff < -1 || diff > 1 {
			t.Errorf("%s in %s: %s becomes %s", r.Cell, r.Week, r.Index, doubled.Rows[i].Index)
		}
		if r.Week == first.Week.Add(125) && r.Cell.Category == basket.Overall {
			if there, back := 1+r.WoW.Float64()/100, 1+swapped.Rows[i].WoW.Float64()/100; r.WoW.Units == 0 || math.Abs(there*back-1) > 2e-6 {
				t.Errorf("%s: %s there, %s back", r.Cell, r.WoW, swapped.Rows[i].WoW)
			}
		}
	}
}
