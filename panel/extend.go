package panel

import "slices"

// generation tells panels that extend each other by its address.
type generation struct{ _ byte }

// Extend starts a panel that has all that p has, and weeks after its last. Cities,
// banners, stores, listings and observations of later weeks can be added; the
// products, the base week and what is known of p's weeks stay as they are, and
// an observation of one of them is refused. The log prices of these weeks are
// shared with p or, where series are new, copied into the new order.
func Extend(p *Panel) *Builder {
	b := NewBuilder(p.base)
	if b.ready() != nil {
		return b
	}
	b.extended = p
	b.products, b.cities, b.banners = slices.Clone(p.products), slices.Clone(p.cities), slices.Clone(p.banners)
	b.pilot, b.counts = slices.Clone(p.pilot), p.counts
	for i, x := range b.products {
		b.productAt[x.ID] = int32(i)
	}
	for i, x := range b.cities {
		b.cityAt[x.Slug], b.cityNames[x.Name] = int32(i), true
	}
	for i, x := range b.banners {
		b.bannerAt[x.Key] = int32(i)
	}
	b.perBanner = make([]int32, len(b.banners))
	for _, s := range p.stores {
		b.err = b.AddStore(s) // can't fail: it was added before
	}
	for _, m := range p.listings {
		b.err = b.AddListing(m)
	}
	for _, s := range p.series {
		b.slotOf(&b.listingRef[s.Listing], s.Listing, s.Store, b.storeRef[s.Store].ordinal)
	}
	return b
}

// Extends reports whether p is q, or has been built from it by Extend, in one
// step or several: then it has all weeks of q, with the same prices.
func (p *Panel) Extends(q *Panel) bool {
	n := len(q.lineage)
	return p == q || (n > 0 && n <= len(p.lineage) && p.lineage[n-1] == q.lineage[n-1])
}

// covers reports whether the week is not after the last of the extended panel.
func (b *Builder) covers(w Week) bool {
	if b.extended == nil || len(b.extended.weeks) == 0 {
		return false
	}
	return w <= b.extended.weeks[len(b.extended.weeks)-1]
}

// inherit takes over the weeks of q, whose series are the first of the builder's
// slots, for n series in the order of rank. New ones stand between the others
// and never change their order.
func (p *Panel) inherit(q *Panel, n int, rank []int32) {
	p.lineage = []*generation{new(generation)}
	if q == nil {
		return
	}
	p.lineage = append(slices.Clone(q.lineage), p.lineage...)
	p.weeks = slices.Clone(q.weeks)
	p.logs = slices.Clone(q.logs)
	if n == len(q.series) {
		return
	}
	all := withoutPrices(n * len(q.weeks))
	for k, old := range q.logs {
		logs := all[k*n : (k+1)*n : (k+1)*n]
		for i, v := range old {
			logs[rank[i]] = v
		}
		p.logs[k] = logs
	}
}
