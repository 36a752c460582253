package panel

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Repair undoes the damage that shops' systems do to names: UTF-8 text read as
// windows-1252 or ISO-8859-1, once or several times ("cafÃ©" for "café"), HTML
// character references ("&quot;"), control characters, and stray or doubled spaces.
// A good name comes back as it is, accents and all, and repairing twice is repairing once.
//
// It replaces only sequences that good text does not have.
func Repair(name string) string {
	space := func(r rune) bool { return r == ' ' } // no-break spaces are meant
	for {
		text := strings.Map(printable, unescape(undoMisreading(name)))
		repaired := strings.Join(strings.FieldsFunc(text, space), " ")
		if repaired == name {
			return name
		}
		name = repaired
	}
}

// printable returns a space for a tab or a line break. For 80 to 9F it returns what windows-1252
// has there: a shop that sends U+0092 means "’". It leaves out every other control character.
func printable(r rune) rune {
	switch {
	case r >= '\t' && r <= '\r':
		return ' '
	case r >= 0x80 && r <= 0x9F:
		r = charmap.Windows1252.DecodeByte(byte(r))
		if r != utf8.RuneError {
			return r
		}
		return -1
	case unicode.IsControl(r):
		return -1
	}
	return r
}

// reference is a complete HTML character reference: "&quot;", "&#39;". "Salt &para" has no
// semicolon, so it stays.
var reference = regexp.MustCompile(`&[#0-9A-Za-z]+;`)

func unescape(s string) string {
	return reference.ReplaceAllStringFunc(s, func(r string) string {
		if text := html.UnescapeString(r); !strings.ContainsRune(text, utf8.RuneError) {
			return text
		}
		return r
	})
}

// undoMisreading also repairs "Ã ", an à whose no-break space became a plain one. It leaves "Ã " after a
// capital letter, as in "MAÇÃ VERDE": an à in a name is lower case.
func undoMisreading(s string) string {
	if !strings.ContainsAny(s, "ÂÃâÅÆË") {
		return s
	}
	var sb strings.Builder
	var last rune
	for len(s) > 0 {
		r, n := misread(s)
		if n == 0 && strings.HasPrefix(s, "Ã ") && !unicode.IsUpper(last) {
			r, n = 'à', len("Ã")
			if strings.HasPrefix(s[n:], " -") || strings.HasPrefix(s[n:], " ,") {
				n++
			}
		}
		if n > 0 {
			sb.WriteRune(r)
		} else {
			r, n = utf8.DecodeRuneInString(s)
			sb.WriteString(s[:n])
		}
		last, s = r, s[n:]
	}
	return sb.String()
}

// misread returns the character whose misreading starts s, and the length of the
// misreading in bytes; 0 if s starts with none.
func misread(s string) (rune, int) {
	var encoded []byte // s as windows-1252, or as ISO-8859-1 where that differs
	taken := 0
	for len(encoded) < 3 && taken < len(s) {
		r, n := utf8.DecodeRuneInString(s[taken:])
		b, ok := charmap.Windows1252.EncodeRune(r)
		if r >= 0x80 && r <= 0x9F {
			b, ok = byte(r), true
		}
		if !ok {
			break
		}
		encoded = append(encoded, b)
		taken += n
		if r, size := utf8.DecodeRune(encoded); len(encoded) > 1 && size == len(encoded) && led(encoded) {
			return r, taken
		}
	}
	return 0, 0
}

// led reports whether the first two bytes begin a sequence that good text does not have. After
// C5, C6 and CB they must make a character of windows-1252: Œ œ Š š Ÿ Ž ž, ƒ, ˆ ˜.
func led(encoded []byte) bool {
	seconds := map[byte]string{
		0xE2: "\x80\x82\x84", 0xC5: "\x92\x93\xA0\xA1\xB8\xBD\xBE", 0xC6: "\x92", 0xCB: "\x86\x9C",
	}
	return encoded[0] == 0xC2 || encoded[0] == 0xC3 || strings.IndexByte(seconds[encoded[0]], encoded[1]) >= 0
}
