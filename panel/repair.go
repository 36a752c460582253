package panel

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Repair undoes the damage that shops' systems do to names: UTF-8 text read as
// windows-1252, once or several times ("cafÃ©" for "café"), HTML character
// references ("&quot;"), and stray or doubled spaces. A good name comes back as
// it is, accents and all, and repairing twice is repairing once.
//
// It replaces only sequences that good text does not have.
func Repair(name string) string {
	space := func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' } // no-break spaces are meant
	for {
		repaired := strings.Join(strings.FieldsFunc(unescape(undoMisreading(name)), space), " ")
		if repaired == name {
			return name
		}
		name = repaired
	}
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

func undoMisreading(s string) string {
	if !strings.ContainsAny(s, "ÂÃâÅÆË") {
		return s
	}
	var sb strings.Builder
	for len(s) > 0 {
		if r, n := misread(s); n > 0 {
			sb.WriteRune(r)
			s = s[n:]
			continue
		}
		_, n := utf8.DecodeRuneInString(s)
		sb.WriteString(s[:n])
		s = s[n:]
	}
	return sb.String()
}

// misread returns the character whose misreading starts s, and the length of the
// misreading in bytes; 0 if s starts with none.
func misread(s string) (rune, int) {
	var encoded []byte // s as windows-1252
	taken := 0
	for len(encoded) < 3 && taken < len(s) {
		r, n := utf8.DecodeRuneInString(s[taken:])
		b, ok := charmap.Windows1252.EncodeRune(r)
		switch r {
		case 0x81, 0x8D, 0x8F, 0x90, 0x9D: // it reads the five bytes that it does not define as these
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
	seconds := map[byte]string{0xE2: "\x80\x82\x84", 0xC5: "\x92\x93\xA0\xA1\xB8\xBD\xBE", 0xC6: "\x92", 0xCB: "\x86\x9C"}
	return encoded[0] == 0xC2 || encoded[0] == 0xC3 || strings.IndexByte(seconds[encoded[0]], encoded[1]) >= 0
}
