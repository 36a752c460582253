package panel

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// ligatures are letters that stand for two and that no decomposition splits.
var ligatures = map[rune]string{'œ': "oe", 'æ': "ae", 'ß': "ss"}

// modifierApostrophe counts as a letter in Unicode, and parts words all the
// same.
const modifierApostrophe = 'ʼ'

// words folds a text to the form in which titles and terms are compared: its
// words in lower case and without accents, with one space before and after
// each. Whatever is neither letter nor digit parts words, apostrophes and
// hyphens too: "L'Œuf à-la-coque" is " l oeuf a la coque ". A text without any
// word is "".
func words(text string) string {
	var sb strings.Builder
	inside := false
	text = strings.ToValidUTF8(text, "\uFFFD") // the letter after a stray byte would keep its accent
	for _, r := range norm.NFD.String(text) {
		switch {
		case r == modifierApostrophe:
			inside = false
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if !inside {
				sb.WriteByte(' ')
				inside = true
			}
			r = unicode.ToLower(r)
			if two, ok := ligatures[r]; ok {
				sb.WriteString(two)
			} else {
				sb.WriteRune(r)
			}
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
			// The accent of the letter before, or a mark that nobody sees: soft
			// hyphens and the like.
		default:
			inside = false
		}
	}
	if sb.Len() > 0 {
		sb.WriteByte(' ')
	}
	return sb.String()
}

// hasTerm reports whether the words of a term stand in a row in a title; both
// are folded. A term without words stands nowhere.
func hasTerm(title, term string) bool {
	return term != "" && strings.Contains(title, term)
}
