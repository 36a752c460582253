package jevons

import "math"

// means computes elementary aggregates: for each point of the runs, the
// trimmed mean of the store means of values, NaN where no store has one.
//
//	dst     by point; places of points that the runs don't want stay as they are
//	values  by series: log relatives or log prices; NaN where there is none
//	buf     scratch with room for as many values as a product has series
//
// One pass serves a product's banners, cities and the nation: the stores of a
// city are those of its banners in a row. Trimming reorders only within what
// has been read, and a set's mean does not depend on its order.
func (l *layout) means(dst, values, buf []float64, runs []run, trim Share) {
	n, cityStart := 0, 0
	for i := range runs {
		r := &runs[i]
		start := n
		if r.shared {
			n = l.storeMeans(buf, n, values, r.lo, r.hi)
		} else {
			for _, v := range values[r.lo:r.hi] {
				buf[n] = v
				if v == v { // no branch: the place is taken again by the next value
					n++
				}
			}
		}
		if r.banner >= 0 {
			dst[r.banner] = trimmedMean(buf[start:n], trim.Of(n-start))
		}
		if r.lastOfCity {
			if r.city >= 0 {
				dst[r.city] = trimmedMean(buf[cityStart:n], trim.Of(n-cityStart))
			}
			cityStart = n
		}
		if r.lastOfProduct {
			if r.nation >= 0 {
				dst[r.nation] = trimmedMean(buf[:n], trim.Of(n))
			}
			n, cityStart = 0, 0
		}
	}
}

// storeMeans writes the mean of each store's values in series lo to hi to buf
// from place n on, and returns the place after the last.
func (l *layout) storeMeans(buf []float64, n int, values []float64, lo, hi int32) int {
	for i := lo; i < hi; {
		store, total, count := l.store[i], 0.0, 0
		for ; i < hi && l.store[i] == store; i++ {
			if v := values[i]; !math.IsNaN(v) {
				total += v
				count++
			}
		}
		if count > 0 {
			buf[n] = total / float64(count)
			n++
		}
	}
	return n
}

// subtract fills dst with the log relatives of the runs' series, current
// against base: NaN where either price is missing.
func subtract(dst, current, base []float64, runs []run) {
	for i := range runs {
		lo, hi := runs[i].lo, runs[i].hi
		d, c, b := dst[lo:hi], current[lo:hi], base[lo:hi]
		for j := range d {
			d[j] = c[j] - b[j]
		}
	}
}

// subtractPair fills du and dw with the log relatives of the runs' series at u
// and at w against base: both NaN unless all three prices are there.
func subtractPair(du, dw, u, w, base []float64, runs []run) {
	for i := range runs {
		lo, hi := runs[i].lo, runs[i].hi
		x, y, cu, cw, b := du[lo:hi], dw[lo:hi], u[lo:hi], w[lo:hi], base[lo:hi]
		for j := range x {
			all := cu[j] + cw[j] // NaN when either is
			x[j] = (cu[j] - b[j]) + 0*all
			y[j] = (cw[j] - b[j]) + 0*all
		}
	}
}
