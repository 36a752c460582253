package jevons

import "math"

// stretch is some weeks to compute side by side: their log prices, at most
// width of them, those of the week before the first, and of the base week.
type stretch struct {
	now          [][]float64
	before, base []float64
}

// measure computes, for the geographies of a plan, the means over stores of all
// streams, and gathers them by category in w.acc.
func (l *layout) measure(w *scratch, p *plan, weeks stretch) {
	clear(w.acc)
	for i := range p.parts {
		part := &p.parts[i]
		w.read(part, weeks, l.store)
		w.combine(part)
		w.takeMeans(part)
		l.gather(w, part)
	}
}

// addedAtOnce is how many stores are added up before their sum is added to those
// before: a sum of thousands that grows by one value at a time would lose digits
// that decide how a level is rounded.
const addedAtOnce = 64

// read fills in the columns of the part's stores, and the points of its banners
// with their sums.
func (w *scratch) read(part *part, weeks stretch, store []int32) {
	c := 0
	for i := range part.runs {
		r := &part.runs[i]
		w.transpose(r, weeks.now)
		p := &w.points[i]
		*p = pointSums{}
		before, base := weeks.before[r.lo:r.hi], weeks.base[r.lo:r.hi]
		if r.shared {
			c = w.readShared(c, before, base, store[r.lo:r.hi], p)
			continue
		}
		var some pointSums
		for k := range before {
			column := w.column(c)
			column.relate(&w.series[k], before[k], base[k])
			some.addColumn(column)
			c++
			if k%addedAtOnce == addedAtOnce-1 {
				p.add(&some)
				some = pointSums{}
			}
		}
		p.add(&some)
	}
}

// transpose copies the log prices of a run's series, each with its weeks in a
// row. Weeks that are not there have no prices.
func (w *scratch) transpose(r *run, now [][]float64) {
	for j := range width {
		if j >= len(now) {
			for i := range r.hi - r.lo {
				w.series[i][j] = math.NaN()
			}
			continue
		}
		for i, v := range now[j][r.lo:r.hi] {
			w.series[i][j] = v
		}
	}
}

// readShared does what read does for a run in which stores have several series:
// their means stand for the stores. It returns the place of the next column.
func (w *scratch) readShared(c int, before, base []float64, store []int32, p *pointSums) int {
	for i := 0; i < len(store); c++ {
		var sums pointSums
		for of := store[i]; i < len(store) && store[i] == of; i++ {
			var values [numStreams]band
			one := column{&values[prices], &values[relatives], &values[earlier], &values[later]}
			one.relate(&w.series[i], before[i], base[i])
			sums.addColumn(one)
		}
		for s := range numStreams {
			for j, total := range sums.total[s] {
				// Without values that is 0/0, NaN.
				w.values[s][c][j] = total / float64(sums.count[min(s, earlier)].at(j))
			}
		}
		p.addColumn(w.column(c))
	}
	return c
}

// column returns the c-th store's.
func (w *scratch) column(c int) column {
	return column{&w.values[prices][c], &w.values[relatives][c], &w.values[earlier][c], &w.values[later][c]}
}

// combine puts cities together from banners, and the nation from cities.
func (w *scratch) combine(part *part) {
	for i := len(part.runs); i < len(part.points); i++ {
		p := &w.points[i]
		*p = pointSums{}
		for from := part.points[i].from; from < part.points[i].to; from++ {
			p.add(&w.points[from])
		}
	}
}

// takeMeans makes means of the sums of the points that are wanted.
func (w *scratch) takeMeans(part *part) {
	for i := range part.points {
		at := &part.points[i]
		if at.geo < 0 {
			continue
		}
		w.trimmer.forget()
		p := &w.points[i]
		most := w.trim[at.hi-at.lo]
		for s := range numStreams {
			count, total := p.count[min(s, earlier)], &p.total[s]
			for j := range total {
				n := count.at(j)
				if most == 0 || w.trim[n] == 0 {
					total[j] *= w.inverse[n]
				} else {
					total[j] = w.trimmer.mean(w.values[s][at.lo:at.hi], part.shared, s, j, n, int(w.trim[n]), total[j], &w.near[s][part.first+i])
				}
			}
		}
	}
}
