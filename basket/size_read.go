package basket

// A sizeTerm is a number with its unit or noun: a factor of a product such as 4 x 100 mL, or
// a weight, volume or count that a text states.
type sizeTerm struct {
	num      sizeNumber
	unit     sizeUnit // thing or dozen for a count, thing for a bare number
	noun     nounKind // of a count
	from, to span     // the ends of a range; equal for a plain size
	packs    int      // the other factors, multiplied; or 1
	end      int      // the token after it
	approx   bool
	each     bool // "each" before it or after it
	before   bool // "each" is before it
	per      bool // "per piece" after it
	inside   bool // "in 6 pieces"
	parts    int  // packs whose content is rounded, with this the total of all; else 0
}

func newSizeTerm(n sizeNumber, u sizeUnit, noun nounKind) sizeTerm {
	x, _ := n.in(u)
	return sizeTerm{num: n, unit: u, noun: noun, from: x, to: x, packs: 1}
}

// noise reports whether the number is no size, but a length, a percentage or a time.
func (m sizeTerm) noise() bool { return m.unit == noUnit }

func (m sizeTerm) ranged() bool { return m.from != m.to }

// unclear reports whether its digits can be read in two ways.
func (m sizeTerm) unclear() bool {
	_, ok := m.num.in(m.unit)
	return !ok
}

func (m sizeTerm) measures() bool { return m.unit.of != Count }

func (m sizeTerm) counts() bool { return m.unit.of == Count }

func (m sizeTerm) bare() bool { return m.unit == thing && m.noun == noNoun }

// A sizeReader goes through the tokens of one text once and collects the weights, volumes
// and counts that they state. Then settle makes a Size of these.
type sizeReader struct {
	toks     []sizeToken
	found    []sizeTerm
	unitary  float64 // grams of a "per kg" with no number; or 0
	byWeight bool    // "by weight"
	each     bool    // "each" before what comes next
	loose    bool    // a number of things that have no word here, but may count: 6 in "6 samosas"
	lone     int     // a number that counts something without a word for it: (12), qty 12; else 0
	several  int     // 2 of "twin pack"; else 0
	approx   int     // the token after an approximation whose measure is still to come; else 0
	price    bool
	equation bool // 12 double rolls = 24 rolls
	doubt    bool // something that may change the size: a stray multiplier, a cut
}

// at returns a token, or an endToken outside of the text.
func (r *sizeReader) at(i int) sizeToken {
	if i < 0 || i >= len(r.toks) {
		return sizeToken{}
	}
	return r.toks[i]
}

func (r *sizeReader) class(i int) string { return r.at(i).word.class }

func (r *sizeReader) mark(i int, m byte) bool { return r.at(i).kind == markToken && r.at(i).mark == m }

// read collects all that the text states.
func (r *sizeReader) read() {
	open := 0
	for i := 0; i < len(r.toks); {
		switch t := r.toks[i]; t.kind {
		case numberToken:
			i = r.number(i, noNoun)
			continue
		case markToken:
			number, after := r.at(i+1).kind == numberToken, r.at(i-1).kind == numberToken
			joined := number && !r.at(i+1).gap
			switch t.mark {
			case '$':
				r.price = true
			case '(':
				open++
			case ')': // in a tail the first number may be cut, too
				open--
				r.doubt = r.doubt || open < 0 && r.at(0).kind == numberToken
			case '~':
				r.approx = i + 1
			case '=':
				r.equation = true
			case '/':
				i = r.per(i)
				continue
			case 'x': // with no number before it, as in "cookies x12"
				r.doubt = r.doubt || number || after
			case '-': // a negative number
				r.doubt = r.doubt || i == 0 && joined
			case ',': // ",5 L"; ½ has a gap before it
				r.doubt = r.doubt || (i == 0 || t.gap) && number && (joined || r.at(i+1).num.fraction)
			case '\'': // 1'5 L
				r.doubt = r.doubt || !t.gap && after && number
			case '+':
				if number && len(r.found) > 0 {
					r.doubt = true // a sum
				} else if !t.gap && r.at(i+1).kind != wordToken {
					r.minimum(i) // 170 g+
				}
			}
		case wordToken:
			i = r.phrase(i)
			continue
		}
		i++
	}
	if k := len(r.found) - 1; r.approx > 0 && k >= 0 && r.found[k].end >= r.approx-2 {
		r.found[k].approx = true // "1.2 kg approx."
	}
}

