package compare

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// value is a JSON value.
type value struct {
	kind   byte     // { [ " 0 t n; t is true or false; 0 byte: there is no value
	text   string   // of a string its value, of a number its source text
	keys   []string // of an object
	values []value  // of an object, beside keys, or of an array
}

// member returns the value of a key, one of kind 0 when the object lacks it.
func (v *value) member(key string) *value {
	if i := slices.Index(v.keys, key); i >= 0 {
		return &v.values[i]
	}
	return &value{}
}

// parseJSON reads one JSON value in UTF-8. It refuses repeated keys at any level,
// unpaired surrogates and trailing data, about which JSON readers disagree. The
// error says at which byte the body breaks a rule, counted from 1, and which.
func parseJSON(body []byte) (v value, err error) {
	r := jsonReader{text: string(body)}
	for i, c := range r.text {
		if c == utf8.RuneError && !strings.HasPrefix(r.text[i:], "\uFFFD") {
			return v, fmt.Errorf("byte %d is not UTF-8", i+1)
		}
	}
	err = r.value(&v)
	if r.next(); err == nil && r.at < len(r.text) {
		err = fault(r.at, "there is more after the value")
	}
	return v, err
}

// jsonReader reads a text from a byte on.
type jsonReader struct {
	text string
	at   int
}

func fault(at int, what string) error {
	return fmt.Errorf("at byte %d: %s", at+1, what)
}

const whitespace = " \t\r\n"

// next skips whitespace and returns the next byte, 0 at the end.
func (r *jsonReader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		if c := r.text[r.at]; c > ' ' || strings.IndexByte(whitespace, c) < 0 {
			return c
		}
	}
	return 0
}

// value reads the next value.
func (r *jsonReader) value(v *value) (err error) {
	switch v.kind = r.next(); v.kind {
	case '[':
		return r.list(']', func() error {
			v.values = append(v.values, value{})
			return r.value(&v.values[len(v.values)-1])
		})
	case '{':
		return r.list('}', func() error { return r.entry(v) })
	case '"':
		v.text, err = r.quoted()
		return err
	}
	rest := r.text[r.at:]
	if end := strings.IndexAny(rest, whitespace+",]}"); end >= 0 {
		rest = rest[:end]
	}
	switch {
	case rest == "true" || rest == "false":
		v.kind = 't'
	case rest == "null":
		v.kind = 'n'
	case isWhole(rest) || strings.Trim(rest, "0123456789+-.eE") == "" && json.Valid([]byte(rest)):
		v.kind, v.text = '0', rest
	default:
		return fault(r.at, "a JSON value is expected")
	}
	r.at += len(rest)
	return nil
}

// list reads what stands between brackets, the parts separated by commas.
func (r *jsonReader) list(end byte, part func() error) error {
	r.at++
	for first := true; r.next() != end || !first; first = false {
		if err := part(); err != nil {
			return err
		}
		if c := r.next(); c == end {
			break
		} else if c != ',' {
			return fault(r.at, `"," or "`+string(end)+`" is expected`)
		}
		r.at++
	}
	r.at++
	return nil
}

// entry reads a key and its value.
func (r *jsonReader) entry(v *value) error {
	if r.next() != '"' {
		return fault(r.at, "a key in quotes is expected")
	}
	at := r.at
	key, err := r.quoted()
	if err != nil {
		return err
	}
	if slices.Contains(v.keys, key) {
		return fault(at, fmt.Sprintf("the key %.40q stands twice in one object", key))
	}
	if r.next() != ':' {
		return fault(r.at, `":" is expected`)
	}
	r.at++
	v.keys, v.values = append(v.keys, key), append(v.values, value{})
	return r.value(&v.values[len(v.values)-1])
}

// quoted reads a string.
func (r *jsonReader) quoted() (s string, err error) {
	start, escaped := r.at, false
	for at := start + 1; at < len(r.text); at++ {
		switch c := r.text[at]; {
		case c == '"':
			r.at = at + 1
			if !escaped {
				return r.text[start+1 : at], nil
			}
			return s, json.Unmarshal([]byte(r.text[start:r.at]), &s)
		case c < ' ':
			return "", fault(at, "a control character in a string must be escaped")
		case c == '\\':
			n := escapeLen(r.text[at:])
			if n == 0 {
				return "", fault(at, "no such escape")
			}
			at, escaped = at+n-1, true
		}
	}
	return "", fault(len(r.text), "the string does not end")
}

// escapeLen returns the length of the escape at the beginning of a text. A pair of
// surrogates counts as one escape. A text that begins with no escape gives 0.
func escapeLen(s string) int {
	if len(s) >= 2 && strings.IndexByte(`"\/bfnrt`, s[1]) >= 0 {
		return 2
	}
	unit := func(s string) rune {
		if len(s) < 6 || s[:2] != `\u` {
			return -1
		}
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	switch one := unit(s); {
	case one < 0:
		return 0
	case !utf16.IsSurrogate(one):
		return 6
	case utf16.DecodeRune(one, unit(s[6:])) == utf8.RuneError:
		return 0
	}
	return 12
}
