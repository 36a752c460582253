package basket

import "math"

// A sizeMeasure is one weight or volume that a text states, in g or mL.
type sizeMeasure struct {
	from, to span // the ends of a range; equal for a plain size
	unit     sizeUnit
	packs    int // factors in front of it or behind it, multiplied; or 1
	end      int // the token after it
	ranged   bool
	approx   bool
	each     bool    // "each" before it or after it
	before   bool    // "each" is before it
	per      bool    // "per piece" after it
	step     float64 // the place of its last digit, in g or mL; 0 for fractions
	parts    int     // packs whose content is rounded, with this the total of all; else 0
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

// agree reports whether k packs of a are b, within 3%. A plain ounce is a fluid
// one beside a volume; other units of weight and volume never agree. Two metric
// numbers are one number written twice: 1%.
func agree(a sizeMeasure, k float64, b sizeMeasure) bool {
	if a.unit == ounce && b.unit.volume {
		a = a.fluid()
	} else if b.unit == ounce && a.unit.volume {
		b = b.fluid()
	}
	tolerance := 0.03
	if a.unit.metric() && b.unit.metric() && k == 1 {
		tolerance = 0.01
	}
	return a.unit.volume == b.unit.volume && a.ranged == b.ranged &&
		a.from.meets(k, b.from, tolerance) && a.to.meets(k, b.to, tolerance)
}

func (m sizeMeasure) fluid() sizeMeasure {
	m.from = span{tidy(m.from.lo / gramsPerOunce * imperialFlOunce), tidy(m.from.hi / gramsPerOunce * usFlOunce)}
	m.to = span{tidy(m.to.lo / gramsPerOunce * imperialFlOunce), tidy(m.to.hi / gramsPerOunce * usFlOunce)}
	m.unit = fluidOunce
	return m
}
