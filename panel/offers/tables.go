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
		if at, ok := p.known.ListingAt(l.ID); !ok || p.known.Listings()[at] != l.Listing {
			listings = append(listings, l.Listing)
		}
	}
	err := cmp.Or(
		csvdir.WriteSorted(w, csvdir.Products, []basket.Product{}), csvdir.WriteSorted(w, csvdir.Listings, listings),
		p.shops.write(w, listings),
	)
	if err != nil {
		return err
	}
	return csvdir.WriteWhole(w, csvdir.Observations, func(yield func(*panel.Observation, error) bool) {
		for _, l := range p.list {
			for _, r := range p.distinct(l.rows) {
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
func (p *placer) distinct(rows []row) []row {
	slices.SortFunc(rows, func(a, b row) int {
		s, t := &p.said.list[a.said], &p.said.list[b.said]
		return cmp.Or(
			cmp.Compare(p.shops.list[a.shop].ID, p.shops.list[b.shop].ID), cmp.Compare(a.at, b.at), s.compare(t),
			strings.Compare(s.title, t.title), strings.Compare(s.text, t.text),
			strings.Compare(p.result.files.list[a.file], p.result.files.list[b.file]), cmp.Compare(a.line, b.line),
		)
	})
	kept := rows[:0]
	for _, r := range rows {
		switch n := len(kept); {
		case n == 0 || kept[n-1].shop != r.shop || kept[n-1].at != r.at:
			kept = append(kept, r)
		case p.said.list[kept[n-1].said].compare(&p.said.list[r.said]) == 0:
			p.result.Unused[repeated]++
		default:
			p.result.Unused[conflict]++
		}
	}
	return kept
}

// compare orders rows of one time by price, the lowest first; of one price, those without a promotion.
func (s *said) compare(t *said) int {
	return cmp.Or(
		cmp.Compare(s.price, t.price), boolInt(s.onSale)-boolInt(t.onSale), boolInt(s.multiBuy)-boolInt(t.multiBuy),
		cmp.Compare(s.regular, t.regular), cmp.Compare(s.inStock, t.inStock),
	)
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (p *placer) observation(l *listed, r *row) *panel.Observation {
	s := &p.said.list[r.said]
	o := &panel.Observation{
		Listing: l.ID, Store: p.shops.list[r.shop].ID, Shelf: s.price, Regular: s.regular, OnSale: s.onSale,
		InStock: s.inStock, ScrapedName: s.title, PackageSize: s.text, ObservedAt: time.Unix(0, r.at).UTC(),
	}
	switch {
	case s.onSale:
		o.Sale = s.price
	case s.regular == 0:
		o.Regular = s.price
	}
	if s.multiBuy {
		o.SaleCondition = panel.MultiBuy
	}
	return o
}
