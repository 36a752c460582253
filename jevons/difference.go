package jevons

import (
	"fmt"
	"maps"
	"slices"

	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// Difference compares the level of a row with a city's, of the same week and category. Only the
// products that both have count: with rho_i those of the row and sigma_i those of the city,
//
//	D = Σ share_i (rho_i - sigma_i)
//
// Where both have the same products, exp(D) is the ratio of the two levels. The error of D is less
// than the two levels' errors suggest, for most products move alike in both places.
type Difference struct {
	City    string
	Percent panel.Fixed // 100 (exp(D) - 1), four decimals; null where the two can't be compared
	// Low and High are the ends of its 95% interval: the jackknife of Quality, of D. They are null
	// on rows of a category, and where the level of a headline would have none.
	Low, High panel.Fixed
}

// WithDifferences returns the rows, which must be the table's own, with an Extra that has their
// Difference to the city beside what it had. A difference is null where the city has no row, where
// the two levels have different bases, and where the products that both have are under the floor.
// The error is that of Explain, or says that there is no such city.
func (t *Table) WithDifferences(rows []Row, city string) ([]Row, error) {
	if err := t.readable(); err != nil {
		return nil, err
	}
	e := *t.engine // with workers of its own
	to, found := e.geography(Cell{Level: City, City: city})
	if !found {
		return nil, fmt.Errorf("jevons: no city has the name %q", city)
	}
	all, of := withExtras(rows), map[question][]*Row{}
	for i := range all {
		r := &all[i]
		r.Extra.Difference = &Difference{City: city}
		other := t.Find(r.Week, *e.cells[to*len(e.slices)+r.Cell.Category.Index()])
		if other != nil && other.Base == r.Base {
			q := t.question(r)
			q.before = 0 // the same for all
			of[q] = append(of[q], r)
		}
	}
	makers, questions := newAssessment(&e).makers, slices.Collect(maps.Keys(of))
	e.each(len(questions), func(w *worker, i int) {
		q := questions[i]
		e.eachItem(w, 0, weeks{now: [][]float64{e.logs[q.week]}, before: e.none, base: e.logs[q.base]}, w.keep)
		for _, r := range of[q] {
			e.compare(w, r, to, makers)
		}
	})
	return all, nil
}

// compare notes the difference of a row to geography `to`, in the week that w has kept.
func (e *engine) compare(w *worker, r *Row, to int, makers [][][]int32) {
	strata := make([]stratum, len(e.slices))
	from, _ := e.geography(*r.Cell)
	sum, weights, items := 0.0, 0.0, 0
	slice := r.Cell.Category.Index()
	value := func(p int32) (float64, bool) {
		a, b := w.kept(from, p), w.kept(to, p)
		both := a.Count(lanes.Relatives)[0] > 0 && b.Count(lanes.Relatives)[0] > 0
		return a.Total[lanes.Relatives][0] - b.Total[lanes.Relatives][0], both
	}
	for c := 1; c < len(strata); c++ {
		mean, weight := 0.0, 0.0
		for p := range e.products {
			x := &e.products[p]
			if v, both := value(int32(p)); both && e.sliceOf[p] == c && (slice == headline || slice == c) {
				mean, weight, items = mean+x.Weight*v, weight+x.Weight, items+1
			}
		}
		if weight > 0 {
			mean /= weight
			strata[c] = e.leaveOutEach(makers[c], mean, weight, value)
			sum, weights = sum+e.slices[c].weight*mean, weights+e.slices[c].weight
		}
	}
	if items == 0 || !e.opts.Floor.metBy(items, e.slices[slice].items) {
		return
	}
	percent := func(d float64) panel.Fixed { return round(100*(lanes.Exp(d)-1), fourDecimals) }
	d, x := sum/weights, r.Extra.Difference
	se, t, _ := w.standardError(strata, slice)
	x.Percent, x.Low, x.High = percent(d), percent(d-t*se), percent(d+t*se)
}
