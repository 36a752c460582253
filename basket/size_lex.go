package basket

import (
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
