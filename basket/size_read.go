package basket

import "strings"

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
	equation bool
	doubt    bool // something that may change the size: a stray multiplier, a cut
	open     int  // brackets
	next     int  // the token to read next
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

// sizeRules are the grammar of the marks and words around numbers: what a token means where the token before it
// and the one behind it fit. Names in these two are alternatives; see is. The first rule that fits applies. Numbers
// with their units, nouns and factors are read by number.
var sizeRules = []struct {
	tokens, before, behind string // classes of size.txt and marks
	do                     func(r *sizeReader, i int)
}{
	{"$", "", "", func(r *sizeReader, _ int) { r.price = true }},
	{"= equals", "", "", func(r *sizeReader, _ int) { r.equation = true }}, // 12 double rolls = 24 rolls
	{"(", "", "", func(r *sizeReader, _ int) { r.open++ }},
	{")", "", "", (*sizeReader).closed},
	{"x", "number", "", (*sizeReader).doubted}, // a number on one side only: "cookies x12"
	{"x", "", "number", (*sizeReader).doubted},
	{"-", "end", "joined", (*sizeReader).doubted},              // a negative number
	{",", "end gap", "joined fraction", (*sizeReader).doubted}, // ",5 L"; ½ has a gap before it
	{"'", "touching", "number", (*sizeReader).doubted},         // 1'5 L
	{"+", "found", "number", (*sizeReader).doubted},            // a sum
	{"plus", "stated", "number", (*sizeReader).doubted},
	{"+", "nogap", "noword", (*sizeReader).minimum}, // 170 g+
	{"and", "", "plus up bound", (*sizeReader).minimum},
	{"up", "", "to", func(r *sizeReader, i int) { r.approx = i + 2 }},
	{"up", ";", "", func(r *sizeReader, i int) { r.minimum(i - 1) }}, // 500 g & up
	{"~ approx", "", "", (*sizeReader).about},
	{"min", "nonumber", "", (*sizeReader).about}, // "2 min" is a time
	{"mean", "weight in", "", (*sizeReader).about},
	{"bound typical", "", "", (*sizeReader).bound},
	{"plus", "", "of", (*sizeReader).bound}, // plus de 1 kg
	{"plus", "article", "", (*sizeReader).bound},
	{"circa", "dot", "", (*sizeReader).bound},                    // not "vitamin C 500 g"
	{"max", "stated", "none", (*sizeReader).minimum},             // 500 g max
	{"max", "stated dot noword weight", "", (*sizeReader).bound}, // not "Pepsi Max 2 L"
	{"twin", "", "", func(r *sizeReader, _ int) { r.several = 2 }},
	{"trio", "", "", func(r *sizeReader, _ int) { r.several = 3 }},
	{"numeral", "", "", func(r *sizeReader, _ int) { r.loose = true }},
	{"weight", "per article", "", func(r *sizeReader, _ int) { r.byWeight = true }},
	{"/ per article", "", "", func(r *sizeReader, i int) { r.next = r.per(i) }},
	{"makes serving", "", "number", func(r *sizeReader, i int) { r.next = i + 2 }}, // what it makes, or the servings
	{"number omega", "", "", (*sizeReader).named},
	{"half", "", "", (*sizeReader).half},
	{"dozen", "", "", func(r *sizeReader, i int) { r.next = r.dozen(1, i) }},
	{"noun", "", "", (*sizeReader).counted},
}

// sizeRulesOf has the places in sizeRules by token.
var sizeRulesOf = func() map[string][]int {
	places := map[string][]int{}
	for i, rule := range sizeRules {
		for token := range strings.FieldsSeq(rule.tokens) {
			places[token] = append(places[token], i)
		}
	}
	return places
}()

// read collects all that the text states.
func (r *sizeReader) read() {
	for i := 0; i < len(r.toks); i = r.next {
		r.next = i + 1
		t := r.toks[i]
		name := t.word.class
		switch t.kind {
		case numberToken:
			r.next = r.number(i, noNoun)
			continue
		case markToken:
			name = string(t.mark)
		}
		for _, at := range sizeRulesOf[name] {
			if rule := &sizeRules[at]; r.is(i-1, rule.before) && r.is(i+1, rule.behind) {
				rule.do(r, i)
				break
			}
		}
	}
	if k := len(r.found) - 1; r.approx > 0 && k >= 0 && r.found[k].end >= r.approx-2 {
		r.found[k].approx = true // "1.2 kg approx."
	}
}