// phrase reads the word at i with its continuation, and returns the place of the next token.
func (r *sizeReader) phrase(i int) int {
	switch w := r.at(i).word; w.class {
	case "approx", "min":
		if w.class == "approx" || r.at(i-1).kind != numberToken { // "2 min" is a time
			r.approx = i + 1
		}
	case "max", "bound", "typical", "circa":
		r.bound(i)
	case "plus":
		if r.at(i+1).kind == numberToken && r.stated(i) != nil {
			r.doubt = true // a sum
		} else if r.class(i+1) == "of" || r.class(i-1) == "article" {
			r.bound(i) // plus de 1 kg
		}
	case "and":
		switch r.class(i + 1) {
		case "plus", "up", "bound":
			r.minimum(i)
		}
	case "twin":
		r.several = 2
	case "trio":
		r.several = 3
	case "numeral":
		r.loose = true
	case "mean":
		if c := r.class(i - 1); c == "weight" || c == "in" {
			r.approx = i + 1
		}
	case "up":
		if r.class(i+1) == "to" {
			r.approx = i + 2
		} else if r.mark(i-1, ';') {
			r.minimum(i - 1) // 500 g & up
		}
	case "number", "omega":
		j := i + 1
		if r.mark(j, '-') || r.mark(j, '#') {
			j++
		}
		if r.at(j).kind != numberToken {
			break
		}
		r.toks[j].glue = true
		if w.class == "omega" {
			return j + 1
		}
	case "per", "article":
		return r.per(i)
	case "weight":
		if r.class(i-1) == "per" || r.class(i-1) == "article" {
			r.byWeight = true
		}
	case "equals":
		r.equation = true
	case "makes", "serving":
		if r.at(i+1).kind == numberToken {
			return i + 2 // what it makes, or the servings
		}
	case "half":
		if r.mark(i+1, '-') || r.class(i+1) == "to" { // demi-douzaine, half a dozen
			i++
		}
		if r.class(i+1) == "dozen" {
			return r.dozen(0.5, i+1)
		}
	case "dozen":
		return r.dozen(1, i)
	case "noun":
		if (w.noun == packNoun || w.noun == boxNoun) && r.class(i+1) == "of" && r.at(i+2).kind == numberToken {
			return r.number(i+2, packOfNoun)
		}
		if w.noun == eachNoun {
			j := i
			for r.separator(j-1) || r.mark(j-1, '/') {
				j--
			}
			if t := r.stated(j); t != nil {
				t.each = r.class(i+1) != "time"
			}
			r.each = r.at(i+1).kind == numberToken
		}
	}
	return i + 1
}

// bound reads a word at i that makes the number behind it, if there is one, a bound or a typical value.
func (r *sizeReader) bound(i int) {
	class, j := r.class(i), i+1
	switch {
	case class == "circa" && !r.at(i).dot:
		return // vitamin C 500 g
	case class == "max" && !r.at(i).dot && r.at(i-1).kind == wordToken && r.class(i-1) != "weight" &&
		r.stated(i) == nil:
		return // Pepsi Max 2 L
	case class == "max" && r.stated(i) != nil && r.at(j).kind != wordToken && r.at(j).kind != numberToken:
		r.minimum(i) // 500 g max
		return
	}
	for r.class(j) == "weight" || r.class(j) == "of" || r.class(j) == "in" || r.mark(j, ';') {
		j++
	}
	if r.at(j).kind == numberToken {
		r.approx = i + 1
	}
}

