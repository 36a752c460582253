package assess

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// fit is a least-squares fit of log levels to log changes between weeks: it minimizes the sum of
// w (x_t - x_s - change)^2 over all changes.
type fit struct {
	weeks  int
	weight []float64 // by pair of weeks: the sum of w
	sum    []float64 // by pair of weeks, s before t: the sum of w times the change
}

func newFit(weeks int) *fit {
	return &fit{weeks, make([]float64, weeks*weeks), make([]float64, weeks*weeks)}
}

func (f *fit) add(s, t int, w, change float64) {
	f.weight[s*f.weeks+t] += w
	f.sum[s*f.weeks+t] += w * change
}

// addSeries adds log prices of a series, NaN where there is none, with a weight for each week. It makes the
// fit a time-product dummy: to fit a level of the series beside those of the weeks is to fit all of its
// changes, each with the weight w_s w_t / (the sum of w).
func (f *fit) addSeries(logs, weights []float64) {
	total := 0.0
	for k, log := range logs {
		if log == log {
			total += weights[k]
		}
	}
	for s, from := range logs {
		for t := s + 1; t < len(logs) && from == from; t++ {
			if to := logs[t]; to == to {
				f.add(s, t, weights[s]*weights[t]/total, to-from)
			}
		}
	}
}

// levels returns the log level of each week, 0 in the given one, and NaN where no changes link it with that one.
func (f *fit) levels(base int) []float64 {
	levels := make([]float64, f.weeks)
	for k := range levels {
		levels[k] = math.NaN()
	}
	levels[base] = 0
	linked := f.linked(base)
	if len(linked) == 0 {
		return levels
	}
	a, b := mat.NewSymDense(len(linked), nil), mat.NewVecDense(len(linked), nil)
	for i, t := range linked {
		diagonal, right := 0.0, 0.0
		for s := range f.weeks {
			w, sum := f.pair(s, t)
			diagonal, right = diagonal+w, right+sum
		}
		a.SetSym(i, i, diagonal)
		b.SetVec(i, right)
		for j, s := range linked[:i] {
			w, _ := f.pair(s, t)
			a.SetSym(i, j, -w)
		}
	}
	var cholesky mat.Cholesky
	var x mat.VecDense
	if cholesky.Factorize(a) && cholesky.SolveVecTo(&x, b) == nil {
		for i, k := range linked {
			levels[k] = x.AtVec(i)
		}
	}
	return levels
}

// pair returns the weight of the changes from week s to week t, and their weighted sum.
func (f *fit) pair(s, t int) (w, sum float64) {
	if s > t {
		return f.weight[t*f.weeks+s], -f.sum[t*f.weeks+s]
	}
	return f.weight[s*f.weeks+t], f.sum[s*f.weeks+t]
}

// linked returns the other weeks that changes link with the given one.
func (f *fit) linked(base int) (weeks []int) {
	found, open := make([]bool, f.weeks), []int{base}
	found[base] = true
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		for t := range f.weeks {
			if w, _ := f.pair(s, t); w > 0 && !found[t] {
				found[t] = true
				open, weeks = append(open, t), append(weeks, t)
			}
		}
	}
	return weeks
}