// sizeNames are the names in rules that are no class and no mark.
var sizeNames = map[string]func(r *sizeReader, i int) bool{
	"number":   func(r *sizeReader, i int) bool { return r.at(i).kind == numberToken },
	"joined":   func(r *sizeReader, i int) bool { return r.at(i).kind == numberToken && !r.at(i).gap },
	"touching": func(r *sizeReader, i int) bool { return r.at(i).kind == numberToken && !r.at(i+1).gap },
	"fraction": func(r *sizeReader, i int) bool { return r.at(i).num.fraction },
	"nonumber": func(r *sizeReader, i int) bool { return r.at(i).kind != numberToken },
	"noword":   func(r *sizeReader, i int) bool { return r.at(i).kind != wordToken },
	"none":     func(r *sizeReader, i int) bool { return r.at(i).kind == markToken || r.at(i).kind == endToken },
	"end":      func(r *sizeReader, i int) bool { return r.at(i).kind == endToken },
	"gap":      func(r *sizeReader, i int) bool { return r.at(i + 1).gap }, // white space behind it
	"nogap":    func(r *sizeReader, i int) bool { return !r.at(i + 1).gap },
	"dot":      func(r *sizeReader, i int) bool { return r.at(i + 1).dot },      // a full stop after the word behind it
	"stated":   func(r *sizeReader, i int) bool { return r.stated(i+1) != nil }, // the end of a weight, volume or count
	"found":    func(r *sizeReader, _ int) bool { return len(r.found) > 0 },
}

// is reports whether the token at i is one of these: classes of size.txt, marks, or names of sizeNames.
func (r *sizeReader) is(i int, names string) bool {
	for name := range strings.FieldsSeq(names) {
		t := r.at(i)
		fits := t.word.class == name || t.kind == markToken && name == string(t.mark)
		if special := sizeNames[name]; special != nil {
			fits = special(r, i)
		}
		if fits {
			return true
		}
	}
	return names == ""
}

func (r *sizeReader) doubted(int) { r.doubt = true }

// about makes what comes next approximate.
func (r *sizeReader) about(i int) { r.approx = i + 1 }

// closed reads a bracket that closes. In a tail the first number may be cut, too.
func (r *sizeReader) closed(int) {
	r.open--
	r.doubt = r.doubt || r.open < 0 && r.at(0).kind == numberToken
}

// named reads a word whose number names something: no. 5, size 4.
func (r *sizeReader) named(i int) {
	j := i + 1
	if r.is(j, "- #") {
		j++
	}
	if r.at(j).kind != numberToken {
		return
	}
	r.toks[j].glue = true
	if r.class(i) == "omega" {
		r.next = j + 1
	}
}

func (r *sizeReader) half(i int) {
	if r.is(i+1, "- to") { // demi-douzaine, half a dozen
		i++
	}
	r.next = i + 1
	if r.class(i+1) == "dozen" {
		r.next = r.dozen(0.5, i+1)
	}
}

// counted reads a noun that no number before it has taken: pack of 6, each.
func (r *sizeReader) counted(i int) {
	noun := r.at(i).word.noun
	switch {
	case (noun == packNoun || noun == boxNoun) && r.class(i+1) == "of" && r.at(i+2).kind == numberToken:
		r.next = r.number(i+2, packOfNoun)
	case noun == eachNoun:
		j := i
		for r.is(j-1, sizeSeparators) || r.mark(j-1, '/') {
			j--
		}
		if t := r.stated(j); t != nil {
			t.each = r.class(i+1) != "time"
		}
		r.each = r.at(i+1).kind == numberToken
	}
}

// bound makes the number behind a word that bounds it approximate.
func (r *sizeReader) bound(i int) {
	j := i + 1
	for r.is(j, "weight of in ;") {
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

// sizeSeparators can stand between a measure and its count.
const sizeSeparators = "( ) , ; -"

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
	case u == ounce && (isFluid || r.is(j, "fluid ounces")):
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
	for ; r.is(j, "adj tea") && j < i+3; j++ {
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
	if r.is(i, "per /") && r.class(i+1) == "noun" {
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
	ranged := r.is(j, "- to") && r.at(j+1).kind == numberToken
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
	if other = r.at(end + 1); r.is(end, "- to") && other.kind == numberToken {
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

// noise reports whether the token at i says that the number before it is no
// size, but a percentage, a length, a strength or a time.
func (r *sizeReader) noise(i int) bool {
	switch gap := r.at(i).gap; {
	case r.mark(i, '\'') && !gap:
		return !r.is(i+1, "s joined")
	case r.mark(i, '-') && !gap && !r.at(i+1).gap:
		return r.is(i+1, "noise in")
	case r.mark(i, '"'):
		return !gap
	}
	return r.is(i, "% noise serving in")
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
	for r.is(before, "( ) , ;") {
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
	for r.is(p-1, sizeSeparators) || r.mark(p-1, '/') {
		p--
	}
	last := r.is(end, "end "+sizeSeparators)
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
	case r.is(i, "per /"):
		return r.class(i+1) == "serving"
	case r.class(i) == "of":
		i++
	}
	return r.class(i) == "nutrient" && t.from.hi <= 60
}
