package jevons

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Relative is the price of one matched model against its base price.
type Relative[K cmp.Ordered] struct {
	Key   K       // the model
	Value float64 // current price / base price
}

// Matched returns the price relatives current/base of the models that have a
// price in both periods, by key ascending. A model that is missing in either
// has no relative: nothing is imputed or carried forward.
//
// It returns ErrNotPositive, naming the model, when a price in either period or
// their ratio is not a finite number above 0; no match at all is an empty slice.
func Matched[K cmp.Ordered](base, current map[K]float64) ([]Relative[K], error) {
	if err := checkPrices("base", base); err != nil {
		return nil, err
	}
	if err := checkPrices("current", current); err != nil {
		return nil, err
	}
	matched := make([]Relative[K], 0, min(len(base), len(current)))
	for k, b := range base {
		if c, ok := current[k]; ok {
			matched = append(matched, Relative[K]{k, c / b})
		}
	}
	slices.SortFunc(matched, func(a, b Relative[K]) int { return cmp.Compare(a.Key, b.Key) })
	for _, m := range matched {
		if !(m.Value > 0) || math.IsInf(m.Value, 1) {
			return nil, fmt.Errorf("%w: the relative of %v is %v", ErrNotPositive, m.Key, m.Value)
		}
	}
	return matched, nil
}

// checkPrices names the first model, by key, whose price is no price.
func checkPrices[K cmp.Ordered](period string, prices map[K]float64) error {
	for _, k := range slices.Sorted(maps.Keys(prices)) {
		if price := prices[k]; !(price > 0) || math.IsInf(price, 1) {
			return fmt.Errorf("%w: the %s price of %v is %v", ErrNotPositive, period, k, price)
		}
	}
	return nil
}
