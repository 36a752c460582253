package httpapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/reply"
)

// readList reads the shopping list of a request. A body is read into the buffer;
// the list does not point into it.
type readList func(r *http.Request, buffer *[]byte) (compare.Request, error)

const (
	bodyExample  = `{"city":"{city}","items":[{"id":1,"qty":2}]}`
	queryExample = "city={city}&items=1x2,7x0.5"
)

var (
	errListTooLarge = reply.Refuse("body_too_large", fmt.Sprintf(
		"the body has more than %d bytes; send at most so many, such as %s", compare.MaxBody, bodyExample))
	errListCutOff = reply.Refuse("invalid_json", "the body ended before it was whole; send such as "+bodyExample)
)

// listOfBody reads the list in the body of a POST. The order of checks is: its
// type, its size, a query, its content.
func listOfBody(r *http.Request, buffer *[]byte) (list compare.Request, err error) {
	if err := reply.CheckJSONType(r.Header); err != nil {
		return list, err
	}
	if r.ContentLength > compare.MaxBody {
		return list, errListTooLarge
	}
	body, err := reply.ReadBody(r.Body, *buffer, compare.MaxBody, errListTooLarge, errListCutOff)
	if err != nil {
		return list, err
	}
	*buffer = body
	if _, err := readQuery(r.URL.RawQuery); err != nil {
		return list, err
	}
	return compare.DecodeRequest(body)
}

// listOfQuery reads the list in the query of a GET. With an error it returns the list if its shape is right: the
// snapshot may find further faults.
func listOfQuery(r *http.Request, _ *[]byte) (list compare.Request, err error) {
	values, err := readQuery(r.URL.RawQuery, "city", "items", "stores", "include", "conditions", "accept", "reject")
	if err != nil {
		return list, err
	}
	for _, name := range []string{"city", "items"} {
		if !values.Has(name) {
			return list, reply.Refuse("missing_parameter", "parameter "+name+" is missing; send such as "+queryExample)
		}
	}
	list.City = values.Get("city")
	if list.Items, err = compare.ParseItems(values.Get("items")); err == nil && values.Has("stores") {
		list.Stores, err = compare.ParseStores(values.Get("stores"))
	}
	for name, words := range map[string]*[]string{"include": &list.Include, "conditions": &list.Conditions} {
		if values.Has(name) {
			*words = strings.Split(values.Get(name), ",")
		}
	}
	for _, member := range []string{"accept", "reject"} {
		if values.Has(member) {
			err = cmp.Or(err, list.Choose(member, values.Get(member)))
		}
	}
	if err != nil {
		return compare.Request{}, err
	}
	return list, list.Validate()
}

// readQuery reads a query that may hold the given names, each once. It looks for
// unknown names before it looks for repeated ones.
func readQuery(raw string, names ...string) (url.Values, error) {
	values, err := url.ParseQuery(raw)
	if text, _ := url.QueryUnescape(raw); err != nil || !utf8.ValidString(text) {
		return nil, reply.Refuse("invalid_query",
			"the query can't be read: write it as name=value&name=value, with other characters than letters and "+
				"digits as %XX of their UTF-8, such as "+queryExample)
	}
	sent := slices.Sorted(maps.Keys(values))
	for _, name := range sent {
		switch {
		case slices.Contains(names, name):
		case len(names) == 0:
			return nil, reply.Refuse("unknown_parameter", "this takes no query: leave "+reply.Quote(name)+
				" out; a list is sent to "+pathCompare+", as the body of POST, such as "+bodyExample)
		default:
			return nil, reply.Refuse("unknown_parameter", "there is no parameter "+reply.Quote(name)+
				" here: leave it out"+reply.Suggest(name, names)+"; send such as "+queryExample)
		}
	}
	for _, name := range sent {
		if len(values[name]) > 1 {
			return nil, reply.Refuse("duplicate_parameter",
				"parameter "+name+" stands in the query more than once; keep one, such as "+queryExample)
		}
	}
	return values, nil
}