// minimum makes what is stated right before i approximate.
func (r *sizeReader) minimum(i int) {
	if t := r.stated(i); t != nil {
		t.approx = true
	}
}

// stated returns the weight, volume or count that ends right before i, or nil.
func (r *sizeReader) stated(i int) *sizeTerm {
	if k := len(r.found) - 1; k >= 0 && r.found[k].end == i {
		return &r.found[k]
	}
	return nil
}

// separator reports whether the token at i is a mark that can separate a measure from its count.
func (r *sizeReader) separator(i int) bool {
	t := r.at(i)
	return t.kind == markToken && (t.mark == '(' || t.mark == ')' || t.mark == ',' || t.mark == ';' || t.mark == '-')
}

// dozen reads the word at i as so many dozens, with the noun after it: "dozen large eggs".
func (r *sizeReader) dozen(n float64, i int) int {
	t := newSizeTerm(sizeNumber{x: n}, dozen, pieceNoun)
	_, end := r.noun(i + 1)
	r.state(t, end)
	return end
}

// per reads "/", "per" or an article at i, with the unit behind it.
func (r *sizeReader) per(i int) int {
	j := i + 1
	if r.class(i) == "per" && r.class(j) == "article" {
		j++
	}
	number := r.at(i-1).kind == numberToken // 1.99/lb
	n := sizeNumber{x: 1}
	numbered := r.at(j).kind == numberToken && r.class(i) != "article"
	if numbered {
		n = r.at(j).num
		j++
	}
	u, end := r.unit(j)
	if t := r.stated(i); t != nil && r.class(j) == "noun" && !numbered {
		t.per = r.class(i) != "article" // 113 g per piece
	}
	switch {
	case u == noUnit:
		return i + 1
	case number:
		r.price = r.price || !numbered || r.at(i-1).num.places > 0
		r.doubt = true // 12/540 mL
		return end
	case numbered && r.stated(i) != nil:
		return i + 1 // 796 mL/28 oz
	case numbered && r.mark(i, '/') && i > 0 && n.x != 1 && n.x != 10 && n.x != 100:
		return i + 1 // the other half of "mild/500 g"
	case u.of == Millilitre:
		r.doubt = r.doubt || r.class(i) != "article"
		return end
	}
	grams, ok := n.in(u)
	if !ok || r.unitary != 0 && r.unitary != grams.lo {
		r.doubt = true
	}
	r.unitary = grams.lo
	return end
}

// state adds a weight, volume or count that ends before end.
func (r *sizeReader) state(t sizeTerm, end int) {
	t.end, t.approx = end, r.approx > 0
	t.each, t.before = r.each, r.each
	r.found = append(r.found, t)
	r.approx, r.each = 0, false
}

