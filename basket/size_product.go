package basket

// product adds the measure or count that the factors from start to end make
// together. A measure may be of several packs.
func (r *sizeReader) product(factors []sizeFactor, start, end int) {
	measured, named, bare := -1, 0, 1
	for i, f := range factors {
		switch {
		case f.noise:
			return // 30 x 40 cm
		case f.unit != noUnit && measured >= 0:
			r.doubt = true // 5 g x 10 g
			return
		case f.unit != noUnit:
			measured = i
		case f.noun != noNoun:
			named++
		}
	}
	if measured < 0 && named == 0 {
		r.stray(factors, start, end)
		return
	}
	before := start - 1
	for r.separator(before) && !r.mark(before, '-') {
		before--
	}
	if p := r.at(before); p.kind == numberToken && p.num.integer() && p.num.mant < 1000 && !p.glue {
		r.doubt = true // "6 75 g" has lost its x; 24 (330 mL)
	}
	if r.class(start-1) == "for" && (r.at(start-2).kind == numberToken || r.stated(start-1)) {
		r.doubt = true // "2 for 500 g", for how much?
	}
	if p := r.at(start - 1); r.at(start).glue && p.kind == wordToken && !p.gap && p.word.class == "" && r.at(start-2).kind == numberToken {
		r.doubt = true // 1e3 g
	}
	if r.mark(start-1, '/') && r.at(start-2).kind == numberToken {
		return // "31/40 count" is a grade of shrimp; "12/540 mL" was doubted before
	}
	if measured < 0 {
		r.count(factors, named, start, end)
		return
	}
	for i, f := range factors {
		if i == measured {
			continue
		}
		k, ok := f.times()
		inner := measured > 0 && measured < len(factors)-1 && k > 1 && i > measured
		bags := i > measured && f.noun == boxNoun && !factors[measured].unit.volume // 2 g in each tea bag, or in all
		if bare *= k; !ok || f.noun == sheetNoun || inner || bags || bare > maxCount {
			r.doubt = true
			return
		}
	}
	r.measure(factors[measured], bare, end)
}

// stray handles a number, or a product of numbers, without a unit or noun.
func (r *sizeReader) stray(factors []sizeFactor, start, end int) {
	if len(factors) > 1 {
		r.doubt = true // "160 g 1x12"
		return
	}
	n := factors[0].n
	if !n.integer() || n.mant >= 10_000 {
		return
	}
	p := start
	for r.separator(p-1) || r.mark(p-1, '/') {
		p--
	}
	last := r.at(end).kind == endToken || r.separator(end)
	if k := len(r.measures) - 1; k >= 0 && r.measures[k].end == p && last {
		if p == start {
			r.doubt = true // "400 g 24" may be a case of 24
		}
		r.lone = max(r.lone, int(n.mant)) // 400 g (24)
	}
	if r.at(start).glue {
		return // type 2
	}
	r.loose = r.loose || n.mant > 1 && n.mant < 1000
	word := start - 1
	if r.mark(word, ';') {
		word-- // qty: 12
	}
	w := r.at(word).word
	if r.mark(start-1, '(') && r.mark(end, ')') || w.class == "quantity" || w.noun == packNoun || w.noun == boxNoun {
		r.lone = max(r.lone, int(n.mant))
	}
}

func (f sizeFactor) times() (int, bool) {
	n, ok := f.n.settle(noUnit)
	x := n.scaled(0)
	if f.dozen {
		x *= 12
	}
	k := int(min(x, maxCount+1))
	return k, ok && !f.ranged && k >= 1 && k <= maxCount && float64(k) == x
}

// measure adds a weight or volume of so many packs, unless the next words say
// that the package does not hold it.
func (r *sizeReader) measure(f sizeFactor, packs, end int) {
	m := sizeMeasure{unit: f.unit, packs: packs, end: end, ranged: f.ranged, approx: r.approx > 0, each: r.each, before: r.each}
	from, ok := f.n.in(f.unit)
	to, fits := from, true
	switch {
	case f.ranged:
		to, fits = f.to.in(f.toUnit)
		fits = fits && packs == 1
	case f.pounds:
		var oz span
		oz, fits = f.ounces.in(ounce)
		from = span{tidy(from.lo + oz.lo), tidy(from.hi + oz.hi)}
		to = from
	case f.n.den == 1:
		n, _ := f.n.settle(f.unit)
		n.mant = 1
		m.step = n.scaled(f.unit.exp)
	}
	m.from, m.to, ok = from, to, ok && fits
	switch {
	case ok && m.from.lo == 0, r.nutrition(m, end):
	case !ok:
		r.doubt = true
	default:
		r.measures = append(r.measures, m)
	}
}

// nutrition reports whether a measure is of a nutrient or a serving, by the
// words that follow: "13 g of protein", "30 g per serving", "5 g each time".
func (r *sizeReader) nutrition(m sizeMeasure, i int) bool {
	switch {
	case r.class(i) == "noun":
		return r.class(i+1) == "time"
	case r.class(i) == "per" || r.mark(i, '/'):
		return r.class(i+1) == "serving"
	case r.class(i) == "of":
		i++
	}
	return r.class(i) == "nutrient" && m.from.hi <= 60
}

// count adds a count. named is how many of its factors have a noun.
func (r *sizeReader) count(factors []sizeFactor, named, start, end int) {
	last := factors[len(factors)-1]
	if len(factors) == 1 {
		if r.mark(start-1, '-') && !r.at(start-1).gap && !r.at(start).gap && r.at(start-2).kind == wordToken &&
			last.noun != countNoun && last.noun != packNoun {
			return // omega-3 eggs
		}
		c := sizeCount{packs: 1, noun: last.noun, inside: r.class(start-1) == "in" && r.stated(start-1)}
		one := last
		one.ranged = false
		var ok bool
		if c.lo, ok = one.times(); ok && last.ranged {
			one.n = last.to
			c.hi, ok = one.times()
		} else {
			c.hi = c.lo
		}
		if !ok || last.ranged && (c.noun == boxNoun || c.noun == packNoun) { // 12-14 bags
			r.doubt = true
			return
		}
		r.addCount(c, end)
		return
	}
	c := sizeCount{lo: 1, packs: 1}
	for _, f := range factors {
		k, ok := f.times()
		switch {
		case !ok || c.packs*k > maxCount:
			r.doubt = true
			return
		case f.noun == sheetNoun: // of each roll: 12 rolls x 165 sheets
			if named == 1 || factors[0].noun != rollNoun || len(factors) > 2 {
				r.doubt = true
				return
			}
		case f.noun == noNoun || named > 1 && (f.noun == packNoun || f.noun == boxNoun):
			c.packs *= k
		case c.noun != noNoun: // 6 slices x 12 pieces
			r.doubt = true
			return
		default:
			c.lo, c.noun = k, f.noun
		}
	}
	c.hi = c.lo
	if c.noun == noNoun {
		r.doubt = true // 4 packs x 6 bags
		return
	}
	r.addCount(c, end)
}
