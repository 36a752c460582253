package panel

// adder takes an entry for a place of a mapping. The store is named also where
// the place is a row.
type adder func(m *gateMapping, at place, store int64, rule QuarantineRule, reason string)

// wrongProducts applies the first rule and returns the series that it leaves.
func (d *Derivation) wrongProducts(add adder) []*derivedSeries {
	byMapping := map[*gateMapping][]*derivedSeries{}
	for _, x := range d.series {
		byMapping[x.mapping] = append(byMapping[x.mapping], x)
	}
	var left []*derivedSeries
	for m, list := range byMapping {
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
func (m *gateMapping) releasedAtStore() bool {
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
		byProduct[x.mapping.product.ID] = append(byProduct[x.mapping.product.ID], x)
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
				add(x.mapping, at, x.store, WrongBasis, basisEvidence(own, len(x.prices), usual, n))
				if e := x.mapping.known[entryKey{at, WrongBasis}]; e == nil || !e.Released {
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
		if !x.mapping.product.PerKg() {
			continue
		}
		prices = append(prices[:0], x.prices...)
		own := medianOf(prices)
		for i, p := range x.prices {
			if x.ids[i] != 0 && perPound(p, own) {
				add(x.mapping, place{observation: x.ids[i]}, x.store, WrongBasisRow, rowEvidence(p, own, len(x.prices)))
			}
		}
	}
}
