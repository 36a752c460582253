package basket

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type sizeToken struct {
	kind sizeTokenKind
	mark byte // of a mark: one of sizeMarks, x for a multiplier, or ; for all others
	gap  bool // white space before it
	glue bool // of a number: a letter right before it
	dot  bool // a full stop right after it
	word sizeWord
	num  sizeNumber
}

type sizeTokenKind uint8

const (
	endToken sizeTokenKind = iota // past the end
	numberToken
	wordToken
	markToken
)

const sizeMarks = `-/+=%()#,'"~$`

// sizeSigns writes the signs of a size text in ASCII. A $ is any currency.
var sizeSigns = strings.NewReplacer("½", " 1/2 ", "⅓", " 1/3 ", "¼", " 1/4 ", "¾", " 3/4 ", "×", " x ", "✕", " x ",
	"€", "$", "£", "$", "¢", "$", "¥", "$", "₹", "$", "‐", "-", "‑", "-", "–", "-", "—", "-", "−", "-", "’", "'", "‘", "'", "′", "'",
	"”", `"`, "“", `"`, "″", `"`, "≈", "~", "±", "~", "®", " ", "™", " ", "©", " ", "\u00ad", " ", "\u200b", " ", "\ufeff", " ")

// lexSize appends the tokens of text to toks. It drops full stops after words, and turns signs that
// mean nothing in sizes into semicolons.
func lexSize(text string, toks []sizeToken) []sizeToken {
	text = sizeSigns.Replace(text)
	gap, prev := false, ' '
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		t, end := sizeToken{kind: markToken, mark: ';', gap: gap}, i+n
		switch {
		case unicode.IsSpace(r):
			gap, i, prev = true, end, ' '
			continue
		case r >= '0' && r <= '9' || r == '.' && !unicode.IsLetter(prev) && !unicode.IsDigit(prev) && digitAt(text, end):
			t.kind, t.glue = numberToken, unicode.IsLetter(prev)
			t.num, end = lexSizeNumber(text, i)
		case unicode.IsLetter(r):
			end = len(text)
			if k := strings.IndexFunc(text[i:], func(r rune) bool { return !unicode.IsLetter(r) }); k >= 0 {
				end = i + k
			}
			// The x of "300mlx8" belongs to no word.
			if last := end - 1; last > i && text[last]|0x20 == 'x' && digitAt(text, end) && lookupSizeWord(text[i:last]).class == "unit" {
				end = last
			}
			if word := text[i:end]; word == "x" || word == "X" {
				t.mark = 'x'
			} else {
				t.kind, t.word = wordToken, lookupSizeWord(word)
			}
		case r == '.': // ends an abbreviation or a sentence
			if unicode.IsLetter(prev) {
				toks[len(toks)-1].dot = true
			}
			gap, i, prev = false, end, r
			continue
		case r == '*' && (digitAt(text, end) || end < len(text) && text[end] == ' ' && digitAt(text, end+1)): // else a footnote
			t.mark = 'x'
		case strings.ContainsRune(sizeMarks, r):
			t.mark = byte(r)
		}
		prev, _ = utf8.DecodeLastRuneInString(text[:end])
		toks, gap, i = append(toks, t), false, end
	}
	return toks
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// A sizeNumber is a number as a text writes it.
type sizeNumber struct {
	x        float64
	places   int  // digits behind the decimal mark
	fraction bool // 1/2, or 2 1/2
	form     numberForm
}

// numberForm says how far the digits are clear before the unit is known.
type numberForm uint8

const (
	plainNumber   numberForm = iota
	commaThousand            // 1,000: a thousand of g, one of kg; x is one
	dotThousand              // 1.500: 1.5, or a thousand and a half
	badNumber                // 1.2.3, or more digits than a size has
)

func (n sizeNumber) whole() bool { return n.places == 0 && !n.fraction }

// in returns so many of a unit, in g, mL or things. 1,000 is a thousand of g, mL and things,
// and one of kg, L and lb. With other units, and in 1.500 g, the marks are open: it reports false.
func (n sizeNumber) in(u sizeUnit) (span, bool) {
	small := u == gram || u == millilitre || u.of == Count
	ok := n.form != badNumber && (n.form != dotThousand || !small)
	if n.form == commaThousand {
		ok = small || u == kilogram || u == litre || u == pound
		if small {
			n.x *= 1000
		}
	}
	return span{tidy(n.x * u.lo), tidy(n.x * u.hi)}, ok
}

// A span is the smallest and the largest quantity, in g, mL or things, that one number
// may mean. They differ for units of more than one kind.
type span struct{ lo, hi float64 }

// count returns the quantity as a number of things, if it is whole.
func (x span) count() (int, bool) {
	k := int(min(x.lo, maxCount+1))
	return k, k <= maxCount && float64(k) == x.lo
}

// meets reports whether x times k and y may be one quantity, to a tolerance.
func (x span) meets(k float64, y span, tolerance float64) bool {
	return x.lo*k <= y.hi*(1+tolerance) && y.lo <= x.hi*k*(1+tolerance)
}

// lexSizeNumber reads the number at text[i:], with its fraction and thousands marks, and returns where it ends.
func lexSizeNumber(text string, i int) (sizeNumber, int) {
	digits := func(j int) int {
		for digitAt(text, j) {
			j++
		}
		return j
	}
	start, end := i, digits(i)
	marked := end > start && end-start <= 3 && text[start] != '0' // thousands may be marked
	ones, group := end-start, text[start:end]
	// 1 000 with any kind of space is a thousand; other groups are not so sure.
	if space, size := utf8.DecodeRuneInString(text[end:]); marked && strings.ContainsRune(" \u00a0\u202f\u2009", space) {
		if j := end + size; strings.HasPrefix(text[j:], "000") && !digitAt(text, j+3) {
			group, end, marked = group+"000", j+3, false
		}
	}
	tail := end
	for end < len(text) && (text[end] == ',' || text[end] == '.') && digitAt(text, end+1) {
		end = digits(end + 1)
	}
	digital := group + text[tail:end]
	head, places, _ := strings.Cut(digital, ".")
	groups := strings.Split(head, ",")
	for _, g := range groups[1:] {
		marked = marked && len(g) == 3
	}
	var n sizeNumber
	switch {
	case len(digital) > 16, strings.ContainsAny(places, ",."):
		n.form = badNumber
	case len(groups) == 1:
		if marked && ones < 3 && len(places) == 3 && places[1:] == "00" {
			n.form = dotThousand
		}
	case len(groups) == 2 && places == "": // 1,5 and 1,000
		places, digital = groups[1], strings.Replace(digital, ",", ".", 1)
		if marked {
			n.form = commaThousand
		}
	case marked: // 1,234.5 and 1,000,000 leave no doubt
		digital = strings.ReplaceAll(digital, ",", "")
	default:
		n.form = badNumber
	}
	if n.places = len(places); n.form != badNumber {
		n.x, _ = strconv.ParseFloat(digital, 64) // of digits alone
	}
	// 1/2, 1/3, 1/4 or 3/4
	if rest := text[end:]; n.places == 0 && strings.HasPrefix(rest, "/") && digitAt(rest, 1) &&
		(len(rest) == 2 || !strings.ContainsRune("0123456789.,/", rune(rest[2]))) {
		if d := float64(rest[1] - '0'); n.x == 1 && d >= 2 && d <= 4 || n.x == 3 && d == 4 {
			n.x, n.fraction, end = n.x/d, true, end+2
		}
	}
	return n, end
}
