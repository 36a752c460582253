package jevons

import "math"

// stream takes the trimmed means of one kind of value, log prices or log
// relatives, point by point, as the runs of a product go by. The stores of a
// city are those of its banners in a row, and the nation's those of its cities,
// so one pass serves all three.
type stream struct {
	out  []float64 // by point: the means; NaN where no store has a value
	near []tails   // by point: those of a week like this one
	buf  []float64 // the product's values so far, one for each store
	n    int       // how many they are
	city int       // where the current city's begin

	citySum, nationSum float64
}

// close ends a run that has brought the values in buf up to place n, with the
// given sum.
func (s *stream) close(r *run, n int, sum float64, w *scratch) {
	if r.banner >= 0 {
		s.out[r.banner] = w.mean(s.buf[s.n:n], sum, &s.near[r.banner])
	}
	s.n = n
	s.citySum += sum
	if !r.lastOfCity {
		return
	}
	if r.city >= 0 {
		s.out[r.city] = w.mean(s.buf[s.city:n], s.citySum, &s.near[r.city])
	}
	s.nationSum += s.citySum
	s.city, s.citySum = n, 0
	if !r.lastOfProduct {
		return
	}
	if r.nation >= 0 {
		s.out[r.nation] = w.mean(s.buf[:n], s.nationSum, &s.near[r.nation])
	}
	s.n, s.city, s.nationSum = 0, 0, 0
}

// mean returns the trimmed mean of x, whose sum is given; NaN for none.
func (s *scratch) mean(x []float64, sum float64, near *tails) float64 {
	t := s.trim[len(x)]
	if t == 0 {
		return sum / float64(len(x))
	}
	return s.trimmer.mean(x, int(t), sum, near)
}

// levelsAndPrices computes the means of a week's log prices, and of its log
// relatives against base where both have a price.
func (l *layout) levelsAndPrices(prices, relatives *stream, now, base []float64, w *scratch) {
	for i := range l.all.runs {
		r := &l.all.runs[i]
		if r.shared {
			l.closeShared(prices, r, w, func(i int32) float64 { return now[i] })
			l.closeShared(relatives, r, w, func(i int32) float64 { return now[i] - base[i] })
			continue
		}
		c := now[r.lo:r.hi]
		b := base[r.lo:r.hi][:len(c)]
		p, q := prices.n, relatives.n
		pSum, qSum := 0.0, 0.0
		for j, v := range c {
			d := v - b[j]
			none, noneQ := isNaN(v), isNaN(d)
			prices.buf[p], relatives.buf[q] = v, d
			p += 1 - none
			q += 1 - noneQ
			pSum += unless(none, v)
			qSum += unless(noneQ, d)
		}
		prices.close(r, p, pSum, w)
		relatives.close(r, q, qSum, w)
	}
}

// levels computes the means of a week's log relatives for the given runs.
func (l *layout) levels(relatives *stream, now, base []float64, runs []run, w *scratch) {
	for i := range runs {
		r := &runs[i]
		if r.shared {
			l.closeShared(relatives, r, w, func(i int32) float64 { return now[i] - base[i] })
			continue
		}
		c := now[r.lo:r.hi]
		b := base[r.lo:r.hi][:len(c)]
		n, sum := relatives.n, 0.0
		for j, v := range c {
			d := v - b[j]
			none := isNaN(d)
			relatives.buf[n] = d
			n += 1 - none
			sum += unless(none, d)
		}
		relatives.close(r, n, sum, w)
	}
}

// sameComposition computes the means of the log relatives of two weeks against
// base, over the series that have a price in all three.
func (l *layout) sameComposition(before, after *stream, then, now, base []float64, runs []run, w *scratch) {
	for i := range runs {
		r := &runs[i]
		if r.shared {
			l.closeShared(before, r, w, func(i int32) float64 { return then[i] - base[i] + 0*now[i] })
			l.closeShared(after, r, w, func(i int32) float64 { return now[i] - base[i] + 0*then[i] })
			continue
		}
		c := now[r.lo:r.hi]
		u, b := then[r.lo:r.hi][:len(c)], base[r.lo:r.hi][:len(c)]
		n, uSum, cSum := before.n, 0.0, 0.0
		for j, v := range c {
			x, y := u[j]-b[j], v-b[j]
			none := isNaN(x + y)
			before.buf[n], after.buf[n] = x, y
			n += 1 - none
			uSum += unless(none, x)
			cSum += unless(none, y)
		}
		before.close(r, n, uSum, w)
		after.close(r, n, cSum, w)
	}
}

// closeShared gathers a run in which stores may have several series: their
// means stand for the stores.
func (l *layout) closeShared(s *stream, r *run, w *scratch, value func(i int32) float64) {
	n, sum := s.n, 0.0
	for i := r.lo; i < r.hi; {
		store, total, count := l.store[i], 0.0, 0
		for ; i < r.hi && l.store[i] == store; i++ {
			if v := value(i); !math.IsNaN(v) {
				total += v
				count++
			}
		}
		if count > 0 {
			s.buf[n] = total / float64(count)
			sum += s.buf[n]
			n++
		}
	}
	s.close(r, n, sum, w)
}

// isNaN returns 1 for NaN and 0 for a finite number, without a branch: which
// prices are missing can't be predicted.
func isNaN(v float64) int {
	const infinity = 0x7ff0 << 48
	return int(uint64(infinity-int64(math.Float64bits(v)&^(1<<63))) >> 63)
}

// unless returns v where skip is 0, and 0 where it is 1.
func unless(skip int, v float64) float64 {
	return math.Float64frombits(math.Float64bits(v) & uint64(int64(skip)-1))
}
