package compare

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value, or a member of an object.
type node struct {
	kind jsontext.Kind
	key  string // of a member
	text string // the value of a string, the source text of a number
	size int    // nodes of the value, itself and all below
}

// tree is a JSON value: its node, then those of the values below in order. All
// values of a body share one block of memory.
type tree []node

// values yields the values of an array or the members of an object.
func (t tree) values(yield func(tree) bool) {
	for rest := t[1:]; len(rest) > 0; rest = rest[rest[0].size:] {
		if !yield(rest[:rest[0].size]) {
			return
		}
	}
}

// member returns the value of a key, nil when the object lacks it.
func (t tree) member(key string) tree {
	for v := range t.values {
		if v[0].key == key {
			return v
		}
	}
	return nil
}

// parseJSON reads one JSON value in UTF-8. It refuses repeated keys at any level,
// unpaired surrogates and trailing data, about which JSON readers disagree. The
// error says at which byte the body breaks a rule, counted from 1, and which.
func parseJSON(body []byte) (tree, error) {
	if !utf8.Valid(body) {
		at := 0
		for r, n := utf8.DecodeRune(body); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(body[at:]) {
			at += n
		}
		return nil, fmt.Errorf("byte %d is not UTF-8", at+1)
	}
	const usual = 8 // bytes of a body for each node
	r := reader{jsontext.NewDecoder(bytes.NewBuffer(body)), string(body), make(tree, 0, len(body)/usual+1)}
	if err := r.value(""); err != nil {
		return nil, r.explain(err)
	}
	if r.skip(int(r.InputOffset())) < len(body) {
		return nil, r.explain(nil)
	}
	return r.tree, nil
}

// reader reads the tree of a body.
type reader struct {
	*jsontext.Decoder
	body string
	tree tree
}

// value reads the next value, which belongs to a key when it is a member.
func (r *reader) value(key string) (err error) {
	at, kind := len(r.tree), r.PeekKind()
	r.tree = append(r.tree, node{kind: kind, key: key})
	switch kind {
	case '[':
		_, err = r.ReadToken()
		for err == nil && r.PeekKind() != ']' {
			err = r.value("")
		}
	case '{':
		_, err = r.ReadToken()
		for err == nil && r.PeekKind() != '}' {
			if key, err = r.key(); err == nil {
				err = r.value(key)
			}
		}
	default:
		r.tree[at].size = 1
		r.tree[at].text, err = r.scalar()
		return err
	}
	if err == nil {
		_, err = r.ReadToken()
	}
	r.tree[at].size = len(r.tree) - at
	return err
}

// key reads the next key of an object.
func (r *reader) key() (string, error) {
	if r.PeekKind() != '"' {
		return "", errKey
	}
	return r.scalar()
}

var errKey = errors.New("a key is not a string") // explain says it with the place

// scalar reads a string and returns its value, or a number, true, false or null
// and returns its source text.
func (r *reader) scalar() (string, error) {
	v, err := r.ReadValue()
	if err != nil {
		return "", err
	}
	end := int(r.InputOffset())
	text := r.body[end-len(v) : end]
	switch {
	case text[0] != '"':
		if end < len(r.body) && strings.IndexByte(whitespace+",]}", r.body[end]) < 0 {
			err = misplaced{end - len(v), noValue} // such as 01 or nullx
		}
		return text, err
	case strings.IndexByte(text, '\\') < 0:
		return text[1 : len(text)-1], nil
	}
	b, _ := jsontext.AppendUnquote(nil, v) // the decoder checked it
	return string(b), nil
}

const (
	whitespace = " \t\r\n"
	noValue    = "a JSON value is expected"
)

// skip returns the place of the next byte that is not whitespace.
func (r *reader) skip(at int) int {
	return len(r.body) - len(strings.TrimLeft(r.body[at:], whitespace))
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
