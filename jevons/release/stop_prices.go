package release

import (
	"cmp"
	"maps"
	"slices"

	"github.com/larder-index/larder/panel"
)

// The rule scale: the median ratio of a banner's prices to those before.
const mostScale = 3

type seriesID struct{ listing, store int64 }

// ratio is a price beside the same series' price before the week.
type ratio struct {
	seriesID
	price, before panel.Price
}

func (x ratio) value() float64 { return float64(x.price) / float64(x.before) }

// scale looks at rows that count, or that a gate rule set aside for the scale of their price. The
// price before is that of the series' last passing row before the week, so several rows in a week
// are all compared with the weeks before. A series without one has the price of its last
// row that was set aside so: where dollars and cents are as many, the gate sets all of them aside.
//
// The value is the median ratio. More has the number of prices; a price, that before, the listing
// and the store; and how many of the prices were set aside, by which rule.
func (r *review) scale() (cases []Case) {
	if len(r.old) == 0 {
		return nil
	}
	rows, x, asideFor := r.next.Rows, newSide(r.next), r.setAside()
	through := cmp.Or(r.next.Table.Options.Through, lastOf(r.next.Table.Rows))
	lo, hi := rows.Between(startOf(r.released().Add(1)), startOf(through.Add(1)))
	passed, aside := map[seriesID]panel.Price{}, map[seriesID]panel.Price{}
	for i := range lo {
		if id := x.series(i); rows.Verdict(i) == panel.Pass {
			passed[id] = rows.Effective(i)
		} else if asideFor(i) != "" {
			aside[id] = rows.Effective(i)
		}
	}
	for i := lo; i < hi; {
		week, from := x.weekOf(i), i
		ratios, wrong, rule := map[string][]ratio{}, map[string]int{}, ""
		for ; i < hi && x.weekOf(i) == week; i++ {
			banner, why := x.active(i), asideFor(i)
			id := x.series(i)
			before := cmp.Or(passed[id], aside[id])
			if banner == "" || before == 0 || rows.Verdict(i) != panel.Pass && why == "" {
				continue
			}
			ratios[banner] = append(ratios[banner], ratio{id, rows.Effective(i), before})
			if why != "" {
				wrong[banner]++
				rule = why
			}
		}
		for _, banner := range slices.Sorted(maps.Keys(ratios)) {
			if x, ok := outOfScale(ratios[banner]); ok {
				x.Place, x.Week, x.More = banner, week, append(x.More, wrong[banner], rule)
				cases = append(cases, x)
			}
		}
		for k := from; k < i; k++ {
			if rows.Verdict(k) == panel.Pass {
				passed[x.series(k)] = rows.Effective(k)
			}
		}
	}
	return cases
}

// outOfScale returns the case of a median ratio that is far from 1.
func outOfScale(list []ratio) (x Case, ok bool) {
	slices.SortStableFunc(list, func(a, b ratio) int { return cmp.Compare(a.value(), b.value()) })
	low, high := list[(len(list)-1)/2], list[len(list)/2]
	x = Case{Value: (low.value() + high.value()) / 2, Bound: mostScale, More: []any{len(list), low.price, low.before, low.listing, low.store}}
	if x.Value < 1 {
		x.Bound = 1.0 / mostScale
	}
	return x, x.Value > mostScale || x.Value < 1.0/mostScale
}

func (x *side) series(i int) seriesID { return seriesID{x.rows.Listing(i), x.rows.Store(i)} }

// active returns the banner of the i-th row; "" if its store, listing or product is not active.
// Banners outside the index count too: shoppers see their prices.
func (x *side) active(i int) (banner string) {
	if s := x.stores[x.rows.Store(i)]; s.active && x.listings[x.rows.Listing(i)].counts {
		return s.banner
	}
	return ""
}

// setAside returns a function that says by which rule a row is set aside for the scale of its price;
// "" if it is not, or if another entry names it. A row that was corrected, or that an operator
// listed, is dealt with.
func (r *review) setAside() func(i int) string {
	found, other := map[int64]string{}, map[int64]bool{}
	for _, e := range r.next.Quarantine {
		switch {
		case e.Released || e.Observation == 0:
		case e.Rule == panel.WrongScaleRow:
			found[e.Observation] = e.Rule.String()
		default:
			other[e.Observation] = true
		}
	}
	return func(i int) string {
		id := r.next.Rows.ID(i)
		if rule := found[id]; rule != "" && !other[id] && r.next.Rows.Judge(i).Rule() == rule {
			return rule
		}
		return ""
	}
}

// The rule frozen: so many weeks of one price, in so many series. A few series have one
// price in three weeks by chance.
const (
	frozenWeeks  = 3
	frozenSeries = 20
)

// frozen finds banners whose prices stand still up to a week: of the series with a price in all of
// the weeks none moved. The value is the number of series. More has the first of the weeks.
func (r *review) frozen() (cases []Case) {
	last := lastOf(r.next.Table.Rows)
	if last == 0 {
		return nil
	}
	type seen struct {
		banner string
		price  panel.Price // 0: several
		weeks  uint
	}
	rows, x, first, series := r.next.Rows, newSide(r.next), last.Add(1-frozenWeeks), map[seriesID]*seen{}
	lo, hi := rows.Between(startOf(first), startOf(last.Add(1)))
	for i := lo; i < hi; i++ {
		banner := x.active(i)
		if banner == "" || rows.Verdict(i) != panel.Pass {
			continue
		}
		s := series[x.series(i)]
		if s == nil {
			s = &seen{banner: banner, price: rows.Effective(i)}
			series[x.series(i)] = s
		}
		if s.price != rows.Effective(i) {
			s.price = 0
		}
		s.weeks |= 1 << uint((x.weekOf(i)-first)/7)
	}
	still, moved := map[string]int{}, map[string]bool{}
	for _, s := range series {
		switch {
		case s.weeks != 1<<frozenWeeks-1:
		case s.price == 0:
			moved[s.banner] = true
		default:
			still[s.banner]++
		}
	}
	for _, banner := range slices.Sorted(maps.Keys(still)) {
		if !moved[banner] && still[banner] >= frozenSeries {
			cases = append(cases, Case{Place: banner, Week: last, Value: float64(still[banner]), Bound: frozenSeries, More: []any{first}})
		}
	}
	return cases
}
