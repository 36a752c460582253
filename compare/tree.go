package compare

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// parseJSON reads one JSON value in UTF-8. It refuses repeated keys at any level,
// unpaired surrogates and trailing data, about which JSON readers disagree. The
// error says at which byte the body breaks a rule, counted from 1, and which.
func parseJSON(body []byte) (node, error) {
	if !utf8.Valid(body) {
		at := 0
		for r, n := utf8.DecodeRune(body); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(body[at:]) {
			at += n
		}
		return node{}, fmt.Errorf("byte %d is not UTF-8", at+1)
	}
	r := reader{jsontext.NewDecoder(bytes.NewBuffer(body)), body}
	n, err := r.value()
	if err != nil {
		return node{}, r.explain(err)
	}
	if r.skip(int(r.InputOffset())) < len(body) {
		return node{}, r.explain(nil)
	}
	return n, nil
}

// reader reads the tree of a body.
type reader struct {
	*jsontext.Decoder
	body []byte
}

// value reads the next value.
func (r *reader) value() (n node, err error) {
	switch n.kind = r.PeekKind(); n.kind {
	case '[':
		_, err = r.ReadToken()
		for err == nil && r.PeekKind() != ']' {
			err = r.next(&n, "", 8)
		}
	case '{':
		_, err = r.ReadToken()
		for err == nil && r.PeekKind() != '}' {
			var key string
			if key, err = r.key(); err == nil {
				err = r.next(&n, key, 2)
			}
		}
	default:
		return n, r.scalar(&n)
	}
	if err == nil {
		_, err = r.ReadToken()
	}
	return n, err
}

// next appends the next value to an array or object, which usually has so many.
func (r *reader) next(to *node, key string, usual int) error {
	v, err := r.value()
	v.key = key
	if to.values == nil {
		to.values = make([]node, 0, usual)
	}
	to.values = append(to.values, v)
	return err
}

// key reads the next key of an object.
func (r *reader) key() (string, error) {
	if r.PeekKind() != '"' {
		return "", errKey
	}
	v, err := r.ReadValue()
	switch {
	case err != nil:
		return "", err
	case string(v) == `"id"`:
		return "id", nil // without an allocation, as the next
	case string(v) == `"qty"`:
		return "qty", nil
	}
	return text(v), nil
}

var errKey = errors.New("a key is not a string") // explain says it with the place

// scalar reads a string, a number, true, false or null.
func (r *reader) scalar(n *node) error {
	v, err := r.ReadValue()
	if err != nil {
		return err
	}
	if n.kind == '"' {
		n.text = text(v)
		return nil
	}
	n.text = string(v)
	if end := int(r.InputOffset()); end < len(r.body) && bytes.IndexByte([]byte(whitespace+",]}"), r.body[end]) < 0 {
		return misplaced{end - len(v), noValue} // such as 01 or nullx
	}
	return nil
}

// text returns the value of a JSON string.
func text(v jsontext.Value) string {
	if bytes.IndexByte(v, '\\') < 0 {
		return string(v[1 : len(v)-1])
	}
	b, _ := jsontext.AppendUnquote(nil, v) // the decoder checked it
	return string(b)
}

const (
	whitespace = " \t\r\n"
	noValue    = "a JSON value is expected"
)

// skip returns the place of the next byte that is not whitespace.
func (r *reader) skip(at int) int {
	return len(r.body) - len(bytes.TrimLeft(r.body[at:], whitespace))
}

// misplaced is a fault at a place of the body.
type misplaced struct {
	at   int
	what string
}

func (m misplaced) Error() string { return fmt.Sprintf("at byte %d: %s", m.at+1, m.what) }

// explain says in plain words where and why reading ended. The decoder knows how
// far it came and what it was in; a nil error means data after the value.
func (r *reader) explain(err error) error {
	if m, ok := errors.AsType[misplaced](err); ok {
		return m
	}
	syntax, _ := errors.AsType[*jsontext.SyntacticError](err)
	if syntax != nil && syntax.Err == jsontext.ErrDuplicateName {
		return misplaced{int(syntax.ByteOffset), fmt.Sprintf("the key %.40q stands twice in one object", syntax.JSONPointer.LastToken())}
	}
	within, read := r.StackIndex(r.StackDepth())
	at := r.skip(int(r.InputOffset()))
	starts := func(c byte) bool { return at < len(r.body) && r.body[at] == c }
	inKey := within == '{' && read%2 == 0
	var delimiter, missing string
	switch {
	case read == 0:
	case within == '[':
		delimiter, missing = ",", `"," or "]" is expected`
	case inKey:
		delimiter, missing = ",", `"," or "}" is expected`
	case within == '{':
		delimiter, missing = ":", `":" is expected`
	default:
		return misplaced{at, "there is more after the value"}
	}
	if delimiter != "" {
		if !starts(delimiter[0]) {
			return misplaced{at, missing}
		}
		at = r.skip(at + 1)
	}
	switch {
	case !starts('"') && inKey:
		return misplaced{at, "a key in quotes is expected"}
	case !starts('"'):
		return misplaced{at, noValue}
	}
	at = int(syntax.ByteOffset) // in a string
	switch {
	case at == len(r.body):
		return misplaced{at, "the string does not end"}
	case starts('\\'):
		return misplaced{at, "no such escape"}
	}
	return misplaced{at, "a control character in a string must be escaped"}
}
