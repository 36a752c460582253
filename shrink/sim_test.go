package shrink_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

const listing = 7

var yogurt = basket.Product{
	ID: 1, Name: "Yogurt", Category: basket.Dairy, StandardSize: 750, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true,
}

var start = time.Date(2026, 7, 13, 12, 0, 0, 0, time.UTC)

// rollOut is a simulated listing: one row for each store and week.
type rollOut struct {
	seed          uint64
	stores, weeks int
	old, new      int // grams
	from, span    int // the weeks in which stores switch
	always        int // stores that always carried the smaller pack
	misread       float64
	misreads      []float64 // factors of the size, drawn at random
}

// switched is what really happened at a store.
type switched struct {
	store         int64
	before, after panel.Observation
	later         []panel.Observation // after included
}

// rows returns the rows in the order of time, the stores that switch, and how
// many sizes were misread. The shelf price never changes but for a cent or two,
// so the price on the standard size's basis rises as the pack shrinks.
func (c rollOut) rows() (rows []panel.Observation, stores []switched, misread int) {
	r := rand.New(rand.NewPCG(c.seed, 11))
	for s := range c.stores {
		at := c.from + r.IntN(max(1, c.span))
		if s < c.always {
			at = -1
		}
		shelf := 500 + r.IntN(60) // cents
		sw := switched{store: int64(s + 1)}
		for week := range c.weeks {
			size := c.old
			if week >= at {
				size = c.new
			}
			shelf += r.IntN(3) - 1
			o := panel.Observation{
				Listing: listing, Store: sw.store,
				Effective:   panel.Price(shelf * 100 * int(yogurt.StandardSize) / size),
				PackageSize: fmt.Sprint(size, " g"),
				ObservedAt:  start.AddDate(0, 0, 7*week).Add(time.Duration(r.IntN(5*24*3600)) * time.Second),
			}
			if r.Float64() < c.misread {
				misread++
				o.PackageSize = fmt.Sprintf("%.4g g", float64(size)*c.misreads[r.IntN(len(c.misreads))])
			}
			rows = append(rows, o)
		}
	}
	slices.SortFunc(rows, func(a, b panel.Observation) int {
		return cmp.Or(a.ObservedAt.Compare(b.ObservedAt), cmp.Compare(a.Store, b.Store))
	})
	byStore := map[int64]*switched{}
	for i := range rows {
		o := &rows[i]
		o.ID = int64(1000 + 2*i)
		s := byStore[o.Store]
		switch {
		case s == nil:
			byStore[o.Store] = &switched{store: o.Store, before: *o}
		case len(s.later) > 0:
			s.later = append(s.later, *o)
		case s.before.PackageSize != o.PackageSize:
			s.after, s.later = *o, []panel.Observation{*o}
		default:
			s.before = *o
		}
	}
	for _, s := range byStore {
		if len(s.later) > 0 {
			stores = append(stores, *s)
		}
	}
	return rows, stores, misread
}

// shuffled returns the rows in another order.
func shuffled(seed uint64, rows []panel.Observation) []panel.Observation {
	rows = slices.Clone(rows)
	rand.New(rand.NewPCG(seed, 3)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// row is one row of a hand-made panel, day days after the start.
func row(id, store int64, day int, size, price string) panel.Observation {
	p, err := panel.ParsePrice(price)
	if err != nil {
		panic(err)
	}
	return panel.Observation{
		ID: id, Listing: listing, Store: store, PackageSize: size, Effective: p, ObservedAt: start.AddDate(0, 0, day),
	}
}
