package basket

// A sizeCount is one number of things that a text states.
type sizeCount struct {
	lo, hi int // equal, but for a range
	packs  int // 2 in "2 x 80 bags", with lo 80; else 1
	noun   nounKind
	after  bool // a weight or volume before it
	inside bool // "in 6 pieces"
	approx bool
	end    int
}

// A sizeReader goes through the tokens of one text once and collects their
// measures and counts. Then settle makes a Size of these.
type sizeReader struct {
	toks     []sizeToken
	measures []sizeMeasure
	counts   []sizeCount
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

// read collects the measures and counts of the text, and reports whether the
// text has no word or number.
func (r *sizeReader) read() (blank bool) {
	blank, open := true, 0
	for _, t := range r.toks {
		blank = blank && t.kind == markToken && t.mark != 'x' && t.mark != '$'
	}
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
				r.doubt = r.doubt || (i == 0 || t.gap) && number && (joined || r.at(i+1).num.den > 1)
			case '\'': // 1'5 L
				r.doubt = r.doubt || !t.gap && after && number
			case '+':
				if number && len(r.measures)+len(r.counts) > 0 {
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
	for i := max(r.approx-2, 0); r.approx > 0 && i <= len(r.toks); i++ {
		if r.stated(i) {
			r.minimum(i) // "1.2 kg approx."
			break
		}
	}
	return blank
}

// phrase reads the word at i with its continuation, and returns the place of the
// next token.
func (r *sizeReader) phrase(i int) int {
	switch w := r.at(i).word; w.class {
	case "approx":
		r.approx = i + 1
	case "min":
		if r.at(i-1).kind != numberToken { // "2 min" is a time
			r.approx = i + 1
		}
	case "max", "bound", "typical", "circa":
		r.bound(i)
	case "plus":
		if r.at(i+1).kind == numberToken && r.stated(i) {
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
			return r.addCount(sizeCount{lo: 6, hi: 6, packs: 1, noun: pieceNoun}, r.eggs(i+2))
		}
	case "dozen":
		if end := r.eggs(i + 1); end > i+1 || i == 0 || r.at(i-1).kind != numberToken {
			return r.addCount(sizeCount{lo: 12, hi: 12, packs: 1, noun: pieceNoun}, end)
		}
	case "noun":
		if (w.noun == packNoun || w.noun == boxNoun) && r.class(i+1) == "of" && r.at(i+2).kind == numberToken {
			return r.number(i+2, packOfNoun)
		}
		if w.noun == eachNoun {
			j := i
			for r.separator(j-1) || r.mark(j-1, '/') {
				j--
			}
			if k := len(r.measures) - 1; k >= 0 && r.measures[k].end == j {
				r.measures[k].each = r.class(i+1) != "time"
			}
			r.each = r.at(i+1).kind == numberToken
		}
	}
	return i + 1
}

// bound reads a word at i that makes the number behind it, if there is one, a
// bound or a typical value.
func (r *sizeReader) bound(i int) {
	class, j := r.class(i), i+1
	switch {
	case class == "circa" && !r.at(i).dot:
		return // vitamin C 500 g
	case class == "max" && !r.at(i).dot && r.at(i-1).kind == wordToken && r.class(i-1) != "weight" && !r.stated(i):
		return // Pepsi Max 2 L
	case class == "max" && r.stated(i) && r.at(j).kind != wordToken && r.at(j).kind != numberToken:
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

// minimum makes the measure or count right before i approximate.
func (r *sizeReader) minimum(i int) {
	if approx := r.ending(i); approx != nil {
		*approx = true
	}
}

// ending returns whether the last measure or count, if it ends at i, is approximate.
func (r *sizeReader) ending(i int) *bool {
	if k := len(r.measures) - 1; k >= 0 && r.measures[k].end == i {
		return &r.measures[k].approx
	} else if k := len(r.counts) - 1; k >= 0 && r.counts[k].end == i {
		return &r.counts[k].approx
	}
	return nil
}

func (r *sizeReader) stated(i int) bool { return r.ending(i) != nil }

// separator reports whether the token at i is a mark that can separate a measure
// from its count.
func (r *sizeReader) separator(i int) bool {
	t := r.at(i)
	return t.kind == markToken && (t.mark == '(' || t.mark == ')' || t.mark == ',' || t.mark == ';' || t.mark == '-')
}

// eggs skips the noun after a dozen: "1 dozen large eggs".
func (r *sizeReader) eggs(i int) int {
	_, end := r.noun(i)
	return end
}

// per reads "/", "per" or an article at i, with the unit behind it.
func (r *sizeReader) per(i int) int {
	j := i + 1
	if r.class(i) == "per" && r.class(j) == "article" {
		j++
	}
	number := r.at(i-1).kind == numberToken // 1.99/lb
	n := sizeNumber{mant: 1, den: 1}
	numbered := r.at(j).kind == numberToken && r.class(i) != "article"
	if numbered {
		n = r.at(j).num
		j++
	}
	u, end := r.unit(j)
	if k := len(r.measures) - 1; k >= 0 && r.measures[k].end == i && r.class(j) == "noun" && !numbered {
		r.measures[k].per = r.class(i) != "article" // 113 g per piece
	}
	switch {
	case u == noUnit:
		return i + 1
	case number:
		r.price = r.price || !numbered || r.at(i-1).num.dec > 0
		r.doubt = true // 12/540 mL
		return end
	case numbered && r.stated(i):
		return i + 1 // 796 mL/28 oz
	case numbered && r.mark(i, '/') && i > 0 && !(n.integer() && (n.mant == 1 || n.mant == 10 || n.mant == 100)):
		return i + 1 // the other half of "mild/500 g"
	case u.volume:
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

func (r *sizeReader) addCount(c sizeCount, end int) int {
	c.end, c.after = end, len(r.measures) > 0
	c.approx, r.approx = r.approx > 0, 0
	r.counts = append(r.counts, c)
	return end
}
