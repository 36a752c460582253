package panel

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
)

// cell is one counted price before the panel is laid out.
type cell struct {
	slot  int32
	week  Week
	price Price
}

// chunks holds cells in pieces, so that growing never copies what is there.
type chunks struct {
	full [][]cell
	last []cell
}

const chunkSize = 1 << 15

func (c *chunks) add(x cell) {
	if len(c.last) == cap(c.last) {
		if c.last != nil {
			c.full = append(c.full, c.last)
		}
		c.last = make([]cell, 0, chunkSize)
	}
	c.last = append(c.last, x)
}

func (c *chunks) all() [][]cell { return append(c.full, c.last) }

// repeated is a price of a series that has several in one week.
type repeated struct {
	at  int // place in the block
	log float64
}

// fill lays the prices out as one dense block of log prices for each week.
func (p *Panel) fill(series []Series, rank []int32, prices chunks) {
	pieces := prices.all()
	p.series = series
	weeks := weeksOf(pieces)
	if len(weeks) == 0 {
		return
	}
	n := len(series)
	place := make([]int32, (weeks[len(weeks)-1]-weeks[0])/7+1)
	for k, w := range weeks {
		place[(w-weeks[0])/7] = int32(k)
	}
	at := func(c cell) int { return int(place[(c.week-weeks[0])/7])*n + int(rank[c.slot]) }

	times := make([]uint8, n*len(weeks)) // prices of a cell: 0, 1, or 2 for more
	for _, piece := range pieces {
		for _, c := range piece {
			if t := &times[at(c)]; *t < 2 {
				*t++
			}
		}
	}
	logs := withoutPrices(len(times))
	workers := runtime.GOMAXPROCS(0)
	several := make([][]repeated, workers)
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			for _, piece := range pieces[len(pieces)*k/workers : len(pieces)*(k+1)/workers] {
				for _, c := range piece {
					if i := at(c); times[i] == 1 {
						logs[i] = c.price.Log()
					} else {
						several[k] = append(several[k], repeated{i, c.price.Log()})
					}
				}
			}
		})
	}
	wg.Wait()
	fillRepeated(logs, slices.Concat(several...))
	p.weeks = weeks
	for k := range weeks {
		p.logs = append(p.logs, logs[k*n:(k+1)*n:(k+1)*n])
	}
}

// withoutPrices returns a block of n gaps.
func withoutPrices(n int) []float64 {
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = math.NaN()
	}
	return logs
}

// fillRepeated takes the means of the cells with several prices. They are
// summed in ascending order, so that the order in which prices were added
// can't change the last bit of a mean.
func fillRepeated(logs []float64, several []repeated) {
	slices.SortFunc(several, func(a, b repeated) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.log, b.log))
	})
	for i := 0; i < len(several); {
		j, sum := i, 0.0
		for ; j < len(several) && several[j].at == several[i].at; j++ {
			sum += several[j].log
		}
		logs[several[i].at] = sum / float64(j-i)
		i = j
	}
}

// weeksOf returns the distinct weeks of the cells, ascending.
func weeksOf(pieces [][]cell) []Week {
	seen := map[Week]bool{}
	last := Week(math.MinInt32)
	for _, piece := range pieces {
		for _, c := range piece {
			if c.week != last {
				last = c.week
				seen[last] = true
			}
		}
	}
	weeks := make([]Week, 0, len(seen))
	for w := range seen {
		weeks = append(weeks, w)
	}
	slices.Sort(weeks)
	return weeks
}
