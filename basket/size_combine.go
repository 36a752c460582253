package basket

// Weights in grams that one of the pieces beside a weight must have, for the
// weight to be that of all of them: "12 K-cups 126 g" can't be 126 g each.
const (
	minPodWeight   = 0.5
	minPieceWeight = 5
	minHeavyWeight = 50 // "4 burgers 113 g" are 113 g each, or a slip
	minPackWeight  = 10 // "10 pack 76 g" may well be ten bags of 76 g
)

// combine makes a size of a measure and, if there is one, a count beside it.
func combine(m sizeMeasure, c sizeCount, counted bool) (Size, error) {
	pieces := 0
	if counted {
		var err error
		if m, pieces, err = m.with(c); err != nil {
			return Size{}, err
		}
	}
	if m.each && m.before || m.per && pieces > 1 {
		return Size{}, ErrSizeAmbiguous // "each 26 g" of how many?
	}
	if m.parts > 0 {
		pieces = max(pieces, m.parts)
	}
	u := Gram
	if m.unit.volume() {
		u = Millilitre
	}
	from, to := m.from.lo, m.to.hi
	if m.unit >= pint || m.unit == fluidOunce && m.packs > 1 {
		return Size{}, ErrSizeAmbiguous // imperial or US
	}
	var s Size
	var ok bool
	if from == to {
		s, ok = newSize(u, m.packs, from)
	} else {
		s, ok = newSizeRange(u, from, to)
	}
	s.Pieces, s.Approximate = pieces, s.Approximate || m.approx
	return checked(s, ok)
}

// with returns the measure of a package of which c is counted, with the packs
// that c makes of it or the pieces that c counts in it.
//
// Canadian labels write packs that are sold together as "4 x 100 g", so that a
// count in front of a weight is of the pieces that weigh so much together. With
// volumes there is no such habit: "12 pack 355 mL" and "8 pack 440 mL" are both
// common, so that only the usual cans, bottles and boxes are taken for what each holds.
func (m sizeMeasure) with(c sizeCount) (sizeMeasure, int, error) {
	n := c.lo * c.packs
	strong := c.noun < packNoun // pieces, not packs
	switch {
	case c.lo != c.hi || c.approx:
		if !strong || m.each {
			return m, 0, ErrSizeAmbiguous
		}
		return m, 0, nil
	case m.parts > 0:
		if n == 1 || n == m.parts || strong && n%m.parts == 0 {
			return m, n, nil
		}
		return m, 0, ErrSizeAmbiguous
	case c.inside && m.each && n > 1:
		return m, 0, ErrSizeAmbiguous
	case c.inside || n == 1 && strong:
		return m, n, nil
	case n == 1, c.noun == sheetNoun:
		return m, 0, nil
	case m.packs > 1:
		if n == m.packs {
			return m, 0, nil
		}
		if strong && n%m.packs == 0 {
			return m, n, nil
		}
		return m, 0, ErrSizeAmbiguous
	case m.each && !m.ranged:
		m.packs, m.each = n, false
		return m, 0, nil
	case m.unit.volume():
		if c.noun >= countNoun && m.can() {
			m.packs = n
			return m, 0, nil
		}
		if c.noun == boxNoun && n == 3 && m.unit.metric() && m.from.lo == 4000 {
			return m, n, nil // Canada's milk, 4 L in 3 bags
		}
		return m, 0, ErrSizeAmbiguous
	}
	per := m.from.lo / float64(n)
	var ok bool
	switch c.noun {
	case podNoun:
		ok = per >= minPodWeight
	case pieceNoun, rollNoun:
		ok = per >= minPieceWeight
	case heavyNoun:
		ok = per >= minHeavyWeight
	case countNoun, eachNoun:
		ok = per >= minPieceWeight && !c.after && m.unit != ounce
	case packNoun:
		ok = per >= minPackWeight && !c.after && m.unit != ounce
	}
	if !ok {
		return m, 0, ErrSizeAmbiguous
	}
	return m, n, nil
}

// can reports whether a volume is that of a usual can, bottle or box of a drink.
func (m sizeMeasure) can() bool {
	if m.ranged || !m.unit.metric() {
		return false
	}
	switch m.from.lo {
	case 200, 330, 341, 355, 473, 500, 591, 710:
		return true
	}
	return false
}
