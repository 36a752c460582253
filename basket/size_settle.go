package basket

import "slices"

// settle makes one size of all measures and counts. Its error says why they make
// none.
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
		s, err = newSize(Gram, 1, r.unitary, r.unitary)
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
	var each, named, other bool
	for i, t := range r.toks {
		named = named || t.word.class == "unit" || t.word.class == "noun"
		if t.word.noun == eachNoun {
			each = true
		} else if t.kind != markToken || t.mark == 'x' {
			plain := slices.Contains([]string{"sold", "per", "article", "to"}, t.word.class) || t.word.unit == litre && r.mark(i+1, '\'')
			other = other || !plain
		}
	}
	u := r.at(0).word.unit
	switch {
	case r.doubt && named:
		return Size{}, ErrSizeAmbiguous
	case r.doubt:
	case len(r.toks) == 1 && (u == kilogram || u == pound):
		grams, _ := sizeNumber{mant: 1, den: 1}.in(u)
		s, _ := newSize(Gram, 1, grams.lo, grams.lo)
		s.PerWeight = true
		return s, nil
	case each && !other:
		s, _ := newSize(Count, 1, 1, 1)
		return s, nil
	}
	return Size{}, ErrNotSize
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

func (c sizeCount) size() (Size, error) {
	if c.noun == cupNoun || c.packs > 1 && c.lo != c.hi {
		return Size{}, ErrSizeAmbiguous
	}
	s, err := newSize(Count, c.packs, float64(c.lo), float64(c.hi))
	s.Approximate = s.Approximate || c.approx && err == nil
	return s, err
}

// The least weight of one piece, in grams, for which a weight beside a count is
// that of all pieces: "12 K-cups 126 g".
const (
	minPodWeight   = 0.5
	minPieceWeight = 5
	minHeavyWeight = 50 // "4 burgers 113 g" are 113 g each, or a slip
	minPackWeight  = 10 // "10 pack 76 g" may well be ten bags of 76 g
)

func combine(m sizeMeasure, c sizeCount, counted bool) (Size, error) {
	pieces, ok := 0, true
	if counted {
		m, pieces, ok = m.with(c)
	}
	if !ok || m.each && m.before || m.per && pieces > 1 { // "each 26 g" of how many?
		return Size{}, ErrSizeAmbiguous
	}
	if m.unit.lo != m.unit.hi && (m.unit != fluidOunce || m.packs > 1) {
		return Size{}, ErrSizeAmbiguous // imperial or US
	}
	u := Gram
	if m.unit.volume {
		u = Millilitre
	}
	s, err := newSize(u, m.packs, m.from.lo, m.to.hi)
	if err == nil {
		s.Pieces, s.Approximate = max(pieces, m.parts), s.Approximate || m.approx
	}
	return s, err
}

// with returns the measure of a package with the count c: the packs that c makes
// of it, or the pieces that c counts in it.
//
// Canadian labels write packs that are sold together as "4 x 100 g", so a count
// in front of a weight is of the pieces that weigh so much together. Volumes have
// no such rule: "12 pack 355 mL" and "8 pack 440 mL" are both common. Only the
// volume of a usual can, bottle or box is that of each.
func (m sizeMeasure) with(c sizeCount) (of sizeMeasure, pieces int, ok bool) {
	n := c.lo * c.packs
	strong := c.noun < packNoun // pieces, not packs
	pieces = n
	switch {
	case c.lo != c.hi || c.approx:
		pieces, ok = 0, strong && !m.each
	case m.parts > 0:
		ok = n == 1 || n == m.parts || strong && n%m.parts == 0
	case c.inside && m.each && n > 1:
	case c.inside || n == 1 && strong:
		ok = true
	case n == 1, c.noun == sheetNoun, n == m.packs:
		pieces, ok = 0, true
	case m.packs > 1:
		ok = strong && n%m.packs == 0
	case m.each && !m.ranged, m.unit.volume && c.noun >= countNoun && m.can():
		m.packs, m.each, pieces, ok = n, false, 0, true
	case m.unit.volume: // Canada's milk, 4 L in 3 bags
		ok = c.noun == boxNoun && n == 3 && m.unit.metric() && m.from.lo == 4000
	default:
		per := m.from.lo / float64(n)
		front := !c.after && m.unit != ounce
		switch c.noun {
		case podNoun:
			ok = per >= minPodWeight
		case pieceNoun, rollNoun:
			ok = per >= minPieceWeight
		case heavyNoun:
			ok = per >= minHeavyWeight
		case countNoun, eachNoun:
			ok = per >= minPieceWeight && front
		case packNoun:
			ok = per >= minPackWeight && front
		}
	}
	return m, pieces, ok
}

// can reports whether a volume is that of a usual can, bottle or box of a drink.
func (m sizeMeasure) can() bool {
	return !m.ranged && m.unit.metric() && slices.Contains([]float64{200, 330, 341, 355, 473, 500, 591, 710}, m.from.lo)
}
