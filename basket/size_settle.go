package basket

import (
	"cmp"
	"math"
	"slices"
)

// settle makes one size of all that the text states. Its error says why it makes none.
func (r *sizeReader) settle() (Size, error) {
	measures := slices.DeleteFunc(slices.Clone(r.found), sizeTerm.counts)
	counts := slices.DeleteFunc(slices.Clone(r.found), sizeTerm.measures)
	switch {
	case r.price:
		return Size{}, ErrSizePrice
	case len(r.found) == 0 && r.unitary == 0:
		return r.bare()
	case r.doubt, r.equation && len(measures) == 0:
		return Size{}, ErrSizeAmbiguous
	}
	c, err := oneCount(counts, len(r.found))
	if err != nil {
		return Size{}, err
	}
	var s Size
	switch {
	case len(measures) > 0:
		var m sizeTerm
		if m, err = oneMeasure(measures, c); err == nil {
			s, err = combine(m, c, c != nil && c.end > measures[0].end)
		}
		if err == nil && m.each && r.loose && s.Packs == 1 {
			err = ErrSizeAmbiguous // 6 samosas 50 g each
		}
	case c != nil && (r.unitary > 0 || c.noun == cupNoun): // 20 ct/lb, 24 cups
		err = ErrSizeAmbiguous
	case c != nil:
		s, err = newSize(Count, c.packs, c.from.lo, c.to.hi)
		s.Approximate = s.Approximate || c.approx && err == nil
	default:
		s, err = newSize(Gram, 1, r.unitary, r.unitary)
	}
	for _, n := range [...]int{r.lone, r.several} {
		counted := s.Packs == n || s.Pieces == n || n == r.lone && s.Unit == Count && s.Quantity == float64(n)
		if err == nil && n > 1 && !counted {
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
			plain := slices.Contains([]string{"sold", "per", "article", "to"}, t.word.class)
			other = other || !plain && !(t.word.unit == litre && r.mark(i+1, '\''))
		}
	}
	u := r.at(0).word.unit
	switch {
	case r.doubt && named:
		return Size{}, ErrSizeAmbiguous
	case r.doubt:
	case len(r.toks) == 1 && (u == kilogram || u == pound):
		s, err := newSize(Gram, 1, tidy(u.lo), tidy(u.lo))
		s.PerWeight = true
		return s, err
	case each && !other:
		return newSize(Count, 1, 1, 1)
	}
	return Size{}, ErrNotSize
}

func (m sizeTerm) total() span {
	return span{m.from.lo * float64(m.packs), m.to.hi * float64(m.packs)}
}

// oneCount returns the one count that a text states among so many statements, or nil.
// Sheets count only when nothing else does, and one pack is no count.
func oneCount(counts []sizeTerm, statements int) (found *sizeTerm, err error) {
	slices.SortStableFunc(counts, func(a, b sizeTerm) int { return cmp.Compare(a.noun/sheetNoun, b.noun/sheetNoun) })
	for i := range counts {
		c := &counts[i]
		switch {
		case c.total() == span{1, 1} && c.noun >= packNoun && statements > 1:
		case found == nil:
			found = c
		case c.noun == sheetNoun && found.noun != sheetNoun:
		case c.total() != found.total():
			return nil, ErrSizeAmbiguous
		case found.packs == 1 && c.packs > 1 || found.noun >= packNoun && c.noun < packNoun:
			found = c // the one that says more
		}
	}
	return found, nil
}

