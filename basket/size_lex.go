package basket

import (
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

// lexSize appends the tokens of text to toks. It drops full stops after words,
// and drops other signs without a meaning in sizes or makes them semicolons.
func lexSize(text string, toks []sizeToken) []sizeToken {
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
				lookupSizeWord(word[:len(word)-1]).class == unitWord
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
		case vulgarFraction(r) > 0:
			num := sizeNumber{mant: 1, den: vulgarFraction(r)}
			if r == '¾' {
				num.mant = 3
			}
			toks = appendFraction(toks, num, gap, prev == '0')
			r = '0'
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
	n := sizeNumber{den: 1}
	start, digits := i, 0
	run := func() int { // reads digits, returns how many
		from := i
		for ; digitAt(text, i); i++ {
			if digits++; digits <= 15 {
				n.mant = n.mant*10 + int64(text[i]-'0')
			}
		}
		return i - from
	}
	whole := run()
	lead := text[start] == '0'
	// 1 000 with any kind of space is a thousand; other groups are not so sure.
	for whole >= 1 && whole <= 3 && !lead {
		sp, size := utf8.DecodeRuneInString(text[i:])
		j := i + size
		if sp != ' ' && sp != '\u00a0' && sp != '\u202f' && sp != '\u2009' ||
			len(text) < j+3 || text[j:j+3] != "000" || digitAt(text, j+3) {
			break
		}
		i = j
		run()
		whole = 0
	}
	groups, sep := 0, byte(0)
	for i < len(text) && (text[i] == ',' || text[i] == '.') && digitAt(text, i+1) {
		if text[i] == ',' && sep == '.' || text[i] == '.' && sep == '.' {
			n.form = badNumber
		}
		if text[i] == '.' && sep == ',' && n.form != commaThousand {
			n.form = badNumber
		}
		sep = text[i]
		i++
		mark := i
		k := run()
		switch {
		case sep == '.':
			n.dec = int8(min(k, 100))
			if n.form == commaThousand {
				n.form = plainNumber // 1,234.5
			} else if k == 3 && !lead && whole <= 2 && whole > 0 && text[mark+1:mark+3] == "00" {
				n.form = dotThousand
			}
		case k == 3 && whole >= 1 && whole <= 3 && !lead && (groups == 0 || n.form == commaThousand):
			n.form = commaThousand
			groups++
		case groups == 0 && n.form == plainNumber:
			n.dec = int8(min(k, 100))
			groups++
		default:
			n.form = badNumber
		}
	}
	if groups > 1 && n.form == commaThousand {
		n.form = plainNumber // 1,000,000 leaves no doubt
	}
	if digits > 15 {
		n.form = badNumber
	}
	if end, den := slashFraction(text, i, n); den > 0 {
		n.den, i = den, end
	}
	return n, i
}

// slashFraction reads the rest of 1/2, 1/3, 1/4 or 3/4; den is 0 without a fraction.
func slashFraction(text string, i int, n sizeNumber) (end int, den int64) {
	if !n.integer() || i >= len(text) || text[i] != '/' || !digitAt(text, i+1) || digitAt(text, i+2) {
		return 0, 0
	}
	if i+2 < len(text) && (text[i+2] == '.' || text[i+2] == ',' || text[i+2] == '/') {
		return 0, 0
	}
	d := int64(text[i+1] - '0')
	if n.mant == 1 && d >= 2 && d <= 4 || n.mant == 3 && d == 4 {
		return i + 2, d
	}
	return 0, 0
}

func vulgarFraction(r rune) int64 {
	switch r {
	case '½':
		return 2
	case '⅓':
		return 3
	case '¼', '¾':
		return 4
	}
	return 0
}

// appendFraction adds ½, to the number before it if that is glued to it: 1½.
func appendFraction(toks []sizeToken, num sizeNumber, gap, glued bool) []sizeToken {
	if k := len(toks) - 1; glued && k >= 0 && toks[k].kind == numberToken && toks[k].num.integer() {
		num.mant += toks[k].num.mant * num.den
		toks[k].num = num
		return toks
	}
	return append(toks, sizeToken{kind: numberToken, num: num, gap: gap})
}
