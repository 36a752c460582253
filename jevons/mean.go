package jevons

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Conditions of the data that the exported parts report.
var (
	ErrEmpty       = errors.New("jevons: no values")
	ErrNotPositive = errors.New("jevons: a price or relative is not a finite number above 0")
	ErrWeight      = errors.New("jevons: a weight is not a finite number of at least 0, or all are 0")
)

// Mean returns the Jevons elementary aggregate of price relatives, their
// unweighted geometric mean exp(1/n Σ ln r). It is computed from logarithms,
// so it neither overflows nor underflows. The result has the relatives' unit:
// 1.07 is a rise of 7%.
//
// It returns ErrEmpty for no relatives and ErrNotPositive when one is not a
// finite number above 0.
//
// Source: ILO et al., Consumer Price Index Manual: Theory (2020), ch. 6.
func Mean(relatives []float64) (float64, error) {
	return TrimmedGeoMean(relatives, Percent(0))
}

// TrimmedGeoMean returns the geometric mean of the values that are left when
// floor(trim * n) of the smallest and as many of the largest are dropped:
// exp of TrimmedMean of their logarithms. It does not change values.
//
// It returns ErrEmpty for no values and ErrNotPositive when one is not a
// finite number above 0. It panics when trim is not from 0 to under one half, the
// zero Share included.
func TrimmedGeoMean(values []float64, trim Share) (float64, error) {
	t := trimCount(len(values), trim)
	logs := make([]float64, len(values))
	for i, v := range values {
		if !(v > 0) || math.IsInf(v, 1) {
			return 0, fmt.Errorf("%w: value %d is %v", ErrNotPositive, i, v)
		}
		logs[i] = math.Log(v)
	}
	if len(logs) == 0 {
		return 0, ErrEmpty
	}
	return math.Exp(sortAndTrim(logs, t)), nil
}

// TrimmedMean returns the arithmetic mean of the values that are left when
// floor(trim * n) of the smallest and as many of the largest are dropped. The
// count is taken in integers. It is R's mean(x, trim) and SciPy's
// stats.trim_mean. It does not change values.
//
// It returns ErrEmpty for no values; a NaN or infinite value gives NaN. It
// panics when trim is not from 0 to under one half, the zero Share included.
func TrimmedMean(values []float64, trim Share) (float64, error) {
	t := trimCount(len(values), trim)
	if len(values) == 0 {
		return 0, ErrEmpty
	}
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return math.NaN(), nil
		}
	}
	return sortAndTrim(slices.Clone(values), t), nil
}

// sortAndTrim sorts x and averages what is left without t values at each end.
// What is dropped is in no sum, however large it is.
func sortAndTrim(x []float64, t int) float64 {
	slices.Sort(x)
	kept := x[t : len(x)-t]
	return sum(kept) / float64(len(kept))
}

func trimCount(n int, trim Share) int {
	if err := trim.checkTrim(); err != nil {
		panic("jevons: " + err.Error())
	}
	return trim.Of(n)
}

// WeightedGeoMean returns the weighted geometric mean of the values,
// exp(Σ w ln v / Σ w): how product relatives make a category's, and category
// relatives the headline's. Weights need not sum to 1. A value of weight 0
// does not count.
//
// It returns ErrEmpty for no values, ErrNotPositive when a value is not a
// finite number above 0, and ErrWeight when a weight is negative or not
// finite, or when all are 0. It panics when the lengths differ.
func WeightedGeoMean(values, weights []float64) (float64, error) {
	if len(values) != len(weights) {
		panic(fmt.Sprintf("jevons: %d values and %d weights", len(values), len(weights)))
	}
	if len(values) == 0 {
		return 0, ErrEmpty
	}
	largest := slices.Max(weights) // the unit, so that their sum can't overflow
	var num, den float64
	for i, v := range values {
		if !(v > 0) || math.IsInf(v, 1) {
			return 0, fmt.Errorf("%w: value %d is %v", ErrNotPositive, i, v)
		}
		w := weights[i]
		if !(w >= 0) || math.IsInf(w, 1) {
			return 0, fmt.Errorf("%w: weight %d is %v", ErrWeight, i, w)
		}
		if w > 0 {
			num += w / largest * math.Log(v)
			den += w / largest
		}
	}
	if den == 0 {
		return 0, ErrWeight
	}
	return math.Exp(num / den), nil
}

// sum adds in four lanes, which a processor can run side by side.
func sum(x []float64) float64 {
	var a, b, c, d float64
	for len(x) >= 4 {
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
		x = x[4:]
	}
	for _, v := range x {
		a += v
	}
	return (a + b) + (c + d)
}
