package panel

import (
	"slices"

	"github.com/larder-index/larder/basket"
)

// scope tells the rows that count somewhere, whatever the gate says, from those
// that count nowhere: rows of inactive stores, retired listings and inactive
// products, and of any that the panel does not know.
type scope struct {
	*Panel
	storeAt idTable // places in Panel.stores of the active ones
	listing []int32 // by the row's screen: place in Panel.listings; -1: counts nowhere
	product []int32 // by place in Panel.listings: place in Panel.products
}

func newScope(r *Rows, p *Panel) *scope {
	s := &scope{Panel: p, listing: make([]int32, len(r.screens)), product: make([]int32, len(p.listings))}
	for i := range p.stores {
		if p.stores[i].Active {
			s.storeAt.set(p.stores[i].ID, int32(i))
		}
	}
	var active idTable
	for i := range p.listings {
		m := &p.listings[i]
		at, ok := slices.BinarySearchFunc(p.products, m.ProductID, func(x basket.Product, id int) int { return x.ID - id })
		if s.product[i] = int32(at); ok && m.Active && p.products[at].Active {
			active.set(m.ID, int32(i))
		}
	}
	for i, screen := range r.screens {
		s.listing[i] = -1
		if at, ok := active.get(screen.Listing); ok {
			s.listing[i] = at
		}
	}
	return s
}

// place returns the places of a row's store and listing in the panel's lists;
// false if it counts nowhere.
func (s *scope) place(x *packedRow) (store, listing int32, ok bool) {
	store, ok = s.storeAt.get(x.store)
	listing = s.listing[x.screen]
	return store, listing, ok && listing >= 0
}
