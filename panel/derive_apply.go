package panel

// adder takes an entry for a place of a listing. The store is named also where
// the place is a row.
type adder func(m *gateListing, at place, store int64, rule QuarantineRule, reason string)

// wrongProducts applies the first rule and returns the series that it leaves.
func (d *Derivation) wrongProducts(add adder) []*derivedSeries {
	byListing := map[*gateListing][]*derivedSeries{}
	for _, x := range d.series {
		byListing[x.listing] = append(byListing[x.listing], x)
	}
	var left []*derivedSeries
	for m, list := range byListing {
		var all tally
		for _, x := range list {
			all.add(x)
		}
		wide := m.known[entryKey{place{}, WrongProduct}]
		if wide == nil && all.wrong() && !m.releasedAtStore() {
			add(m, place{}, 0, WrongProduct, all.evidence())
			continue
		}
		for _, x := range list {
			var one tally
			one.add(x)
			at := place{store: x.store}
			if wide == nil && m.known[entryKey{at, WrongProduct}] == nil && one.wrong() {
				add(m, at, x.store, WrongProduct, one.evidence())
				continue
			}
			if len(x.prices) >= minRows || x.index && len(x.prices) > 0 {
				left = append(left, x)
			}
		}
	}
	return left
}

// releasedAtStore reports whether a wrong_product entry was released at one of
// the stores.
func (m *gateListing) releasedAtStore() bool {
	for key, e := range m.known {
		if key.rule == WrongProduct && key.store != 0 && e.Released {
			return true
		}
	}
	return false
}

// wrongBases applies the second rule and returns the series that it leaves.
func (d *Derivation) wrongBases(series []*derivedSeries, add adder) []*derivedSeries {
	byProduct := map[int][]*derivedSeries{}
	for _, x := range series {
		byProduct[x.listing.product.ID] = append(byProduct[x.listing.product.ID], x)
	}
	var left []*derivedSeries
	var prices []Price
	for _, list := range byProduct {
		prices = prices[:0]
		for _, x := range list {
			if x.index {
				prices = append(prices, x.prices...)
			}
		}
		usual, n := medianOf(prices), len(prices)
		for _, x := range list {
			if len(x.prices) < minRows {
				continue
			}
			prices = append(prices[:0], x.prices...)
			own := medianOf(prices)
			if n > 0 && (own >= 3*usual || 3*own <= usual) {
				at := place{store: x.store}
				add(x.listing, at, x.store, WrongBasis, basisEvidence(own, len(x.prices), usual, n))
				if e := x.listing.known[entryKey{at, WrongBasis}]; e == nil || !e.Released {
					continue
				}
			}
			left = append(left, x)
		}
	}
	return left
}

// wrongRows applies the third rule.
func (d *Derivation) wrongRows(series []*derivedSeries, add adder) {
	var prices []Price
	for _, x := range series {
		if !x.listing.product.PerKg() {
			continue
		}
		prices = append(prices[:0], x.prices...)
		own := medianOf(prices)
		for i, p := range x.prices {
			if x.ids[i] != 0 && perPound(p, own) {
				add(x.listing, place{observation: x.ids[i]}, x.store, WrongBasisRow, rowEvidence(p, own, len(x.prices)))
			}
		}
	}
}
