// Package fold writes texts in the form in which they are compared.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text returns a text in lower case and without accents. Letters made of two are taken
// apart (œ, æ and ß), invisible marks such as a soft hyphen go, and bytes that are no
// UTF-8 become U+FFFD. "Bœuf haché" is "boeuf hache".
func Text(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToValidUTF8(text, "\uFFFD")) {
		switch r = unicode.ToLower(r); {
		case r == 'œ':
			b.WriteString("oe")
		case r == 'æ':
			b.WriteString("ae")
		case r == 'ß':
			b.WriteString("ss")
		case !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Cf, r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Stem takes the ending of a plural off a word, in English or French.
func Stem(s string) string {
	switch {
	case len(s) < 4:
		return s
	case strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "ie"): // "cookies" may be of "cookie" or "cooky"
		return s[:len(s)-2] + "y"
	case strings.HasSuffix(s, "oes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "ss"):
		return s
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "aux"), strings.HasSuffix(s, "eux"),
		strings.HasSuffix(s, "oux"):
		return s[:len(s)-1]
	}
	return s
}
