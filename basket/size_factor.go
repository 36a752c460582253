package basket

// A sizeFactor is one number of a product such as 4 x 100 mL, with its unit or
// noun.
type sizeFactor struct {
	n, to  sizeNumber // to: the other end of a range
	unit   sizeUnit   // noUnit if it is a count, or bare
	toUnit sizeUnit   // of the other end
	noun   nounKind
	dozen  bool
	ranged bool
	noise  bool // a length, a percentage, a time
	ounces sizeNumber
	pounds bool // ounces follow: 1 lb 4 oz
}

// unit reads a unit at i, perhaps of several words or after a hyphen, and
// returns it and the place of the next token.
func (r *sizeReader) unit(i int) (sizeUnit, int) {
	if r.mark(i, '-') && !r.at(i).gap && !r.at(i+1).gap {
		i++
	}
	j, fluid := i, fluidOunce
	for ; r.class(j) == "us" || r.class(j) == "imperial"; j++ {
		fluid = fluidOunceUS
		if r.class(j) == "imperial" {
			fluid = fluidOunceImperial
		}
	}
	isFluid := r.class(j) == "fluid"
	if isFluid {
		j++
	}
	if r.class(j) != "unit" {
		return noUnit, i
	}
	u := r.at(j).word.unit
	j++
	if r.mark(j, '\'') && !r.at(j).gap && r.at(j+1).kind == wordToken && !r.at(j+1).gap {
		return noUnit, i // l'unité
	}
	switch {
	case u == ounce && (isFluid || r.class(j) == "fluid" || r.class(j) == "ounces"):
		if !isFluid {
			j++
		}
		return fluid, j
	case isFluid && u != fluidOunce:
		return noUnit, i
	case u == fluidOunce:
		return fluid, j
	case fluid != fluidOunce && u != ounce && u != pound:
		return noUnit, i // US and imperial gallons have no unit here
	}
	return u, j
}

// noun reads a counted noun at i, perhaps after a hyphen or adjectives.
func (r *sizeReader) noun(i int) (nounKind, int) {
	start := i
	if r.mark(i, '-') && !r.at(i).gap && !r.at(i+1).gap {
		i++
	}
	if r.mark(i, '\'') && !r.at(i).gap {
		i++
	}
	if r.class(i) == "s" && !r.at(i).gap {
		return countNoun, i + 1 // 18s, 18's
	}
	tea := false
	j := i
	for ; (r.class(j) == "adj" || r.class(j) == "tea") && j < i+3; j++ {
		tea = r.class(j) == "tea"
	}
	if k := j + 1; r.class(j) == "k" {
		if r.mark(k, '-') {
			k++
		}
		if r.at(k).word.noun == cupNoun {
			return podNoun, k + 1
		}
	}
	if r.class(j) == "noun" {
		k := r.at(j).word.noun
		if k == boxNoun && tea {
			k = podNoun // tea bags
		} else if k == boxNoun && r.class(j+1) == "of" && r.class(j+2) == "article" {
			return podNoun, j + 3 // sachets de thé, without its accent
		}
		// "12 per pack", "12 un/pack" say it once more.
		return k, j + 1
	}
	if (r.class(i) == "per" || r.mark(i, '/')) && r.class(i+1) == "noun" {
		if k := r.at(i + 1).word.noun; k == packNoun || k == boxNoun {
			return packOfNoun, i + 2
		}
	}
	return noNoun, start
}

// number reads the number at i, with all that is multiplied with it. A bare number belongs to the noun
// before it: "pack of 6", but not "pack of 6 x 237 mL".
func (r *sizeReader) number(i int, of nounKind) int {
	var factors []sizeFactor
	start := i
	for {
		f, end := r.factor(i)
		if f.noun == noNoun && f.unit == noUnit && !f.noise && !(of == packOfNoun && r.mark(end, 'x')) {
			f.noun = of
		}
		r.doubt = r.doubt || f.dozen && of == packOfNoun // a pack of 6 dozen
		i, of = end, noNoun
		next := r.at(i+1).kind == numberToken
		switch {
		case f.noun != noNoun && r.class(i) == "of" && next:
			// 6 bottles of 500 mL, 2 packs of 6, 6 rolls of 110 sheets
			if of = f.noun; f.noun >= packNoun {
				f.noun = noNoun
			}
		case !r.mark(i, 'x') || !next:
			r.doubt = r.doubt || r.mark(i, 'x') && !f.noise
			r.product(append(factors, f), start, i)
			r.approx, r.each = 0, false // they were of this number, whatever it is
			return i
		}
		factors = append(factors, f)
		i++
	}
}

