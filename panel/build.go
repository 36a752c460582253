package panel

import (
	"cmp"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/larder-index/larder/basket"
)

// Build returns the panel. The builder must not be used afterwards.
func (b *Builder) Build() (*Panel, error) {
	if err := b.ready(); err != nil {
		return nil, err
	}
	p := &Panel{
		base: b.base, about: b.about, products: b.products, cities: b.cities, banners: b.banners,
		stores: b.stores, listings: b.listings, pilot: b.pilot, annotations: b.annotations, counts: b.counts,
	}
	slices.SortStableFunc(p.annotations, func(x, y Annotation) int { return CompareAnnotations(&x, &y) })
	p.about.BaseWeek = b.base
	series, rank := b.sortSeries()
	for i, x := range p.products {
		p.productAt.set(int64(x.ID), int32(i))
	}
	for i, x := range p.stores {
		p.storeAt.set(x.ID, int32(i))
	}
	for i, x := range p.listings {
		p.listingAt.set(x.ID, int32(i))
	}
	p.fill(series, rank, b.prices)
	*b = Builder{err: errors.New("panel: the builder was used already")}
	return p, nil
}

// sortSeries puts the reference lists into the panel's order and returns the
// series of the slots in theirs, with the rank of each slot.
func (b *Builder) sortSeries() (series []Series, rank []int32) {
	product := sortWithRank(b.products, func(x, y basket.Product) int { return x.ID - y.ID })
	city := sortWithRank(b.cities, func(x, y basket.City) int { return strings.Compare(x.Name, y.Name) })
	banner := sortWithRank(b.banners, func(x, y basket.Banner) int { return strings.Compare(x.Key, y.Key) })
	store := sortWithRank(b.stores, func(x, y Store) int { return cmp.Compare(x.ID, y.ID) })
	listing := sortWithRank(b.listings, func(x, y Listing) int { return cmp.Compare(x.ID, y.ID) })
	series = make([]Series, len(b.slots))
	for i, s := range b.slots {
		m, st := b.listingRef[s.listing], b.storeRef[s.store]
		series[i] = Series{
			Product: product[m.product], City: city[st.city], Banner: banner[st.banner],
			Store: store[s.store], Listing: listing[s.listing],
		}
	}
	return series, sortWithRank(series, Series.compare)
}

func (s Series) compare(t Series) int {
	return cmp.Or(cmp.Compare(s.Product, t.Product), cmp.Compare(s.City, t.City), cmp.Compare(s.Banner, t.Banner),
		cmp.Compare(s.Store, t.Store), cmp.Compare(s.Listing, t.Listing))
}

// sortWithRank sorts list in place and returns the new place of each old one.
func sortWithRank[T any](list []T, compare func(x, y T) int) []int32 {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return compare(list[i], list[j]) })
	old := slices.Clone(list)
	rank := make([]int32, len(list))
	for place, i := range order {
		list[place] = old[i]
		rank[i] = int32(place)
	}
	return rank
}

// cell is one counted price before the panel is laid out.
type cell struct {
	slot  int32
	week  Week
	price Price
}

// chunks holds cells in pieces, so growing never copies them.
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

// repeated is one of several prices of a series in one week.
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
	logs := make([]float64, len(times))
	for i := range logs {
		logs[i] = math.NaN()
	}
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

// fillRepeated takes the means of the cells with several prices. It adds prices
// in ascending order, so the order in which they were added to the panel can't
// change the last bit of a mean.
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