// oneMeasure returns the weight or volume that counts: a metric one before an imperial
// one, one with packs before one without. All the others must agree with it.
func oneMeasure(measures []sizeTerm, c *sizeTerm) (sizeTerm, error) {
	metric := slices.DeleteFunc(slices.Clone(measures), func(m sizeTerm) bool { return !m.unit.metric() })
	if len(metric) == 0 {
		metric = measures
	}
	best := metric[max(0, slices.IndexFunc(metric, func(m sizeTerm) bool { return m.packs > 1 }))]
	for _, m := range measures {
		if best.packs == 1 && m.packs > 1 && agree(m, 1, best) {
			best.packs = m.packs // 2 x 1 lb (454 g)
		}
	}
	var other sizeTerm
	approx, total := false, best
	for _, m := range measures {
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
	switch {
	case other.packs > 0: // "8 pieces, 26 g each, 208 g": one is the other times the count
		if c == nil || c.ranged() || best.packs*other.packs > 1 {
			return best, ErrSizeConflict
		}
		n := c.total().lo
		if !agree(best, n, other) {
			if !agree(other, n, best) || !other.unit.metric() {
				return best, ErrSizeConflict
			}
			best = other
		}
		best.packs, best.each, best.before = int(n), false, false
	case total.packs < best.packs:
		total.parts = best.packs
		best = total
	}
	best.approx = approx
	return best, nil
}

// totals reports whether m is the total of packs whose content is rounded: 4 L of 3 x 1.33 L.
func (m sizeTerm) totals(o sizeTerm) bool {
	if !m.unit.metric() || !o.unit.metric() || m.ranged() || o.ranged() || o.num.fraction ||
		!agree(o, float64(o.packs), m) {
		return false
	}
	off := math.Abs(m.from.lo/float64(o.packs) - o.from.lo)
	return off > 1e-6 && off <= o.unit.lo*math.Pow10(-o.num.places)/2
}

// matches reports whether another measure says the same as m, of all packs or of each.
func (m sizeTerm) matches(o sizeTerm) bool {
	if o.packs > 1 && m.packs == 1 {
		return agree(o, float64(o.packs), m) // 2 x 1 lb (907 g)
	}
	if o.packs > 1 {
		return m.packs == o.packs && agree(m, 1, o)
	}
	return agree(m, float64(m.packs), o) || agree(m, 1, o)
}

// agree reports whether k packs of a are b, within 3%. A plain ounce is a fluid
// one beside a volume; other units of weight and volume never agree. Two metric
// numbers are one number written twice: 1%.
func agree(a sizeTerm, k float64, b sizeTerm) bool {
	a, b = a.beside(b), b.beside(a)
	tolerance := 0.03
	if a.unit.metric() && b.unit.metric() && k == 1 {
		tolerance = 0.01
	}
	return a.unit.of == b.unit.of && a.ranged() == b.ranged() &&
		a.from.meets(k, b.from, tolerance) && a.to.meets(k, b.to, tolerance)
}

func (m sizeTerm) beside(o sizeTerm) sizeTerm {
	if m.unit == ounce && o.unit.of == Millilitre {
		m.unit = fluidOunce
		for _, x := range [...]*span{&m.from, &m.to} {
			*x = span{tidy(x.lo / ounce.lo * fluidOunce.lo), tidy(x.hi / ounce.hi * fluidOunce.hi)}
		}
	}
	return m
}

// least has the least weight of one piece, in grams, for which a weight beside a count is
// that of all pieces: "12 K-cups 126 g". Other nouns have none.
var least = map[nounKind]float64{
	podNoun:   0.5,
	pieceNoun: 5, rollNoun: 5, countNoun: 5, eachNoun: 5,
	heavyNoun: 50, // "4 burgers 113 g" are 113 g each, or a slip
	packNoun:  10, // "10 pack 76 g" may well be ten bags of 76 g
}

// combine makes a size of a weight or volume m and a count c, or nil: m holds so many pieces, or
// is that of each. The count may stand behind the first weight or volume.
//
// Canadian labels write packs that are sold together as "4 x 100 g", so a count
// in front of a weight is of the pieces that weigh so much together. Volumes have
// no such rule: "12 pack 355 mL" and "8 pack 440 mL" are both common. Only the
// volume of a usual can, bottle or box is that of each.
func combine(m sizeTerm, c *sizeTerm, behind bool) (Size, error) {
	pieces, ok := 0, true
	if c != nil {
		n := int(c.total().lo)
		strong := c.noun < packNoun // pieces, not packs
		pieces = n
		switch {
		case c.ranged() || c.approx:
			pieces, ok = 0, strong && !m.each
		case m.parts > 0:
			ok = n == 1 || n == m.parts || strong && n%m.parts == 0
		case c.inside && m.each && n > 1:
			ok = false
		case c.inside || n == 1 && strong:
		case n == 1, c.noun == sheetNoun, n == m.packs:
			pieces = 0
		case m.packs > 1:
			ok = strong && n%m.packs == 0
		case m.each && !m.ranged(), c.noun >= countNoun && m.can():
			m.packs, m.each, pieces = n, false, 0
		case m.unit.of == Millilitre: // Canada's milk, 4 L in 3 bags
			ok = c.noun == boxNoun && n == 3 && m.unit.metric() && m.from.lo == 4000
		default:
			low, weighed := least[c.noun]
			other := c.noun >= countNoun && (behind || m.unit == ounce) // "340 g, 8 ct"
			ok = weighed && !other && m.from.lo >= low*float64(n)
		}
	}
	if !ok || m.each && m.before || m.per && pieces > 1 { // "each 26 g" of how many?
		return Size{}, ErrSizeAmbiguous
	}
	if m.unit.lo != m.unit.hi && (m.unit != fluidOunce || m.packs > 1) {
		return Size{}, ErrSizeAmbiguous // imperial or US
	}
	s, err := newSize(m.unit.of, m.packs, m.from.lo, m.to.hi)
	if err == nil {
		s.Pieces, s.Approximate = max(pieces, m.parts), s.Approximate || m.approx
	}
	return s, err
}

// can reports whether a volume is that of a usual can, bottle or box of a drink.
func (m sizeTerm) can() bool {
	return m.unit.of == Millilitre && !m.ranged() && m.unit.metric() &&
		slices.Contains([]float64{200, 330, 341, 355, 473, 500, 591, 710}, m.from.lo)
}
