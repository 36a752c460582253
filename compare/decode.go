package compare

import (
	"cmp"
	"fmt"
	"slices"
)

const bodyExample = `{"city":"toronto","items":[{"id":1,"qty":2}]}`

// DecodeRequest reads a request from JSON and validates it (see
// [Request.Validate]). It is strict: members that it does not know, at any
// level, are refused, and null stands for nothing. Numbers count by their value,
// exactly: 1.0 and 1e0 are 1, and 0.30 is no multiple of 0.25.
//
// The error is an *Error. Of several faults, size comes first, then what keeps
// the body from being JSON, then its shape (unknown members before missing ones,
// both before what the members hold; city, items, stores), then what Validate
// finds.
func DecodeRequest(body []byte) (Request, error) {
	if len(body) > MaxBody {
		return Request{}, &Error{BodyTooLarge, "body", fmt.Sprintf("the body has %d bytes; send at most %d, such as %s", len(body), MaxBody, bodyExample)}
	}
	root, err := parseJSON(body)
	if err != nil {
		return Request{}, &Error{InvalidJSON, "body", "the body is not one JSON value: " + err.Error() + "; send " + bodyExample}
	}
	r, fault := shape(&root)
	if fault != nil {
		return Request{}, fault
	}
	if err := r.Validate(); err != nil {
		return Request{}, err
	}
	return r, nil
}

// UnmarshalJSON is DecodeRequest.
func (r *Request) UnmarshalJSON(body []byte) error {
	decoded, err := DecodeRequest(body)
	if err == nil {
		*r = decoded
	}
	return err
}

func shape(root *node) (r Request, err *Error) {
	if err := root.members("", requestMembers, bodyExample); err != nil {
		return r, err
	}
	city, items, stores := root.member("city"), root.member("items"), root.member("stores")
	if err := city.is(kindString, "city", `"toronto"`); err != nil {
		return r, err
	}
	if err := items.is(kindArray, "items", `[{"id":1,"qty":2}]`); err != nil {
		return r, err
	}
	r.City = city.text
	r.Items = make([]Item, 0, len(items.values))
	for i := range items.values {
		it, err := itemOf(&items.values[i], at("items", i))
		if err != nil {
			return r, err
		}
		r.Items = append(r.Items, it)
	}
	if stores == nil {
		return r, nil
	}
	if err := stores.is(kindArray, "stores", `[], or leave it out`); err != nil {
		return r, err
	}
	for i := range stores.values {
		v := &stores.values[i]
		if err := v.is(kindString, at("stores", i), `a chain's key in quotes, such as "northlarch"`); err != nil {
			return r, err
		}
		r.Stores = append(r.Stores, v.text)
	}
	return r, nil
}

func itemOf(n *node, path string) (it Item, err *Error) {
	if err := n.members(path, itemMembers, `{"id":1,"qty":2}`); err != nil {
		return it, err
	}
	id, qty := n.member("id"), n.member("qty")
	switch {
	case id.kind != kindNumber:
		return it, id.is(kindNumber, path+".id", "1")
	case qty.kind != kindNumber:
		return it, qty.is(kindNumber, path+".qty", "2")
	}
	number, _ := parseNumber(id.text)
	whole, ok := number.whole()
	if !ok {
		return it, &Error{InvalidBody, path + ".id", "an id is a whole number, such as 1"}
	}
	number, _ = parseNumber(qty.text)
	return Item{whole, number.quantity()}, nil
}

// is checks the kind of a value.
func (n *node) is(k kind, path, example string) *Error {
	if n.kind == k {
		return nil
	}
	return &Error{InvalidBody, path, fmt.Sprintf("it is %s and must be %s; send %s", kindNames[n.kind], kindNames[k], example)}
}

// members are the members that an object has.
type members struct{ required, optional []string }

var (
	requestMembers = members{[]string{"city", "items"}, []string{"stores"}}
	itemMembers    = members{[]string{"id", "qty"}, nil}
)

// members checks that a value is an object that has all required members and no
// others but the optional ones. The path is empty for the whole body.
func (n *node) members(path string, m members, example string) *Error {
	if n.kind != kindObject {
		return n.is(kindObject, cmp.Or(path, "body"), example)
	}
	inside := func(key string) string {
		if path == "" {
			return key
		}
		return path + "." + key
	}
	for _, key := range n.keys {
		if !slices.Contains(m.required, key) && !slices.Contains(m.optional, key) {
			return &Error{InvalidBody, inside(short(key)), fmt.Sprintf("there is no such member; leave it out and send such as %s", example)}
		}
	}
	for _, key := range m.required {
		if n.member(key) == nil {
			return &Error{InvalidBody, inside(key), "it is missing; send such as " + example}
		}
	}
	return nil
}

// short keeps what a stranger wrote from filling a message, or from being no path.
func short(s string) string {
	if s == "" {
		return `""`
	}
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}