// unit reads a unit at i, perhaps of several words or after a hyphen, and
// returns it and the place of the next token.
func (r *sizeReader) unit(i int) (sizeUnit, int) {
	if r.mark(i, '-') && !r.at(i).gap && !r.at(i+1).gap {
		i++
	}
	j, fluid := i, fluidOunce
	for ; r.class(j) == "kind"; j++ {
		fluid = r.at(j).word.unit
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
	var factors []sizeTerm
	start := i
	for {
		f, end := r.factor(i)
		if f.bare() && !(of == packOfNoun && r.mark(end, 'x')) {
			f.noun = of
		}
		r.doubt = r.doubt || f.unit == dozen && of == packOfNoun // a pack of 6 dozen
		i, of = end, noNoun
		next := r.at(i+1).kind == numberToken
		switch {
		case f.noun != noNoun && r.class(i) == "of" && next:
			// 6 bottles of 500 mL, 2 packs of 6, 6 rolls of 110 sheets
			of = f.noun
			if f.noun >= packNoun {
				f.noun = noNoun
			}
		case !r.mark(i, 'x') || !next:
			r.doubt = r.doubt || r.mark(i, 'x') && !f.noise()
			r.product(append(factors, f), start, i)
			r.approx, r.each = 0, false // they were of this number, whatever it is
			return i
		}
		factors = append(factors, f)
		i++
	}
}

// factor reads a number with its unit or noun. It may be a range (1 - 2 kg, 300 g - 500 g), or
// pounds with ounces (1 lb 4 oz).
func (r *sizeReader) factor(i int) (sizeTerm, int) {
	n := r.at(i).num
	j := i + 1
	if next := r.at(j); next.kind == numberToken && next.num.fraction && n.whole() {
		n.x, n.fraction = n.x+next.num.x, true // 1 1/2
		j++
	}
	if r.noise(j) {
		return sizeTerm{}, j + 1
	}
	ranged := r.link(j) && r.at(j+1).kind == numberToken
	if ranged {
		g, end := r.factor(j + 1)
		lo, ok := n.in(g.unit)
		switch {
		case g.noise(): // 30-40 cm
			return g, end
		case g.bare():
		case !g.ranged() && ok && !g.unclear() && lo.lo < g.to.lo && g.to.lo <= lo.lo*maxRange:
			g.num, g.from = n, lo
			return g, end
		case (!n.whole() || n.x < 1000) && !r.at(i).glue:
			r.doubt = true // 6-355 mL
		}
	}
	u, end := r.unit(j)
	if u == noUnit {
		if r.class(j) == "dozen" {
			_, end = r.noun(j + 1)
			return newSizeTerm(n, dozen, pieceNoun), end
		}
		noun, end := r.noun(j)
		return newSizeTerm(n, thing, noun), end
	}
	t := newSizeTerm(n, u, noNoun)
	other := r.at(end)
	v, last := r.unit(end + 1)
	if u == pound && v == ounce && n.whole() && // 1 lb 4 oz
		other.kind == numberToken && other.num.form == plainNumber && other.num.x < 16 {
		oz, _ := other.num.in(ounce)
		t.from = span{tidy(t.from.lo + oz.lo), tidy(t.from.hi + oz.hi)}
		t.to = t.from
		return t, last
	}
	if other = r.at(end + 1); r.link(end) && other.kind == numberToken {
		v, last = r.unit(end + 2)
		to, ok := other.num.in(v)
		if v.of == u.of && v.metric() == u.metric() && ok && to.lo > t.from.hi*1.03 && to.hi <= t.from.lo*maxRange {
			t.to = to
			return t, last
		}
	}
	return t, end
}

// maxRange bounds the upper end of a range, in lower ends. A hyphen between
// numbers further apart joins no range.
const maxRange = 5

// link reports whether the token at i can join the ends of a range.
func (r *sizeReader) link(i int) bool { return r.mark(i, '-') || r.class(i) == "to" }

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

// product states the weight, volume or count that the factors from start to end make together.
func (r *sizeReader) product(factors []sizeTerm, start, end int) {
	main, named := -1, 0
	for i, f := range factors {
		switch {
		case f.noise():
			return // 30 x 40 cm
		case f.measures() && main >= 0:
			r.doubt = true // 5 g x 10 g
			return
		case f.measures():
			main = i
		case f.noun != noNoun:
			named++
		}
	}
	if main < 0 && named == 0 {
		r.stray(factors, start, end)
		return
	}
	before := start - 1
	for r.separator(before) && !r.mark(before, '-') {
		before--
	}
	if p := r.at(before); p.kind == numberToken && p.num.whole() && p.num.x < 1000 && !p.glue {
		r.doubt = true // "6 75 g" has lost its x; 24 (330 mL)
	}
	if r.class(start-1) == "for" && (r.at(start-2).kind == numberToken || r.stated(start-1) != nil) {
		r.doubt = true // "2 for 500 g", for how much?
	}
	p := r.at(start - 1)
	if r.at(start).glue && p.kind == wordToken && !p.gap && p.word.class == "" && r.at(start-2).kind == numberToken {
		r.doubt = true // 1e3 g
	}
	if r.mark(start-1, '/') && r.at(start-2).kind == numberToken {
		return // "31/40 count" is a grade of shrimp; "12/540 mL" was doubted before
	}
	if main < 0 && len(factors) == 2 && factors[0].noun == rollNoun && factors[1].noun == sheetNoun {
		factors, named = factors[:1], 1 // 12 rolls x 165 sheets: each roll has so many
	}
	for i, f := range factors {
		if f.measures() || f.noun == noNoun || named > 1 && (f.noun == packNoun || f.noun == boxNoun) {
			continue
		}
		switch {
		case main < 0:
			main = i
		case factors[main].counts():
			r.doubt = true // 6 slices x 12 pieces
		}
	}
	if main < 0 {
		r.doubt = true // 4 packs x 6 bags
		return
	}
	t := factors[main]
	for i, f := range factors {
		if i == main {
			continue
		}
		k, ok := f.from.count()
		inner := main > 0 && main < len(factors)-1 && k > 1 && i > main
		bags := i > main && f.noun == boxNoun && t.unit.of == Gram // 2 g in each tea bag, or in all
		t.packs *= k
		r.doubt = r.doubt || !ok || k < 1 || f.ranged() || f.unclear() || f.noun == sheetNoun || inner || bags ||
			t.packs > maxCount
	}
	_, lo := span{t.from.lo * float64(t.packs), 0}.count()
	_, hi := t.to.count()
	switch {
	case t.measures() && (!t.unclear() && t.from.lo == 0 || r.nutrition(t, end)):
		return
	case t.counts() && len(factors) == 1 && r.mark(start-1, '-') && !r.at(start-1).gap && !r.at(start).gap &&
		r.at(start-2).kind == wordToken && t.noun != countNoun && t.noun != packNoun:
		return // omega-3 eggs
	case t.unclear(), t.ranged() && (t.packs > 1 || t.noun == boxNoun || t.noun == packNoun), // 12-14 bags
		t.counts() && !(lo && hi && t.from.lo >= 1), t.noun == sheetNoun && len(factors) > 1:
		r.doubt = true
		return
	}
	t.inside = len(factors) == 1 && r.class(start-1) == "in" && r.stated(start-1) != nil
	r.state(t, end)
}

// stray handles a number, or a product of numbers, without a unit or noun.
func (r *sizeReader) stray(factors []sizeTerm, start, end int) {
	if len(factors) > 1 {
		r.doubt = true // "160 g 1x12"
		return
	}
	n, ok := factors[0].from.count()
	if !ok || n >= 10_000 {
		return
	}
	p := start
	for r.separator(p-1) || r.mark(p-1, '/') {
		p--
	}
	last := r.at(end).kind == endToken || r.separator(end)
	if t := r.stated(p); t != nil && t.measures() && last {
		if p == start {
			r.doubt = true // "400 g 24" may be a case of 24
		}
		r.lone = max(r.lone, n) // 400 g (24)
	}
	if r.at(start).glue {
		return // type 2
	}
	r.loose = r.loose || n > 1 && n < 1000
	word := start - 1
	if r.mark(word, ';') {
		word-- // qty: 12
	}
	w := r.at(word).word
	if r.mark(start-1, '(') && r.mark(end, ')') || w.class == "quantity" || w.noun == packNoun || w.noun == boxNoun {
		r.lone = max(r.lone, n)
	}
}

// nutrition reports whether a measure is of a nutrient or a serving, by the
// words that follow: "13 g of protein", "30 g per serving", "5 g each time".
func (r *sizeReader) nutrition(t sizeTerm, i int) bool {
	switch {
	case r.class(i) == "noun":
		return r.class(i+1) == "time"
	case r.class(i) == "per" || r.mark(i, '/'):
		return r.class(i+1) == "serving"
	case r.class(i) == "of":
		i++
	}
	return r.class(i) == "nutrient" && t.from.hi <= 60
}
