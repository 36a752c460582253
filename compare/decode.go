package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

const bodyExample = `{"city":"toronto","items":[{"id":1,"qty":2}]}`

// DecodeRequest reads a request from JSON and validates it as [Request.Validate]
// does. It refuses unknown members at any level, and null in place of a value.
// Numbers count by their exact value: 1.0 and 1e0 are 1, and 0.30 is not a
// multiple of 0.25.
//
// The error is an *Error. A body with several faults gets the first of these:
// its size, its JSON, its shape, then what Validate reports. Within the shape,
// unknown members come before missing ones, missing ones before wrong values,
// and members in the order of [Request].
func DecodeRequest(body []byte) (Request, error) {
	if len(body) > MaxBody {
		return Request{}, &Error{BodyTooLarge, "body", fmt.Sprintf("the body has %d bytes; send at most %d, such as %s", len(body), MaxBody, bodyExample)}
	}
	root, err := parseJSON(body)
	if err != nil {
		return Request{}, &Error{InvalidJSON, "body", "the body is not one JSON value: " + err.Error() + "; send " + bodyExample}
	}
	r, fault := shape(root)
	if fault != nil {
		return Request{}, fault
	}
	if err := r.Validate(); err != nil {
		return Request{}, err
	}
	return r, nil
}

// shape reads a request from the tree of a body.
func shape(root tree) (r Request, err *Error) {
	if err := root.members(requestMembers, bodyExample); err != nil {
		err.Path = cmp.Or(err.Path, "body")
		return r, err
	}
	city, items := root.member("city"), root.member("items")
	if err := city.is('"', "city", `"toronto"`); err != nil {
		return r, err
	}
	if err := items.is('[', "items", `[{"id":1,"qty":2}]`); err != nil {
		return r, err
	}
	r.City = city[0].text
	r.Items = make([]Item, 0, len(items)/3) // of three nodes each
	for v := range items.values {
		it, err := itemOf(v)
		if err != nil {
			return r, err.below(at("items", len(r.Items)))
		}
		r.Items = append(r.Items, it)
	}
	for _, member := range []struct {
		words         *[]string
		name, example string
	}{
		{&r.Stores, "stores", `a chain's key in quotes, such as "northlarch"`},
		{&r.Include, "include", `"` + IncludeLines + `"`},
		{&r.Conditions, "conditions", `a condition in quotes, such as "member"`},
	} {
		if *member.words, err = wordsOf(root.member(member.name), member.name, member.example); err != nil {
			return r, err
		}
	}
	return r, nil
}

// wordsOf reads an array of strings; an absent one, nil, has none.
func wordsOf(list tree, name, example string) (words []string, err *Error) {
	if list == nil {
		return nil, nil
	}
	if err := list.is('[', name, `[], or leave it out`); err != nil {
		return nil, err
	}
	for v := range list.values {
		if err := v.is('"', at(name, len(words)), example); err != nil {
			return nil, err
		}
		words = append(words, v[0].text)
	}
	return words, nil
}

// itemOf reads an item. The path of an error is below the item.
func itemOf(t tree) (it Item, err *Error) {
	if err := t.members(itemMembers, `{"id":1,"qty":2}`); err != nil {
		return it, err
	}
	id, qty := t.member("id"), t.member("qty")
	if err := id.is('0', "id", "1"); err != nil {
		return it, err
	}
	if err := qty.is('0', "qty", "2"); err != nil {
		return it, err
	}
	number, ok := whole(id[0].text, 1)
	if !ok {
		return it, &Error{InvalidBody, "id", "an id is a whole number, such as 1"}
	}
	return Item{int(number), quantityOf(qty[0].text)}, nil
}

// below puts the path of an error below another.
func (e *Error) below(path string) *Error {
	if e.Path != "" {
		path += "."
	}
	e.Path = path + e.Path
	return e
}

// members names the members of an object.
type members struct{ required, optional []string }

var (
	requestMembers = members{[]string{"city", "items"}, []string{"stores", "include", "conditions"}}
	itemMembers    = members{[]string{"id", "qty"}, nil}
)

// members checks that a value is an object with all required members and no
// unknown ones. The path of an error is below the value.
func (t tree) members(m members, example string) *Error {
	if err := t.is('{', "", example); err != nil {
		return err
	}
	for v := range t.values {
		if key := v[0].key; !slices.Contains(m.required, key) && !slices.Contains(m.optional, key) {
			return &Error{InvalidBody, short(key), fmt.Sprintf("there is no such member; leave it out and send such as %s", example)}
		}
	}
	for _, key := range m.required {
		if t.member(key) == nil {
			return &Error{InvalidBody, key, "it is missing; send such as " + example}
		}
	}
	return nil
}

// short cuts a member's name for a path, and quotes the empty name.
func short(s string) string {
	if s == "" {
		return `""`
	}
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

// is checks the kind of a value.
func (t tree) is(want jsontext.Kind, path, example string) *Error {
	if t[0].kind == want {
		return nil
	}
	return &Error{InvalidBody, path, fmt.Sprintf("it is %s and must be %s; send %s", kindName(t[0].kind), kindName(want), example)}
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case '0':
		return "a number"
	case '"':
		return "a string"
	case '[':
		return "an array"
	case '{':
		return "an object"
	}
	return "true or false"
}