func (r *sizeReader) factor(i int) (sizeFactor, int) {
	f := sizeFactor{n: r.at(i).num}
	j := i + 1
	if next := r.at(j); next.kind == numberToken && next.num.den > 1 && f.n.integer() && f.n.den == 1 {
		n := next.num // 1 1/2
		n.mant += f.n.mant * n.den
		f.n = n
		j++
	}
	if r.noise(j) {
		f.noise = true
		return f, j + 1
	}
	if r.link(j) && r.at(j+1).kind == numberToken {
		if g, end := r.factor(j + 1); !g.ranged && (g.unit != noUnit || g.noun != noNoun) && ordered(f.n, g.n, g.unit) {
			g.n, g.to, g.toUnit, g.ranged = f.n, g.n, g.unit, true
			return g, end
		} else if g.noise {
			g.n = f.n // 30-40 cm
			return g, end
		} else if (g.unit != noUnit || g.noun != noNoun) && (!f.n.integer() || f.n.mant < 1000) && !r.at(i).glue {
			r.doubt = true // 6-355 mL
		}
	}
	if u, end := r.unit(j); u != noUnit {
		f.unit = u
		return r.factorAfter(f, end)
	}
	if r.class(j) == "dozen" {
		f.dozen, f.noun = true, pieceNoun
		return f, r.eggs(j + 1)
	}
	f.noun, j = r.noun(j)
	return f, j
}

// factorAfter reads the continuation of a number with a unit: the other end of a
// range (300 g - 500 g) or the ounces after pounds (1 lb 4 oz).
func (r *sizeReader) factorAfter(f sizeFactor, j int) (sizeFactor, int) {
	if f.unit == pound && f.n.integer() && r.at(j).kind == numberToken {
		if u, end := r.unit(j + 1); u == ounce && r.at(j).num.mant < 16 && r.at(j).num.form == plainNumber {
			f.pounds, f.ounces = true, r.at(j).num
			return f, end
		}
	}
	if !r.link(j) || r.at(j+1).kind != numberToken {
		return f, j
	}
	u, end := r.unit(j + 2)
	if u == noUnit || u.metric() != f.unit.metric() || u.volume != f.unit.volume {
		return f, j
	}
	a, ok := f.n.in(f.unit)
	b, ok2 := r.at(j + 1).num.in(u)
	if !ok || !ok2 || b.lo <= a.hi*1.03 || b.hi > a.lo*maxRange {
		return f, j
	}
	f.ranged, f.to, f.toUnit = true, r.at(j+1).num, u
	return f, end
}

// maxRange bounds the upper end of a range, in lower ends. A hyphen between
// numbers further apart joins no range.
const maxRange = 5

// link reports whether the token at i can join the ends of a range.
func (r *sizeReader) link(i int) bool { return r.mark(i, '-') || r.class(i) == "to" }

func ordered(a, b sizeNumber, u sizeUnit) bool {
	a, ok := a.settle(u)
	b, ok2 := b.settle(u)
	lo, hi := a.scaled(0), b.scaled(0)
	return ok && ok2 && lo < hi && hi <= lo*maxRange
}

// noise reports whether the token at i says that the number before it is no
// size, but a percentage, a length, a strength or a time.
func (r *sizeReader) noise(i int) bool {
	next := r.at(i + 1)
	switch t := r.at(i); {
	case r.mark(i, '%'), r.mark(i, '"') && !t.gap:
		return true
	case r.mark(i, '\'') && !t.gap:
		return next.word.class != "s" && (next.kind != numberToken || next.gap)
	case r.mark(i, '-') && !t.gap && !next.gap:
		return next.word.class == "noise" || next.word.class == "in"
	}
	return r.class(i) == "noise" || r.class(i) == "serving" || r.class(i) == "in"
}
