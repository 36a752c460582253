package panel

import (
	"html"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Repair undoes the damage that shops' systems do to names: UTF-8 text read as
// windows-1252, once or several times ("cafÃ©" for "café"), HTML character
// references ("&quot;"), and stray or doubled spaces. A good name comes back as
// it is, accents and all, and repairing twice is repairing once.
//
// It replaces only sequences that good text does not have. The first character
// of a sequence is the byte C2, C3, or E2 before 80, 82 and 84 (punctuation,
// currency and letterlike signs), as windows-1252 reads it, and the others are
// continuation bytes. Besides, C5, C6 and CB lead the few pairs that are misread
// characters of windows-1252 itself, such as œ.
func Repair(name string) string {
	for {
		repaired := strings.Join(splitSpaces(unescape(undoMisreading(name))), " ")
		if repaired == name {
			return name
		}
		name = repaired
	}
}

// splitSpaces splits at plain spaces, tabs and line ends. It keeps no-break
// spaces, because they are meant.
func splitSpaces(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' })
}

// unescape replaces complete HTML character references: "&quot;", "&#39;".
// "Salt &para" has no semicolon, so it stays.
func unescape(s string) string {
	for from := 0; ; {
		start := strings.IndexByte(s[from:], '&')
		if start < 0 {
			return s
		}
		start += from
		length := strings.IndexFunc(s[start+1:], func(r rune) bool {
			return r != '#' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		from = start + 1
		if length < 1 || s[start+1+length] != ';' {
			continue
		}
		reference := s[start : start+length+2]
		if text := html.UnescapeString(reference); text != reference && !strings.ContainsRune(text, utf8.RuneError) {
			s = s[:start] + text + s[start+len(reference):]
			from = start + len(text)
		}
	}
}

// undoMisreading replaces every misread sequence by its character.
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
	var encoded [3]byte
	length, taken := 0, 0
	for want := 1; length < want; length++ {
		r, n := utf8.DecodeRuneInString(s[taken:])
		b, ok := windows1252(r)
		if n == 0 || !ok {
			return 0, 0
		}
		switch {
		case length == 0 && (b == 0xC2 || b == 0xC3 || b == 0xC5 || b == 0xC6 || b == 0xCB):
			want = 2
		case length == 0 && b == 0xE2:
			want = 3
		case length == 0,
			length == 1 && want == 3 && b != 0x80 && b != 0x82 && b != 0x84,
			length == 1 && !isPair(encoded[0], b),
			b < 0x80 || b > 0xBF:
			return 0, 0
		}
		encoded[length] = b
		taken += n
	}
	r, _ := utf8.DecodeRune(encoded[:length])
	return r, taken
}

// isPair reports whether a second byte may follow the first. After C5, C6 and CB
// the two must make a character of windows-1252: Œ œ Š š Ÿ Ž ž, ƒ, ˆ ˜.
func isPair(first, second byte) bool {
	switch first {
	case 0xC5:
		return strings.IndexByte("\x92\x93\xA0\xA1\xB8\xBD\xBE", second) >= 0
	case 0xC6:
		return second == 0x92
	case 0xCB:
		return second == 0x86 || second == 0x9C
	}
	return true
}

// windows1252 returns the byte that windows-1252 reads as r. It reads the five
// bytes that it does not define as the control characters of the same number.
func windows1252(r rune) (byte, bool) {
	switch r {
	case 0x81, 0x8D, 0x8F, 0x90, 0x9D:
		return byte(r), true
	}
	return charmap.Windows1252.EncodeRune(r)
}
