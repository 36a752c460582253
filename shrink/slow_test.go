package shrink_test

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// slowDetect finds the events straight from the published rule. For every pair of
// sizes it looks at the rows up to each row in turn, store by store, until three
// of them show the new size. It shares no code with Detect.
func slowDetect(p basket.Product, rows []panel.Observation) []panel.ShrinkEvent {
	if p.SoldBy == basket.ByKilogram {
		return nil
	}
	var list []slowRow
	all := map[float64]bool{}
	for _, o := range rows {
		if s, err := basket.ParseSize(o.PackageSize); err == nil && !s.PerWeight {
			if size, ok := s.In(p.Unit); ok {
				list = append(list, slowRow{o, size})
				all[size] = true
			}
		}
	}
	slices.SortFunc(list, func(a, b slowRow) int {
		return cmp.Or(a.ObservedAt.Compare(b.ObservedAt), cmp.Compare(a.ID, b.ID))
	})
	var events []panel.ShrinkEvent
	for from := range all {
		for to := range all {
			if to >= from {
				continue
			}
			for n := range list {
				done, e := slowPair(p, list[:n+1], from, to)
				if e != nil {
					events = append(events, *e)
				}
				if done {
					break
				}
			}
		}
	}
	slices.SortFunc(events, func(a, b panel.ShrinkEvent) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	return events
}

type slowRow struct {
	panel.Observation
	size float64
}

// slowPair reports whether the rows hold three that show the new size at the
// switched stores, and the event if no such store has gone back.
func slowPair(p basket.Product, rows []slowRow, from, to float64) (bool, *panel.ShrinkEvent) {
	byStore := map[int64][]slowRow{}
	var start *slowRow // the first row of the new size
	for i, r := range rows {
		if start == nil && r.size == to {
			start = &rows[i]
		}
		byStore[r.Store] = append(byStore[r.Store], r)
	}
	var before, after, shown []slowRow
	back := false
	for _, list := range byStore {
		for i := 1; i < len(list); i++ {
			if list[i-1].size != from || list[i].size != to || i > 1 && list[i-2].size == to {
				continue
			}
			if i == 1 && (start.ObservedAt.Before(list[0].ObservedAt) || start.ObservedAt.Equal(list[0].ObservedAt) && start.ID < list[0].ID) {
				continue // another store showed the new size before this one's first row
			}
			before, after = append(before, list[i-1]), append(after, list[i])
			for _, r := range list[i:] {
				if r.size == to {
					shown = append(shown, r)
				}
				back = back || r.size > to
			}
			break // the first switch: a second one would mean that it went back
		}
	}
	if len(shown) < 3 {
		return false, nil
	}
	if back {
		return true, nil
	}
	first := 0
	for i, r := range after {
		if c := r.ObservedAt.Compare(after[first].ObservedAt); c < 0 || c == 0 && r.ID < after[first].ID {
			first = i
		}
	}
	old, new, standard := decimal.NewFromFloat(from), decimal.NewFromFloat(to), decimal.NewFromFloat(p.StandardSize)
	oldPrice, newPrice := slowMedian(before), slowMedian(after)
	e := &panel.ShrinkEvent{
		ID: slowID(rows[0].Listing, from, to), Listing: rows[0].Listing, SizeUnit: p.Unit.String(),
		OldPackageSize: before[first].PackageSize, NewPackageSize: after[first].PackageSize, OldSize: from, NewSize: to,
		PctSizeChange: slowPercent(old, new), PctUnitPriceChange: slowPercent(oldPrice, newPrice),
		OldUnitPrice: slowQuotient(oldPrice, standard), NewUnitPrice: slowQuotient(newPrice, standard),
		DetectedAt: rows[len(rows)-1].ObservedAt,
	}
	e.ShelfPrice = panel.Price(slowPrice(after[first]).Mul(new).DivRound(standard, 2).Shift(4).IntPart())
	for _, r := range slices.Concat(before, after, shown) {
		if !slices.Contains(e.Observations, r.ID) {
			e.Observations = append(e.Observations, r.ID)
		}
	}
	slices.Sort(e.Observations)
	return true, e
}

func slowPrice(r slowRow) decimal.Decimal {
	if r.Regular != 0 && r.RegularSource != panel.AssumedEqual {
		return r.Regular.Decimal()
	}
	return r.Effective.Decimal()
}

func slowMedian(rows []slowRow) decimal.Decimal {
	var prices []decimal.Decimal
	for _, r := range rows {
		prices = append(prices, slowPrice(r))
	}
	slices.SortFunc(prices, decimal.Decimal.Cmp)
	if n := len(prices); n%2 == 0 {
		return prices[n/2].Add(prices[n/2-1]).Div(decimal.NewFromInt(2))
	}
	return prices[len(prices)/2]
}

func slowPercent(old, new decimal.Decimal) panel.Fixed {
	if new.Mul(decimal.NewFromInt(5)).LessThan(old.Mul(decimal.NewFromInt(4))) {
		return panel.FixedOf(-20_0000)
	}
	return panel.FixedOf(new.Sub(old).Mul(decimal.NewFromInt(100)).DivRound(old, 4).Shift(4).IntPart())
}

// slowQuotient has 300 bits before it rounds to a float64.
func slowQuotient(a, b decimal.Decimal) float64 {
	f := func(d decimal.Decimal) *big.Float {
		x, _, err := big.ParseFloat(d.String(), 10, 300, big.ToNearestEven)
		if err != nil {
			panic(err)
		}
		return x
	}
	x, _ := new(big.Float).SetPrec(300).Quo(f(a), f(b)).Float64()
	return x
}

// slowID is FNV-1a as its authors define it, its top 12 bits folded in.
func slowID(listing int64, old, new float64) int64 {
	g := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	h := uint64(14695981039346656037)
	for _, c := range []byte(strconv.FormatInt(listing, 10) + " " + g(old) + " " + g(new)) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return max(1, int64(math.MaxUint64>>12&h^h>>52))
}
