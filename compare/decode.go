package compare

import (
	"cmp"
	"fmt"
	"slices"
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
	r, fault := requestOf(&root)
	if fault != nil {
		return Request{}, fault
	}
	if err := r.Validate(); err != nil {
		return Request{}, err
	}
	return r, nil
}

func requestOf(root *value) (r Request, err *Error) {
	const itemExample = `{"id":1,"qty":2}`
	if err := root.members("", bodyExample, []string{"city", "items"}, "stores", "include", "conditions"); err != nil {
		return r, err
	}
	city, items := root.member("city"), root.member("items")
	if err := city.is('"', "city", `"toronto"`); err != nil {
		return r, err
	}
	if err := items.is('[', "items", "["+itemExample+"]"); err != nil {
		return r, err
	}
	r.City = city.text
	r.Items = make([]Item, len(items.values))
	for i := range items.values {
		if r.Items[i], err = itemOf(&items.values[i], i, itemExample); err != nil {
			return r, err
		}
	}
	for _, member := range []struct {
		words         *[]string
		name, example string
	}{
		{&r.Stores, "stores", `a chain's key in quotes, such as "northlarch"`},
		{&r.Include, "include", `"` + IncludeLines + `"`},
		{&r.Conditions, "conditions", `a condition in quotes, such as "member"`},
	} {
		if *member.words, err = root.member(member.name).words(member.name, member.example); err != nil {
			return r, err
		}
	}
	return r, nil
}

// words reads an array of strings; one that is not there has none.
func (v *value) words(name, example string) (words []string, err *Error) {
	if v.kind == 0 {
		return nil, nil
	}
	if err := v.is('[', name, `[], or leave it out`); err != nil {
		return nil, err
	}
	for i := range v.values {
		if err := v.values[i].is('"', at(name, i), example); err != nil {
			return nil, err
		}
		words = append(words, v.values[i].text)
	}
	return words, nil
}

// itemOf reads the item at a place of the list.
func itemOf(v *value, place int, example string) (it Item, err *Error) {
	id, qty := v.member("id"), v.member("qty")
	number, whole := whole(id.text, 1)
	if id.kind == '0' && qty.kind == '0' && whole && len(v.keys) == 2 {
		return Item{int(number), quantityOf(qty.text)}, nil
	}
	path := at("items", place)
	if err := v.members(path, example, []string{"id", "qty"}); err != nil {
		return it, err
	}
	if err := id.is('0', path+".id", "1"); err != nil {
		return it, err
	}
	if err := qty.is('0', path+".qty", "2"); err != nil {
		return it, err
	}
	return it, &Error{InvalidBody, path + ".id", "an id is a whole number, such as 1"}
}

// members checks that a value is an object with all required members and no others but
// the optional ones. The body itself has the path "".
func (v *value) members(path, example string, required []string, optional ...string) *Error {
	if err := v.is('{', cmp.Or(path, "body"), example); err != nil {
		return err
	}
	if path != "" {
		path += "."
	}
	for _, key := range v.keys {
		if !slices.Contains(required, key) && !slices.Contains(optional, key) {
			return &Error{InvalidBody, path + short(key), "there is no such member; leave it out and send such as " + example}
		}
	}
	for _, key := range required {
		if v.member(key).kind == 0 {
			return &Error{InvalidBody, path + key, "it is missing; send such as " + example}
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

var kindNames = map[byte]string{'n': "null", '0': "a number", '"': "a string", '[': "an array", '{': "an object", 't': "true or false"}

// is checks the kind of a value.
func (v *value) is(want byte, path, example string) *Error {
	if v.kind == want {
		return nil
	}
	return &Error{InvalidBody, path, fmt.Sprintf("it is %s and must be %s; send %s", kindNames[v.kind], kindNames[want], example)}
}
