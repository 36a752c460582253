package offers

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// write writes the tables.
func (p *placer) write(w *csvdir.Writer) error {
	var listings []panel.Listing
	for _, l := range p.list {
		if at, ok := p.known.Panel.ListingAt(l.ID); !ok || p.known.Panel.Listings()[at] != l.Listing {
			listings = append(listings, l.Listing)
		}
	}
	cities, banners, stores := p.shops.made(listings)
	err := cmp.Or(
		csvdir.WriteSorted(w, csvdir.Products, []basket.Product{}), csvdir.WriteSorted(w, csvdir.Cities, cities),
		csvdir.WriteSorted(w, csvdir.Banners, banners), csvdir.WriteSorted(w, csvdir.Stores, stores),
		csvdir.WriteSorted(w, csvdir.Listings, listings),
	)
	if err != nil {
		return err
	}
	slices.SortFunc(p.list, func(a, b *listed) int { return cmp.Compare(a.ID, b.ID) })
	return csvdir.WriteWhole(w, csvdir.Observations, func(yield func(*panel.Observation, error) bool) {
		for _, l := range p.list {
			for _, r := range p.distinct(l) {
				if !yield(p.observation(l, &r), nil) {
					return
				}
				p.result.Used++
				p.result.origins = append(p.result.origins, r.origin)
			}
			l.rows = nil
		}
	})
}

// distinct returns one row of a listing for each store and time, by store and time. It counts the others.
func (p *placer) distinct(l *listed) []row {
	slices.SortFunc(l.rows, func(a, b row) int {
		return cmp.Or(
			cmp.Compare(p.shops.list[a.store].ID, p.shops.list[b.store].ID), cmp.Compare(a.at, b.at),
			a.compare(&b), strings.Compare(p.names[a.label].title, p.names[b.label].title),
			strings.Compare(p.names[a.label].size, p.names[b.label].size),
			strings.Compare(p.result.files[a.file], p.result.files[b.file]), cmp.Compare(a.line, b.line),
		)
	})
	kept := l.rows[:0]
	for _, r := range l.rows {
		switch n := len(kept); {
		case n == 0 || kept[n-1].store != r.store || kept[n-1].at != r.at:
			kept = append(kept, r)
		case kept[n-1].compare(&r) == 0:
			p.result.Unused[repeated]++
		default:
			p.result.Unused[conflict]++
		}
	}
	return kept
}

// compare orders rows of one time by price, the lowest first; of one price, those without a promotion.
func (r *row) compare(s *row) int {
	return cmp.Or(
		cmp.Compare(r.price, s.price), boolInt(r.onSale)-boolInt(s.onSale), boolInt(r.multiBuy)-boolInt(s.multiBuy),
		cmp.Compare(r.regular, s.regular), cmp.Compare(r.inStock, s.inStock),
	)
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (p *placer) observation(l *listed, r *row) *panel.Observation {
	o := &panel.Observation{
		Listing: l.ID, Store: p.shops.list[r.store].ID, Shelf: r.price, Regular: r.regular, OnSale: r.onSale,
		InStock:     r.inStock,
		ScrapedName: p.names[r.label].title, PackageSize: p.names[r.label].size, ObservedAt: time.Unix(0, r.at).UTC(),
	}
	switch {
	case r.onSale:
		o.Sale = r.price
	case r.regular == 0:
		o.Regular = r.price
	}
	if r.multiBuy {
		o.SaleCondition = panel.MultiBuy
	}
	return o
}
