package basket

import "math"

// settle makes one size of what the text states, or says why it can't.
func (r *sizeReader) settle() (Size, error) {
	switch {
	case r.price:
		return Size{}, ErrSizePrice
	case len(r.measures)+len(r.counts) == 0 && r.unitary == 0:
		return r.bare()
	case r.doubt, r.equation && len(r.measures) == 0:
		return Size{}, ErrSizeAmbiguous
	}
	c, counted, err := r.oneCount()
	if err != nil {
		return Size{}, err
	}
	var s Size
	switch {
	case len(r.measures) > 0:
		var m sizeMeasure
		if m, err = r.oneMeasure(c, counted); err == nil {
			s, err = combine(m, c, counted)
		}
		if err == nil && m.each && r.loose && s.Packs == 1 {
			err = ErrSizeAmbiguous // 6 samosas 50 g each
		}
	case counted && r.unitary == 0:
		s, err = c.size()
	case counted: // 20 ct/lb
		err = ErrSizeAmbiguous
	default:
		s, err = checked(newSize(Gram, 1, r.unitary))
	}
	for _, n := range [...]int{r.lone, r.several} {
		if err == nil && n > 1 && s.Packs != n && s.Pieces != n && (n != r.lone || s.Unit != Count || s.Quantity != float64(n)) {
			err = ErrSizeAmbiguous // 400 g (12), 250 g twin pack
		}
	}
	if r.unitary > 0 || r.byWeight {
		if s.Unit != Gram && err == nil {
			err = ErrSizeAmbiguous
		}
		s.PerWeight = true
	}
	return s, err
}

// bare reads a text with no number: "each", "l'unité", "kg".
func (r *sizeReader) bare() (Size, error) {
	if r.doubt {
		for _, t := range r.toks {
			if t.word.class == unitWord || t.word.class == nounWord {
				return Size{}, ErrSizeAmbiguous
			}
		}
		return Size{}, ErrNotSize
	}
	if u := r.at(0).word.unit; len(r.toks) == 1 && (u == kilogram || u == pound) {
		grams, _ := sizeNumber{mant: 1, den: 1}.in(u)
		s, _ := newSize(Gram, 1, grams.lo)
		s.PerWeight = true
		return s, nil
	}
	each := false
	for i, t := range r.toks {
		switch {
		case t.word.noun == eachNoun:
			each = true
		case t.word.class == soldWord, t.word.class == perWord, t.word.class == articleWord, t.word.class == toWord,
			t.word.unit == litre && r.mark(i+1, '\''), t.kind == markToken:
		default:
			return Size{}, ErrNotSize
		}
	}
	if !each {
		return Size{}, ErrNotSize
	}
	s, _ := newSize(Count, 1, 1)
	return s, nil
}

// oneCount returns the one count that the text states, if it states any.
// Sheets count only when nothing else does, and one pack is no count.
func (r *sizeReader) oneCount() (sizeCount, bool, error) {
	var found sizeCount
	for _, pass := range []bool{false, true} { // sheets in the second pass
		for _, c := range r.counts {
			total := c.lo * c.packs
			switch {
			case (c.noun == sheetNoun) != pass:
			case total == 1 && c.hi == 1 && (c.noun >= packNoun && len(r.counts)+len(r.measures) > 1):
			case found.noun == noNoun:
				found = c
			case total != found.lo*found.packs || c.hi*c.packs != found.hi*found.packs:
				return found, true, ErrSizeAmbiguous
			case found.packs == 1 && c.packs > 1 || found.noun >= packNoun && c.noun < packNoun:
				found = c // the one that says more
			}
		}
		if found.noun != noNoun {
			break
		}
	}
	return found, found.noun != noNoun, nil
}

// size returns the size of a package that is only counted.
func (c sizeCount) size() (Size, error) {
	if c.noun == cupNoun || c.packs > 1 && c.lo != c.hi {
		return Size{}, ErrSizeAmbiguous
	}
	if c.lo != c.hi {
		return checked(newSizeRange(Count, float64(c.lo), float64(c.hi)))
	}
	s, ok := newSize(Count, c.packs, float64(c.lo))
	s.Approximate = c.approx
	return checked(s, ok)
}

