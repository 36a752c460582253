package jevons

import "github.com/larder-index/larder/jevons/internal/lanes"

// stretch is some weeks to compute side by side: their log prices, at most
// lanes.Width of them, those of the week before the first, and of the base week.
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
		w.transpose(part, weeks)
		w.read(part, weeks.base, l.store)
		w.combine(part)
		w.takeMeans(part)
		l.gather(w, part)
	}
}

// transpose copies the log prices of a part's series, each with its weeks in a
// row. Weeks that are not there have no prices.
func (w *scratch) transpose(part *part, weeks stretch) {
	lo, hi := part.series()
	var now [lanes.Width][]float64
	for j := range now {
		now[j] = w.none[lo:hi]
		if j < len(weeks.now) {
			now[j] = weeks.now[j][lo:hi]
		}
	}
	lanes.Transpose(w.rows[:hi-lo], weeks.before[lo:hi], &now)
}

// read fills in the columns of the part's stores, and the points of its banners
// with their sums.
func (w *scratch) read(part *part, base []float64, store []int32) {
	first, _ := part.series()
	for i := range part.runs {
		r := &part.runs[i]
		at := &part.points[i]
		columns, rows := w.columns[at.lo:at.hi], w.rows[r.lo-first:r.hi-first]
		if r.several {
			w.readSeveral(columns, rows, base[r.lo:r.hi], store[r.lo:r.hi], &w.points[i])
		} else {
			lanes.Relate(columns, rows, base[r.lo:r.hi], &w.points[i])
		}
	}
}

// readSeveral does what read does for a run in which stores have several series:
// their means stand for the stores.
func (w *scratch) readSeveral(columns []lanes.Column, rows []lanes.Row, base []float64, store []int32, p *lanes.Sums) {
	for i, c := 0, 0; i < len(store); c++ {
		from := i
		for of := store[i]; i < len(store) && store[i] == of; i++ {
		}
		var sums lanes.Sums
		lanes.Relate(w.series[:i-from], rows[from:i], base[from:i], &sums)
		for s := range sums.Total {
			count := sums.Count(s)
			for j, total := range sums.Total[s] {
				columns[c][s][j] = total / count[j] // without values 0/0, NaN
			}
		}
	}
	lanes.AddColumns(p, columns)
}

// combine puts cities together from banners, and the nation from cities.
func (w *scratch) combine(part *part) {
	for i := len(part.runs); i < len(part.points); i++ {
		at := &part.points[i]
		lanes.Add(&w.points[i], w.points[at.from:at.to])
	}
}

// takeMeans makes means of the sums of the points that are wanted.
func (w *scratch) takeMeans(part *part) {
	for i := range part.points {
		at := &part.points[i]
		switch {
		case at.geo < 0:
		case w.trim[at.hi-at.lo] == 0:
			lanes.Divide(&w.points[i])
		default:
			w.tails.Means(&w.points[i], w.columns[at.lo:at.hi], part.several, w.trim, &w.near[part.first+i])
		}
	}
}
