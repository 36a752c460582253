package compare

import (
	"cmp"
	"slices"
	"strings"
)

// The addresses that results link to, below the service's base address.
const (
	CatalogPath     = "/api/shopper/catalog"
	MethodologyPath = "/methodology"
	ShopperPath     = "/shopper"
)

// WithLinks sets the addresses of a result, which need the base address of the
// service, and returns it.
func (r *Result) WithLinks(base string) *Result {
	base = strings.TrimRight(base, "/")
	r.SourceURLs = []string{base + CatalogPath, base + MethodologyPath}
	r.ComparisonURL = urlOf(base, Request{})
	if r.from != nil {
		r.ComparisonURL = urlOf(base, Request{r.City.Slug, r.from.items, r.from.stores})
	}
	return r
}

// Request returns what was evaluated: items by id, stores by key.
func (r *Result) Request() Request {
	if r.from == nil {
		return Request{}
	}
	return Request{r.City.Slug, slices.Clone(r.from.items), slices.Clone(r.from.stores)}
}

// ComparisonURL returns the address of the page that shows a request, such as
//
//	https://larder.example/shopper#city=toronto&items=1x2,7x0.5&stores=a,b
//
// The list is in the fragment, which browsers don't send, so no log gets it.
// Items are in order of id and stores of key, so that equal lists have equal
// addresses.
func ComparisonURL(base string, r Request) string {
	r.Items, r.Stores = slices.Clone(r.Items), slices.Clone(r.Stores)
	slices.SortFunc(r.Items, func(a, b Item) int { return cmp.Compare(a.ID, b.ID) })
	slices.Sort(r.Stores)
	return urlOf(base, r)
}

// urlOf is ComparisonURL of a request that is in order.
func urlOf(base string, r Request) string {
	b := make([]byte, 0, 256)
	b = append(append(b, strings.TrimRight(base, "/")...), ShopperPath+"#city="...)
	b = appendEscaped(b, r.City)
	b = appendItems(append(b, "&items="...), r.Items)
	for i, key := range r.Stores {
		if i == 0 {
			b = append(b, "&stores="...)
		} else {
			b = append(b, ',')
		}
		b = appendEscaped(b, key)
	}
	return string(b)
}

// appendEscaped appends a slug or key. They are lowercase letters, digits, "-",
// "_" and "."; of other letters than ASCII's the bytes are escaped.
func appendEscaped(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
			b = append(b, c)
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}
