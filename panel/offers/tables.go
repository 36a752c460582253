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

// Placed is the result of WriteDir.
type Placed struct {
	Read     Report           `json:"read"`
	Used     int64            `json:"used"`
	Unused   map[string]int64 `json:"unused"`   // offers that are not used, by reason
	Listings map[string]int64 `json:"listings"` // listings with an item, by the way to it
	Waiting  int64            `json:"waiting"`  // listings that an operator has to judge
	origins  []origin         // of the rows of observations.csv
	files    numbered[string]
}

type origin struct{ file, line int32 }

// Origin returns where a line of observations.csv comes from.
func (p *Placed) Origin(line int) (file string, at int) {
	o := p.origins[line-2]
	return p.files.list[o.file], int(o.line)
}

// numbered has values that many rows share, by number.
type numbered[K comparable] struct {
	list []K
	at   map[K]int32
}

func (n *numbered[K]) of(k K) int32 {
	i, known := n.at[k]
	if !known {
		i = int32(len(n.list))
		n.list, n.at[k] = append(n.list, k), i
	}
	return i
}

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
				o := p.said.list[r.said]
				o.Listing, o.Store, o.ObservedAt = l.ID, p.shops.list[r.shop].ID, time.Unix(0, r.at).UTC()
				if !yield(&o, nil) {
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
	// Of one time the lowest price comes first; of one price, those without a promotion.
	terms := func(a, b row) int {
		s, t := &p.said.list[a.said], &p.said.list[b.said]
		return cmp.Or(cmp.Compare(s.Shelf, t.Shelf), cmp.Compare(s.Sale, t.Sale),
			cmp.Compare(s.SaleCondition, t.SaleCondition), cmp.Compare(s.Regular, t.Regular),
			cmp.Compare(s.InStock, t.InStock))
	}
	slices.SortFunc(rows, func(a, b row) int {
		s, t := &p.said.list[a.said], &p.said.list[b.said]
		return cmp.Or(cmp.Compare(p.shops.list[a.shop].ID, p.shops.list[b.shop].ID), cmp.Compare(a.at, b.at),
			terms(a, b), strings.Compare(s.ScrapedName, t.ScrapedName), strings.Compare(s.PackageSize, t.PackageSize),
			strings.Compare(p.result.files.list[a.file], p.result.files.list[b.file]), cmp.Compare(a.line, b.line))
	})
	kept := rows[:0]
	for _, r := range rows {
		switch n := len(kept); {
		case n == 0 || kept[n-1].shop != r.shop || kept[n-1].at != r.at:
			kept = append(kept, r)
		case terms(kept[n-1], r) == 0:
			p.result.Unused[repeated]++
		default:
			p.result.Unused[conflict]++
		}
	}
	return kept
}
