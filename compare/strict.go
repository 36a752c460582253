package compare

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// kind is the kind of a JSON value.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

var kindNames = [...]string{"null", "true or false", "a number", "a string", "an array", "an object"}

// node is a JSON value.
type node struct {
	kind   kind
	text   string // of a string what it says, of a number how it is written
	keys   []string
	values []node // of an array, or beside keys
}

// member returns the value of a key; nil if there is none.
func (n *node) member(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return &n.values[i]
		}
	}
	return nil
}

// parseJSON reads one JSON value as RFC 8259 writes it, and nothing beside it.
// Bytes that are no UTF-8, halves of surrogate pairs and keys that an object has
// twice are refused, wherever they are: readers disagree about what they mean.
func parseJSON(body []byte) (node, error) {
	p := parser{s: string(body)}
	if !utf8.ValidString(p.s) {
		return node{}, fmt.Errorf("byte %d is not UTF-8", invalidAt(p.s)+1)
	}
	p.space()
	n, err := p.value()
	if err != nil {
		return node{}, err
	}
	if p.space(); p.at < len(p.s) {
		return node{}, p.wrong("there is more after the value")
	}
	return n, nil
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return len(s)
}

type parser struct {
	s  string
	at int

	keys  []string // room for those of objects
	nodes []node
}

// cut returns an empty slice with room for n, out of a larger piece of memory.
func cut[T any](from *[]T, n int) []T {
	const together = 16
	if len(*from) < n {
		*from = make([]T, together*n)
	}
	room := (*from)[:0:n]
	*from = (*from)[n:]
	return room
}

func (p *parser) wrong(what string) error { return fmt.Errorf("at byte %d: %s", p.at+1, what) }

func (p *parser) space() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

// next reports whether the next byte is c, and takes it.
func (p *parser) next(c byte) bool {
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value() (node, error) {
	switch {
	case p.next('{'):
		return p.object()
	case p.next('['):
		return p.array()
	case p.next('"'):
		text, err := p.str()
		return node{kind: kindString, text: text}, err
	}
	start := p.at
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n,]}", p.s[p.at]) < 0 {
		p.at++
	}
	switch text := p.s[start:p.at]; text {
	case "null":
		return node{}, nil
	case "true", "false":
		return node{kind: kindBool, text: text}, nil
	default:
		if _, ok := parseNumber(text); ok {
			return node{kind: kindNumber, text: text}, nil
		}
		p.at = start
		return node{}, p.wrong("a JSON value is expected")
	}
}

func (p *parser) array() (node, error) {
	n := node{kind: kindArray}
	if p.space(); p.next(']') {
		return n, nil
	}
	for {
		p.space()
		v, err := p.value()
		if err != nil {
			return node{}, err
		}
		if n.values == nil && v.kind == kindObject {
			const shortest = 16 // bytes of an item: {"id":1,"qty":1}
			n.values = make([]node, 0, min((len(p.s)-p.at)/shortest+2, MaxItems))
		}
		n.values = append(n.values, v)
		p.space()
		switch {
		case p.next(']'):
			return n, nil
		case !p.next(','):
			return node{}, p.wrong(`"," or "]" is expected`)
		}
	}
}

// An item has two keys. Up to so many as manyKeys are looked through faster than
// a map is made.
const usualKeys, manyKeys = 2, 16

func (p *parser) object() (node, error) {
	n := node{kind: kindObject}
	if p.space(); p.next('}') {
		return n, nil
	}
	n.keys, n.values = cut(&p.keys, usualKeys), cut(&p.nodes, usualKeys)
	var seen map[string]bool // of an object with many keys
	for {
		p.space()
		at := p.at
		if !p.next('"') {
			return node{}, p.wrong("a key in quotes is expected")
		}
		key, err := p.str()
		if err != nil {
			return node{}, err
		}
		if seen[key] || seen == nil && slices.Contains(n.keys, key) {
			p.at = at
			return node{}, p.wrong(fmt.Sprintf("the key %.40q stands twice in one object", key))
		}
		switch {
		case seen != nil:
			seen[key] = true
		case len(n.keys) == manyKeys:
			seen = map[string]bool{key: true}
			for _, k := range n.keys {
				seen[k] = true
			}
		}
		if p.space(); !p.next(':') {
			return node{}, p.wrong(`":" is expected`)
		}
		p.space()
		v, err := p.value()
		if err != nil {
			return node{}, err
		}
		n.keys, n.values = append(n.keys, key), append(n.values, v)
		p.space()
		switch {
		case p.next('}'):
			return n, nil
		case !p.next(','):
			return node{}, p.wrong(`"," or "}" is expected`)
		}
	}
}
