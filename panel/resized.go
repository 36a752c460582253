package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
)

// Resized is a listing whose pack got another size at a store, while its effective price, which is per
// standard size, stayed the same to the last digit. Then it most likely is the price at the till.
type Resized struct {
	Observation int64 // the first row of the new size
	Listing     int64
	Old, New    string // package sizes, as scraped
	Price       Price
}

// leastResized is the smallest change of size, in percent, that a Resized shows.
const leastResized = 2

// FindResized returns what the rows of one listing of a product show, by store, then time. Products sold by
// the kilogram have no pack. A text that states no size of the product's unit is passed over.
func FindResized(p *basket.Product, rows []Observation) (found []Resized) {
	if p.PerKg() {
		return nil
	}
	ordered, sizes := slices.Clone(rows), map[string]float64{}
	slices.SortFunc(ordered, func(a, b Observation) int {
		return cmp.Or(cmp.Compare(a.Store, b.Store), a.ObservedAt.Compare(b.ObservedAt), cmp.Compare(a.ID, b.ID))
	})
	was := Observation{}
	for _, o := range ordered {
		size, known := sizes[o.PackageSize]
		if !known {
			if s, err := basket.ParseSize(o.PackageSize); err == nil && s.Fixed() {
				size, _ = s.In(p.Unit)
			}
			sizes[o.PackageSize] = size
		}
		if size == 0 {
			continue
		}
		before := sizes[was.PackageSize]
		if was.Store == o.Store && was.Effective == o.Effective && 100*math.Abs(size-before) > leastResized*before {
			found = append(found, Resized{o.ID, o.Listing, was.PackageSize, o.PackageSize, o.Effective})
		}
		was = o
	}
	return found
}

// ResizedWords says of each listing and pair of sizes once what was found, in the order of the list.
func ResizedWords(list []Resized) (words []string) {
	stores := map[Resized]int{}
	for _, r := range list {
		r.Observation = 0
		stores[r]++
	}
	for _, r := range list {
		r.Observation = 0
		if n := stores[r]; n > 0 {
			words = append(words, fmt.Sprintf("retailer product %d went from %q to %q and stayed at %s (%d times)",
				r.Listing, r.Old, r.New, r.Price, n))
		}
		delete(stores, r)
	}
	return words
}
