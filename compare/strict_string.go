package compare

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads the rest of a string whose opening quote is taken.
func (p *parser) str() (string, error) {
	start := p.at
	var decoded []byte // nil as long as nothing is escaped
	for p.at < len(p.s) {
		c := p.s[p.at]
		switch {
		case c == '"':
			text := p.s[start:p.at]
			p.at++
			return string(decoded) + text, nil
		case c < ' ':
			return "", p.wrong("a control character in a string must be escaped")
		case c == '\\':
			decoded = append(decoded, p.s[start:p.at]...)
			r, n := unescape(p.s[p.at:])
			if n == 0 {
				return "", p.wrong("no such escape")
			}
			decoded = utf8.AppendRune(decoded, r)
			p.at += n
			start = p.at
		default:
			p.at++
		}
	}
	return "", p.wrong("the string does not end")
}

// unescape returns the character that the escape at the start of s stands for,
// and how long it is; 0 if it is none.
func unescape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	if s[1] != 'u' {
		i := strings.IndexByte(`"\/bfnrt`, s[1])
		if i < 0 {
			return 0, 0
		}
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := hex4(s[2:])
	switch {
	case !ok:
		return 0, 0
	case !utf16.IsSurrogate(r):
		return r, 6
	case !strings.HasPrefix(s[6:], `\u`):
		return 0, 0
	}
	low, ok := hex4(s[8:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(v), err == nil
}