// oneMeasure returns the measure that counts: a metric one before an imperial
// one, one with packs before one without. All the others must agree with it.
func (r *sizeReader) oneMeasure(c sizeCount, counted bool) (sizeMeasure, error) {
	rank := func(m sizeMeasure) (k int) {
		if m.unit.metric() {
			k += 2
		}
		if m.packs > 1 {
			k++
		}
		return k
	}
	best := r.measures[0]
	for _, m := range r.measures[1:] {
		if rank(m) > rank(best) {
			best = m
		}
	}
	for _, m := range r.measures {
		if best.packs == 1 && m.packs > 1 && agree(m, 1, best) {
			best.packs = m.packs // 2 x 1 lb (454 g)
		}
	}
	var other sizeMeasure
	approx, total := false, best
	for _, m := range r.measures {
		approx = approx || m.approx
		if m.packs == 1 && best.packs > 1 && m.totals(best) {
			total = m
		} else if best.packs == 1 && m.packs == 1 && m.each && agree(m, 1, best) {
			best.each, best.before = true, m.before // 4 oz each (113 g)
		}
		if !best.matches(m) {
			if other.packs > 0 && !agree(m, 1, other) {
				return best, ErrSizeConflict
			}
			other = m
		}
	}
	if other.packs > 0 {
		// "8 pieces, 26 g each, 208 g": one is the other times the count.
		if !counted || c.lo != c.hi || best.packs*other.packs > 1 {
			return best, ErrSizeConflict
		}
		n := c.lo * c.packs
		switch {
		case agree(best, float64(n), other):
		case agree(other, float64(n), best) && other.unit.metric():
			best = other
		default:
			return best, ErrSizeConflict
		}
		best.packs, best.each, best.before = n, false, false
	}
	if total.packs < best.packs && other.packs == 0 {
		total.parts = best.packs
		best = total
	}
	best.approx = approx
	return best, nil
}

// totals reports whether m is the total of packs whose content is rounded: 4 L
// of 3 x 1.33 L.
func (m sizeMeasure) totals(o sizeMeasure) bool {
	if !m.unit.metric() || !o.unit.metric() || m.ranged || o.ranged || !agree(o, float64(o.packs), m) {
		return false
	}
	off := math.Abs(m.from.lo/float64(o.packs) - o.from.lo)
	return off > 1e-6 && off <= o.step/2
}

// matches reports whether another measure says the same as m, of all packs or
// of each.
func (m sizeMeasure) matches(o sizeMeasure) bool {
	if o.packs > 1 && m.packs == 1 {
		return agree(o, float64(o.packs), m) // 2 x 1 lb (907 g)
	}
	if o.packs > 1 {
		return m.packs == o.packs && agree(m, 1, o)
	}
	return agree(m, float64(m.packs), o) || agree(m, 1, o)
}

// checked returns a size unless no package has it.
func checked(s Size, ok bool) (Size, error) {
	if !ok {
		return Size{}, ErrNotSize
	}
	if s.Packs > 100 && s.Each >= float64(s.Packs-1) && s.Each <= float64(s.Packs+1) {
		return Size{}, ErrSizeAmbiguous // "454 x 454 g" is one number written twice
	}
	return s, nil
}

// agree reports whether k packs of a are b, within 3%. A plain ounce is a fluid
// one beside a volume; other units of weight and volume never agree. Two metric
// numbers are one number written twice: 1%.
func agree(a sizeMeasure, k float64, b sizeMeasure) bool {
	if a.unit == ounce && b.unit.volume() {
		a = a.fluid()
	} else if b.unit == ounce && a.unit.volume() {
		b = b.fluid()
	}
	tolerance := 0.03
	if a.unit.metric() && b.unit.metric() && k == 1 {
		tolerance = 0.01
	}
	return a.unit.volume() == b.unit.volume() && a.ranged == b.ranged &&
		a.from.meets(k, b.from, tolerance) && a.to.meets(k, b.to, tolerance)
}

// fluid returns the measure in ounces as one in fluid ounces.
func (m sizeMeasure) fluid() sizeMeasure {
	m.from = span{tidy(m.from.lo / gramsPerOunce * imperialFlOunce), tidy(m.from.hi / gramsPerOunce * usFlOunce)}
	m.to = span{tidy(m.to.lo / gramsPerOunce * imperialFlOunce), tidy(m.to.hi / gramsPerOunce * usFlOunce)}
	m.unit = fluidOunce
	return m
}
