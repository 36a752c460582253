package jevons

import "math"

// means computes elementary aggregates: for each point of the runs, the
// trimmed mean of the store means of values, NaN where no store has one.
//
//	dst     by point; places of points that the runs don't want stay as they are
//	values  by series: log relatives or log prices; NaN where there is none
//	near    by point: the tails of a week like this one, for the trimmer
//
// One pass serves a product's banners, cities and the nation: the stores of a
// city are those of its banners in a row. Trimming reorders only within what
// has been read, and a set's mean does not depend on its order.
func (l *layout) means(dst, values []float64, runs []run, trim Share, s *scratch, near []tails) {
	mean := func(point int32, x []float64) {
		if point >= 0 {
			dst[point] = s.trimmer.mean(x, trim.Of(len(x)), &near[point])
		}
	}
	buf, n, cityStart := s.buf, 0, 0
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
		mean(r.banner, buf[start:n])
		if r.lastOfCity {
			mean(r.city, buf[cityStart:n])
			cityStart = n
		}
		if r.lastOfProduct {
			mean(r.nation, buf[:n])
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
