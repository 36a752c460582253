package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	bodyExample = `{"city":"toronto","items":[{"id":1,"qty":2}]}`
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
// and members in the order of [Request].
func DecodeRequest(body []byte) (Request, error) {
	if len(body) > MaxBody {
		return Request{}, refuse(BodyTooLarge, "body", "the body has %d bytes; send at most %d, such as %s", len(body), MaxBody, bodyExample)
	}
	root, err := parseJSON(body)
	if err != nil {
		return Request{}, refuse(InvalidJSON, "body", "the body is not one JSON value: %v; send %s", err, bodyExample)
	}
	var r Request
	if err := root.request(&r); err != nil {
		return Request{}, err
	}
	if err := r.Validate(); err != nil {
		return Request{}, err
	}
	return r, nil
}

// value is a JSON value.
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
	r := jsonReader{text: string(body)}
	r.value(&v)
	return v, r.fault
}

// jsonReader reads a text that is JSON, from a byte on.
type jsonReader struct {
	text  string
	at    int
	fault error // about which JSON readers disagree
}

// next skips white space, and commas and colons, and returns the next byte.
func (r *jsonReader) next() byte {
	for strings.IndexByte(" \t\r\n,:", r.text[r.at]) >= 0 {
		r.at++
	}
	return r.text[r.at]
}

func (r *jsonReader) value(v *value) {
	switch v.kind = r.next(); v.kind {
	case '{', '[':
		for r.at++; r.next() != v.kind+2; { // the closing brackets of ASCII
			if v.kind == '{' {
				key := r.quoted()
				if slices.Contains(v.keys, key) {
					r.fault = fmt.Errorf("the key %.40q stands twice in one object", key)
				}
				v.keys = append(v.keys, key)
			}
			v.values = append(v.values, value{})
			r.value(&v.values[len(v.values)-1])
		}
		r.at++
	case '"':
		v.text = r.quoted()
	default:
		end := len(r.text)
		if n := strings.IndexAny(r.text[r.at:], ",]} \t\r\n"); n >= 0 {
			end = r.at + n
		}
		switch v.text, r.at = r.text[r.at:end], end; v.kind {
		case 'f':
			v.kind = 't'
		case 't', 'n':
		default:
			v.kind = '0'
		}
	}
}

// quoted reads a string.
func (r *jsonReader) quoted() (s string) {
	start := r.at
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	if s = r.text[start+1 : r.at-1]; strings.Contains(s, `\`) {
		s = ""
		_ = json.Unmarshal([]byte(r.text[start:r.at]), &s) // it is JSON
		if strings.ContainsRune(s, utf8.RuneError) {
			r.fault = errors.New("an escape is half a pair of surrogates, or U+FFFD")
		}
	}
	return s
}

// member returns the value of a key, one of kind 0 when the object lacks it.
func (v *value) member(key string) *value {
	if i := slices.Index(v.keys, key); i >= 0 {
		return &v.values[i]
	}
	return &value{}
}

// request reads a body.
func (v *value) request(r *Request) error {
	if err := v.members("", bodyExample, []string{"city", "items"}, "stores", "include", "conditions"); err != nil {
		return err
	}
	city, items := v.member("city"), v.member("items")
	if err := city.is('"', "city", `"toronto"`); err != nil {
		return err
	}
	if err := items.is('[', "items", "["+itemExample+"]"); err != nil {
		return err
	}
	r.City, r.Items = city.text, make([]Item, len(items.values))
	for i := range items.values {
		if err := items.values[i].item(&r.Items[i], i); err != nil {
			return err
		}
	}
	for _, x := range []struct {
		words         *[]string
		name, example string
	}{
		{&r.Stores, "stores", `a chain's key in quotes, such as "northlarch"`},
		{&r.Include, "include", `"` + IncludeLines + `"`},
		{&r.Conditions, "conditions", `a condition in quotes, such as "member"`},
	} {
		list := v.member(x.name)
		if list.kind == 0 {
			continue
		}
		if err := list.is('[', x.name, `[], or leave it out`); err != nil {
			return err
		}
		for i := range list.values {
			if err := list.values[i].is('"', at(x.name, i), x.example); err != nil {
				return err
			}
			*x.words = append(*x.words, list.values[i].text)
		}
	}
	return nil
}

// item reads the item at a place of the list.
func (v *value) item(it *Item, place int) error {
	id, qty := v.member("id"), v.member("qty")
	number, isWhole := whole(id.text, 1)
	if id.kind == '0' && qty.kind == '0' && isWhole && len(v.keys) == 2 {
		it.ID, it.Qty = int(number), quantityOf(qty.text)
		return nil
	}
	path := at("items", place)
	return cmp.Or(
		v.members(path, itemExample, []string{"id", "qty"}),
		id.is('0', path+".id", "1"),
		qty.is('0', path+".qty", "2"),
		refuse(InvalidBody, path+".id", "an id is a whole number, such as 1"),
	)
}

// members checks that a value is an object with all required members and no others but
// the optional ones. The body itself has the path "".
func (v *value) members(path, example string, required []string, optional ...string) error {
	if err := v.is('{', cmp.Or(path, "body"), example); err != nil {
		return err
	}
	if path != "" {
		path += "."
	}
	for _, key := range v.keys {
		if slices.Contains(required, key) || slices.Contains(optional, key) {
			continue
		}
		if r := []rune(key); len(r) > 40 {
			key = string(r[:40]) + "..."
		}
		return refuse(InvalidBody, path+cmp.Or(key, `""`), "there is no such member; leave it out and send such as %s", example)
	}
	for _, key := range required {
		if v.member(key).kind == 0 {
			return refuse(InvalidBody, path+key, "it is missing; send such as %s", example)
		}
	}
	return nil
}

var kindNames = map[byte]string{'n': "null", '0': "a number", '"': "a string", '[': "an array", '{': "an object", 't': "true or false"}

// is checks the kind of a value.
func (v *value) is(want byte, path, example string) error {
	if v.kind == want {
		return nil
	}
	return refuse(InvalidBody, path, "it is %s and must be %s; send %s", kindNames[v.kind], kindNames[want], example)
}
