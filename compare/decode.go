package compare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	bodyExample = `{"city":"{city}","items":[{"id":1,"qty":2}]}`
	itemExample = `{"id":1,"qty":2}`
)

// DecodeRequest reads a request from JSON and validates it as [Request.Validate]
// does. It refuses unknown members at any level, members that come twice, and null in
// place of a value. Numbers count by their exact value: 1.0 and 1e0 are 1, and 0.30 is
// not a multiple of 0.25.
//
// The error is an *Error. A body with several faults gets the first of these:
// its size, its JSON, its shape, then what Validate reports. Within the shape,
// unknown members come before missing ones, missing ones before wrong values,
// and members in the order of [Request]. Where the shape is right and Validate finds a fault, the request
// is returned too, for Evaluate to find the others.
func DecodeRequest(body []byte) (Request, error) {
	if len(body) > MaxBody {
		return Request{}, refuse("body_too_large", "body",
			"the body has %d bytes; send at most %d, such as %s", len(body), MaxBody, bodyExample)
	}
	root, err := parseJSON(body)
	if err != nil {
		return Request{}, refuse("invalid_json", "body",
			"the body is not one JSON value: %v; send %s", err, bodyExample)
	}
	if err := bodyShape.check(&root); err != nil {
		err.Path = cmp.Or(strings.TrimPrefix(err.Path, "."), "body")
		return Request{}, err
	}
	r := Request{
		City: root.member("city").text, Stores: root.member("stores").texts(),
		Include: root.member("include").texts(), Conditions: root.member("conditions").texts(),
	}
	for _, v := range root.member("items").values {
		id, _ := whole(v.member("id").text, 1)
		r.Items = append(r.Items, Item{id, quantityOf(v.member("qty").text)})
	}
	for _, member := range []string{"accept", "reject"} {
		if chosen := root.member(member).texts(); len(chosen) > 0 {
			if err := r.Choose(member, strings.Join(chosen, ",")); err != nil {
				return Request{}, err
			}
		}
	}
	return r, r.Validate()
}

// shape describes a value that a request may have: its kind and its members.
type shape struct {
	kind     byte
	example  string
	whole    bool // of a number
	optional bool
	members  []shape // of an object; of an array the one of its elements
	name     string  // of a member
}

var bodyShape = shape{kind: '{', example: bodyExample, members: []shape{
	{name: "city", kind: '"', example: `"{city}"`},
	{name: "items", kind: '[', example: "[" + itemExample + "]", members: []shape{
		{kind: '{', example: itemExample, members: []shape{
			{name: "id", kind: '0', example: "1", whole: true},
			{name: "qty", kind: '0', example: "2"},
		}},
	}},
	textsShape("stores", `a chain's key in quotes, such as "{chain}"`),
	textsShape("include", `"`+IncludeLines+`"`),
	textsShape("conditions", `a condition in quotes, such as "member"`),
	textsShape("accept", `"`+AcceptVariants+`", or an item's id, @ and a chain's key in quotes`),
	textsShape("reject", `an item's id, @ and a chain's key in quotes`),
}}

func textsShape(name, example string) shape {
	of := []shape{{kind: '"', example: example}}
	return shape{name: name, kind: '[', example: "[], or leave it out", optional: true, members: of}
}

var kindNames = map[byte]string{
	'n': "null", '0': "a number", '"': "a string", '[': "an array", '{': "an object", 't': "true or false",
}

// check returns the first fault of a value, with a path below it.
func (s *shape) check(v *value) *Error {
	fault := func(path, format string, a ...any) *Error {
		return &Error{Code: "invalid_body", Path: path, Message: fmt.Sprintf(format, a...)}
	}
	if v.kind != s.kind {
		return fault("", "it is %s and must be %s; send %s", kindNames[v.kind], kindNames[s.kind], s.example)
	}
	if s.kind == '[' {
		for i := range v.values {
			if err := s.members[0].check(&v.values[i]); err != nil {
				err.Path = at("", i) + err.Path
				return err
			}
		}
		return nil
	}
	if s.whole {
		if _, ok := whole(v.text, 1); !ok {
			return fault("", "an id is a whole number, such as 1")
		}
	}
	for _, key := range v.keys {
		if slices.ContainsFunc(s.members, func(m shape) bool { return m.name == key }) {
			continue
		}
		if r := []rune(key); len(r) > 40 {
			key = string(r[:40]) + "..."
		}
		return fault("."+cmp.Or(key, `""`), "there is no such member; leave it out and send such as %s", s.example)
	}
	for i := range s.members {
		if m := &s.members[i]; !m.optional && v.member(m.name).kind == 0 {
			return fault("."+m.name, "it is missing; send such as %s", s.example)
		}
	}
	for i := range s.members {
		m := &s.members[i]
		if x := v.member(m.name); x.kind != 0 {
			if err := m.check(x); err != nil {
				err.Path = "." + m.name + err.Path
				return err
			}
		}
	}
	return nil
}

type value struct {
	kind   byte     // { [ " 0 t n; t is true or false; 0 byte: there is no value
	text   string   // of a string its value, of a number its source text
	keys   []string // of an object
	values []value  // of an object, beside keys, or of an array
}

// parseJSON reads one JSON value in UTF-8. It refuses keys that come twice in an
// object, at any level, and unpaired surrogates, about which JSON readers disagree.
func parseJSON(body []byte) (v value, err error) {
	if !utf8.Valid(body) {
		return v, errors.New("it is not UTF-8")
	}
	if !json.Valid(body) {
		err := json.Unmarshal(body, &struct{}{})
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			err = fmt.Errorf("at byte %d: %w", syntax.Offset, err)
		}
		return v, err
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return v, v.read(d, body)
}

// read reads the next value of a body that is JSON.
func (v *value) read(d *json.Decoder, body []byte) error {
	from := d.InputOffset()
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		for v.kind = byte(t); d.More(); {
			var key, element value
			if t == '{' {
				if err := key.read(d, body); err != nil {
					return err
				}
				if slices.Contains(v.keys, key.text) {
					return fmt.Errorf("the key %.40q stands twice in one object", key.text)
				}
				v.keys = append(v.keys, key.text)
			}
			if err := element.read(d, body); err != nil {
				return err
			}
			v.values = append(v.values, element)
		}
		_, err = d.Token()
	case string:
		v.kind, v.text = '"', t
		if bytes.IndexByte(body[from:d.InputOffset()], '\\') >= 0 && strings.ContainsRune(t, utf8.RuneError) {
			return errors.New("an escape is half a pair of surrogates, or U+FFFD")
		}
	case json.Number:
		v.kind, v.text = '0', t.String()
	case bool:
		v.kind = 't'
	default:
		v.kind = 'n'
	}
	return err
}

// member returns the value of a key, one of kind 0 when the object lacks it.
func (v *value) member(key string) *value {
	if i := slices.Index(v.keys, key); i >= 0 {
		return &v.values[i]
	}
	return &value{}
}

func (v *value) texts() (list []string) {
	for i := range v.values {
		list = append(list, v.values[i].text)
	}
	return list
}
