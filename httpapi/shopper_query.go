package httpapi

import (
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/larder-index/larder/compare"
)

const queryExample = "city=toronto&items=1x2,7x0.5"

// readQuery reads a query of which it accepts the given names, each once. The
// names not known come first, then those that stand there twice.
func readQuery(raw string, names ...string) (url.Values, error) {
	values, err := url.ParseQuery(raw)
	if err != nil || !validUTF8(values) {
		return nil, badRequest("invalid_query", "the query can't be read: write it as name=value&name=value, with other characters than letters and digits as %XX of their UTF-8, such as "+queryExample)
	}
	sent := slices.Sorted(mapsKeys(values))
	for _, name := range sent {
		switch {
		case slices.Contains(names, name):
		case len(names) == 0:
			return nil, badRequest("unknown_parameter", "this takes no parameters in the query, and "+quote(name)+" is one: leave it out; a list is sent to "+pathCompare+", as the body of POST, such as "+bodyExample)
		default:
			return nil, badRequest("unknown_parameter", "there is no parameter "+quote(name)+" here"+suggest(name, names)+"; send such as "+queryExample)
		}
	}
	for _, name := range sent {
		if len(values[name]) > 1 {
			return nil, badRequest("duplicate_parameter", "parameter "+name+" stands in the query more than once; keep one, such as "+queryExample)
		}
	}
	return values, nil
}

func validUTF8(values url.Values) bool {
	for name, list := range values {
		if !utf8.ValidString(name) || slices.ContainsFunc(list, func(v string) bool { return !utf8.ValidString(v) }) {
			return false
		}
	}
	return true
}

// listOfQuery reads the list in the query of a GET.
func listOfQuery(raw string) (list compare.Request, err error) {
	values, err := readQuery(raw, "city", "items", "stores")
	if err != nil {
		return list, err
	}
	for _, name := range []string{"city", "items"} {
		if !values.Has(name) {
			return list, badRequest("missing_parameter", "parameter "+name+" is missing; send such as "+queryExample)
		}
	}
	list.City = values.Get("city")
	if list.Items, err = compare.ParseItems(values.Get("items")); err != nil {
		return list, refusedList(err)
	}
	if values.Has("stores") {
		if list.Stores, err = compare.ParseStores(values.Get("stores")); err != nil {
			return list, refusedList(err)
		}
	}
	return list, nil
}
