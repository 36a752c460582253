package release

import (
	"cmp"
	"maps"
	"slices"

	"github.com/larder-index/larder/panel"
)

// The rule scale: the median ratio of a banner's prices to those before.
const mostScale = 3

// priced is a price of a series.
type priced struct {
	listing, store int64
	price          panel.Price
}

type seriesID struct{ listing, store int64 }

// ratio is a price beside the same series' price before the week.
type ratio struct {
	priced
	before panel.Price
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
	lo, hi := r.next.Rows.Between(startOf(r.released().Add(1)), startOf(r.closed().Add(1)))
	aside := r.setAside()
	before := r.pricesBefore(lo, hi, aside)
	for i := lo; i < hi; {
		week := r.sides().weekOf(r.next.Rows.UnixNano(i))
		ratios, wrong := map[string][]ratio{}, map[string]int{}
		rule := ""
		var passing []priced
		for ; i < hi && r.side.weekOf(r.next.Rows.UnixNano(i)) == week; i++ {
			x, banner, ok := r.active(i)
			if !ok {
				continue
			}
			passes := r.next.Rows.Verdict(i) == panel.Pass
			if passes {
				passing = append(passing, x)
			} else if !r.asideFor(i, aside) {
				continue
			}
			if was := before[x.series()]; was != 0 {
				ratios[banner] = append(ratios[banner], ratio{x, was})
				if !passes {
					wrong[banner]++
					rule = r.next.Rows.Judge(i).Rule()
				}
			}
		}
		for _, banner := range slices.Sorted(maps.Keys(ratios)) {
			if x, ok := outOfScale(ratios[banner]); ok {
				x.Place, x.Week, x.More = banner, week, append(x.More, wrong[banner], rule)
				cases = append(cases, x)
			}
		}
		for _, x := range passing {
			before[x.series()] = x.price
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

func (x *priced) series() seriesID { return seriesID{x.listing, x.store} }

func (r *review) sides() *side {
	if r.side == nil {
		r.side = newSide(r.next, nil)
	}
	return r.side
}

// active returns the i-th row's price and banner, and false if its store, listing or
// product is not active. Banners outside the index count too: shoppers see their prices.
func (r *review) active(i int) (x priced, banner string, ok bool) {
	rows := r.next.Rows
	x = priced{rows.Listing(i), rows.Store(i), rows.Effective(i)}
	site, ok := r.sides().site(x.store)
	if !ok || !site.active || !r.side.listings[x.listing].counts {
		return x, "", false
	}
	return x, site.banner, true
}

// asideFor reports whether the rule of the row's entry set the i-th row aside, and nothing else did.
func (r *review) asideFor(i int, aside map[int64]panel.QuarantineRule) bool {
	rule, ok := aside[r.next.Rows.At(i).ID]
	return ok && r.next.Rows.Judge(i).Rule() == rule.String()
}

// pricesBefore returns the price before row lo of every series that has a row from lo on
// and before hi.
func (r *review) pricesBefore(lo, hi int, aside map[int64]panel.QuarantineRule) map[seriesID]panel.Price {
	rows := r.next.Rows
	before := map[seriesID]panel.Price{}
	sought, open := map[int64]int{}, 0 // series without a price yet: by listing, and all
	for i := lo; i < hi; i++ {
		id := seriesID{rows.Listing(i), rows.Store(i)}
		if _, ok := before[id]; !ok {
			before[id] = 0
			sought[id.listing]++
			open++
		}
	}
	wrong := map[seriesID]panel.Price{}
	for i := lo - 1; i >= 0 && open > 0; i-- {
		if sought[rows.Listing(i)] == 0 {
			continue
		}
		id := seriesID{rows.Listing(i), rows.Store(i)}
		switch price, ok := before[id]; {
		case !ok || price != 0:
		case rows.Verdict(i) == panel.Pass:
			before[id] = rows.Effective(i)
			sought[id.listing]--
			open--
		case wrong[id] == 0 && r.asideFor(i, aside):
			wrong[id] = rows.Effective(i)
		}
	}
	for id, price := range wrong {
		if before[id] == 0 {
			before[id] = price
		}
	}
	return before
}

// setAside returns the rule of each row that is set aside for the scale of its price and that no
// other entry names. A row that was corrected, or that an operator listed, is dealt with.
func (r *review) setAside() map[int64]panel.QuarantineRule {
	found, other := map[int64]panel.QuarantineRule{}, map[int64]bool{}
	for _, e := range r.next.Quarantine {
		switch {
		case e.Released || e.Observation == 0:
		case e.Rule.OfScale():
			found[e.Observation] = e.Rule
		default:
			other[e.Observation] = true
		}
	}
	maps.DeleteFunc(found, func(id int64, _ panel.QuarantineRule) bool { return other[id] })
	return found
}

// The rule frozen: so many weeks of one price, in so many series. A few series have one
// price in three weeks by chance.
const (
	frozenWeeks  = 3
	frozenSeries = 20
)

// frozen finds banners whose prices stand still up to a week. The value is the number of series.
// More has the first of the weeks.
func (r *review) frozen() (cases []Case) {
	rows := lastWeek(r.next.Table.Rows)
	if len(rows) == 0 {
		return nil
	}
	last := rows[0].Week
	first := last.Add(1 - frozenWeeks)
	still, moved := r.frozenBanners(first, last)
	for _, banner := range slices.Sorted(maps.Keys(still)) {
		if !moved[banner] && still[banner] >= frozenSeries {
			cases = append(cases, Case{Place: banner, Week: last, Value: float64(still[banner]), Bound: frozenSeries, More: []any{first}})
		}
	}
	return cases
}

// frozenBanners counts the series of each banner with one price in all of the weeks,
// and notes the banners with a series that moved.
func (r *review) frozenBanners(first, last panel.Week) (still map[string]int, moved map[string]bool) {
	type seen struct {
		banner string
		price  panel.Price // 0: several
		weeks  uint
	}
	series := map[seriesID]*seen{}
	lo, hi := r.next.Rows.Between(startOf(first), startOf(last.Add(1)))
	for i := lo; i < hi; i++ {
		x, banner, ok := r.active(i)
		if !ok || r.next.Rows.Verdict(i) != panel.Pass {
			continue
		}
		s := series[x.series()]
		if s == nil {
			s = &seen{banner: banner, price: x.price}
			series[x.series()] = s
		}
		if s.price != x.price {
			s.price = 0
		}
		s.weeks |= 1 << uint((r.side.weekOf(r.next.Rows.UnixNano(i))-first)/7)
	}
	still, moved = map[string]int{}, map[string]bool{}
	for _, s := range series {
		switch {
		case s.weeks != 1<<frozenWeeks-1:
		case s.price == 0:
			moved[s.banner] = true
		default:
			still[s.banner]++
		}
	}
	return still, moved
}
