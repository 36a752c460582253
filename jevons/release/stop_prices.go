package release

import (
	"cmp"
	"fmt"
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

// scale looks at rows that count, or that wrong_scale_row set aside. The price before
// is that of the series' last passing row before the week, so several rows in a week
// are all compared with the weeks before. A series without one has the price of its last
// row that wrong_scale_row set aside: where dollars and cents are as many, the rule sets
// all of them aside.
func (r *review) scale() (evidence []string, remedy string) {
	if len(r.old) == 0 {
		return nil, ""
	}
	lo, hi := r.next.Rows.Between(startOf(r.released().Add(1)), startOf(r.closed().Add(1)))
	aside := r.wrongScale()
	before := r.pricesBefore(lo, hi, aside)
	for i := lo; i < hi; {
		week := r.sides().weekOf(r.next.Rows.UnixNano(i))
		ratios, wrong := map[string][]ratio{}, map[string]int{}
		var passing []priced
		for ; i < hi && r.side.weekOf(r.next.Rows.UnixNano(i)) == week; i++ {
			x, banner, ok := r.active(i)
			if !ok {
				continue
			}
			passes := r.next.Rows.Verdict(i) == panel.Pass
			if passes {
				passing = append(passing, x)
			} else if !r.wrongScaleRow(i, aside) {
				continue
			}
			if was := before[x.series()]; was != 0 {
				ratios[banner] = append(ratios[banner], ratio{x, was})
				if !passes {
					wrong[banner]++
				}
			}
		}
		for _, banner := range slices.Sorted(maps.Keys(ratios)) {
			text := outOfScale(ratios[banner])
			if text == "" {
				continue
			}
			if n := wrong[banner]; n > 0 {
				text += fmt.Sprintf("; wrong_scale_row set %d of them aside", n)
			}
			evidence = append(evidence, fmt.Sprintf("%s, week %s: %s", banner, week, text))
			remedy = cmp.Or(remedy, setAside(banner, week, week))
		}
		for _, x := range passing {
			before[x.series()] = x.price
		}
	}
	return evidence, fmt.Sprintf("import the rows again in the right scale with %s, or set them aside with %s%s",
		correct, remedy, accept(Scale, "the prices are right"))
}

// outOfScale says in words how far the median ratio is off, or returns nothing.
func outOfScale(list []ratio) string {
	slices.SortStableFunc(list, func(a, b ratio) int { return cmp.Compare(a.value(), b.value()) })
	low, high := list[(len(list)-1)/2], list[len(list)/2]
	middle := (low.value() + high.value()) / 2
	var text string
	switch {
	case middle > mostScale:
		text = fmt.Sprintf("%.2f times", middle)
	case middle < 1.0/mostScale:
		text = fmt.Sprintf("1/%.2f of", 1/middle)
	default:
		return ""
	}
	return fmt.Sprintf("the median of %d prices is %s the price of the same listing and store before, such as %s after %s of listing %d at store %d",
		len(list), text, low.price, low.before, low.listing, low.store)
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

// wrongScaleRow reports whether the rule of that name set the i-th row aside, and nothing else did.
func (r *review) wrongScaleRow(i int, aside map[int64]bool) bool {
	return r.next.Rows.Judge(i).Rule() == panel.WrongScaleRow.String() && aside[r.next.Rows.At(i).ID]
}

// pricesBefore returns the price before row lo of every series that has a row from lo on
// and before hi.
func (r *review) pricesBefore(lo, hi int, aside map[int64]bool) map[seriesID]panel.Price {
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
		case wrong[id] == 0 && r.wrongScaleRow(i, aside):
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

// wrongScale returns the ids of the rows that wrong_scale_row sets aside and no other
// entry names. A row that was corrected, or that an operator listed, is dealt with.
func (r *review) wrongScale() map[int64]bool {
	found, other := map[int64]bool{}, map[int64]bool{}
	for _, e := range r.next.Quarantine {
		switch {
		case e.Released || e.Observation == 0:
		case e.Rule == panel.WrongScaleRow:
			found[e.Observation] = true
		default:
			other[e.Observation] = true
		}
	}
	maps.DeleteFunc(found, func(id int64, _ bool) bool { return other[id] })
	return found
}

// The rule frozen: so many weeks of one price, in so many series. A few series have one
// price in three weeks by chance.
const (
	frozenWeeks  = 3
	frozenSeries = 20
)

func (r *review) frozen() (evidence []string, remedy string) {
	rows := lastWeek(r.next.Table.Rows)
	if len(rows) == 0 {
		return nil, ""
	}
	last := rows[0].Week
	first := last.Add(1 - frozenWeeks)
	still, moved := r.frozenBanners(first, last)
	for _, banner := range slices.Sorted(maps.Keys(still)) {
		if !moved[banner] && still[banner] >= frozenSeries {
			evidence = append(evidence, fmt.Sprintf("%s: all %d series with a row in each of the weeks %s to %s have one price in all of them",
				banner, still[banner], first, last))
			remedy = cmp.Or(remedy, setAside(banner, first.Add(1), last))
		}
	}
	return evidence, fmt.Sprintf("compare some of the newest rows with what the shop asks; if a copy was collected, set its rows aside with %s%s",
		remedy, accept(Frozen, "the prices did not move"))
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
