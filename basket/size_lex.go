package basket

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sizeToken is one number, word or mark of a size text.
type sizeToken struct {
	kind sizeTokenKind
	mark byte // of a mark: one of - / + = % ( ) # , ' " ~, or ; for all others
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
	timesToken // x, × or *
	markToken
	moneyToken // a currency sign
)

var fractions = strings.NewReplacer("½", " 1/2 ", "⅓", " 1/3 ", "¼", " 1/4 ", "¾", " 3/4 ")

// lexSize appends the tokens of text to toks. It drops full stops after words,
// and drops other signs without a meaning in sizes or makes them semicolons.
func lexSize(text string, toks []sizeToken) []sizeToken {
	text = fractions.Replace(text)
	gap, prev := false, rune(0)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r >= '0' && r <= '9' || r == '.' && !isWordRune(prev) && digitAt(text, i+1):
			num, end := lexSizeNumber(text, i)
			toks = append(toks, sizeToken{kind: numberToken, num: num, gap: gap, glue: unicode.IsLetter(prev)})
			i, gap, prev = end, false, '0'
			continue
		case unicode.IsLetter(r):
			end := i
			for end < len(text) {
				r, n := utf8.DecodeRuneInString(text[end:])
				if !unicode.IsLetter(r) {
					break
				}
				end += n
			}
			word := text[i:end]
			// The x of "300mlx8" belongs to no word.
			x := len(word) > 1 && (word[len(word)-1]|0x20) == 'x' && digitAt(text, end) &&
				lookupSizeWord(word[:len(word)-1]).class == "unit"
			if x {
				word = word[:len(word)-1]
			}
			if word == "x" || word == "X" {
				toks = append(toks, sizeToken{kind: timesToken, gap: gap})
			} else {
				toks = append(toks, sizeToken{kind: wordToken, word: lookupSizeWord(word), gap: gap})
			}
			if x {
				toks = append(toks, sizeToken{kind: timesToken})
			}
			i, gap, prev = end, false, 'a'
			continue
		case r == '.': // ends an abbreviation or a sentence
			if k := len(toks) - 1; k >= 0 && prev == 'a' {
				toks[k].dot = true
			}
		case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff':
			gap = true
			i, prev = i+n, ' '
			continue
		default:
			t := sizeMark(r)
			if r == '*' && !digitAt(text, i+1) && !(i+2 < len(text) && text[i+1] == ' ' && digitAt(text, i+2)) {
				t = sizeToken{kind: markToken, mark: ';'} // a footnote
			}
			if t.kind != endToken {
				t.gap = gap
				toks = append(toks, t)
			}
		}
		i, gap, prev = i+n, false, r
	}
	return toks
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

func isWordRune(r rune) bool { return r == '0' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func sizeMark(r rune) sizeToken {
	switch r {
	case '×', '✕', '*':
		return sizeToken{kind: timesToken}
	case '$', '€', '£', '¢', '¥', '₹':
		return sizeToken{kind: moneyToken}
	case '-', '‐', '‑', '–', '—', '−':
		return sizeToken{kind: markToken, mark: '-'}
	case '\'', '’', '‘', '′':
		return sizeToken{kind: markToken, mark: '\''}
	case '"', '”', '“', '″':
		return sizeToken{kind: markToken, mark: '"'}
	case '~', '≈', '±':
		return sizeToken{kind: markToken, mark: '~'}
	case '/', '+', '=', '%', '(', ')', '#', ',':
		return sizeToken{kind: markToken, mark: byte(r)}
	case '®', '™', '©', '\u00ad':
		return sizeToken{}
	}
	return sizeToken{kind: markToken, mark: ';'}
}

// lexSizeNumber reads the number at text[i:], with its fraction and thousands
// marks, and returns where it ends.
func lexSizeNumber(text string, i int) (sizeNumber, int) {
	start := i
	digits := func() {
		for digitAt(text, i) {
			i++
		}
	}
	digits()
	zero, whole := text[start] == '0', i-start
	// 1 000 with any kind of space is a thousand; other groups are not so sure.
	if space, size := utf8.DecodeRuneInString(text[i:]); whole >= 1 && whole <= 3 && !zero && strings.ContainsRune(" \u00a0\u202f\u2009", space) {
		if j := i + size; strings.HasPrefix(text[j:], "000") && !digitAt(text, j+3) {
			i, whole = j+3, 0
		}
	}
	for i < len(text) && (text[i] == ',' || text[i] == '.') && digitAt(text, i+1) {
		i++
		digits()
	}
	n := sizeNumber{den: 1}
	count := 0
	for _, c := range []byte(text[start:i]) {
		if c >= '0' && c <= '9' {
			if count++; count <= 15 {
				n.mant = n.mant*10 + int64(c-'0')
			}
		}
	}
	head, places, dot := strings.Cut(text[start:i], ".")
	groups := strings.Split(head, ",")
	thousands := whole >= 1 && whole <= 3 && !zero
	for _, g := range groups[1:] {
		thousands = thousands && len(g) == 3
	}
	n.dec = int8(min(len(places), 100))
	switch {
	case count > 15, strings.ContainsAny(places, ",."):
		n.form = badNumber
	case len(groups) == 1:
		if !zero && whole >= 1 && whole <= 2 && len(places) == 3 && places[1:] == "00" {
			n.form = dotThousand
		}
	case thousands && len(groups) == 2 && !dot:
		n.form = commaThousand
	case thousands: // 1,234.5 and 1,000,000 leave no doubt
	case len(groups) == 2 && !dot:
		n.dec = int8(min(len(groups[1]), 100))
	default:
		n.form = badNumber
	}
	// 1/2, 1/3, 1/4 or 3/4
	if rest := text[i:]; n.integer() && strings.HasPrefix(rest, "/") && digitAt(rest, 1) &&
		(len(rest) == 2 || strings.IndexByte("0123456789.,/", rest[2]) < 0) {
		if d := int64(rest[1] - '0'); n.mant == 1 && d >= 2 && d <= 4 || n.mant == 3 && d == 4 {
			n.den, i = d, i+2
		}
	}
	return n, i
}
