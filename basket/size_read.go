package basket

import "slices"

// A sizeTerm is a number with its unit or noun: a factor of a product such as 4 x 100 mL, or
// a weight, volume or count that a text states.
type sizeTerm struct {
	num      sizeNumber
	unit     sizeUnit // thing or dozen for a count, thing for a bare number
	noun     nounKind // of a count
	from, to span     // the ends of a range; equal for a plain size
	packs    int      // the other factors, multiplied; or 1
	end      int      // the token after it
	noise    bool     // a length, a percentage, a time
	unclear  bool     // its digits can be read in two ways
	ranged   bool
	approx   bool
	each     bool // "each" before it or after it
	before   bool // "each" is before it
	per      bool // "per piece" after it
	after    bool // a count with a weight or volume before it
	inside   bool // "in 6 pieces"
	parts    int  // packs whose content is rounded, with this the total of all; else 0
}

func newSizeTerm(n sizeNumber, u sizeUnit, noun nounKind) sizeTerm {
	x, ok := n.in(u)
	return sizeTerm{num: n, unit: u, noun: noun, from: x, to: x, packs: 1, unclear: !ok}
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
		if r.at(j).kind == numberToken {
			if r.toks[j].glue = true; w.class == "omega" {
				return j + 1
			}
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
	case class == "max" && !r.at(i).dot && r.at(i-1).kind == wordToken && r.class(i-1) != "weight" && r.stated(i) == nil:
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
	t.end, t.approx, t.each, t.before = end, r.approx > 0, r.each, r.each
	t.after = slices.ContainsFunc(r.found, sizeTerm.measures)
	r.found = append(r.found, t)
	r.approx, r.each = 0, false
}
