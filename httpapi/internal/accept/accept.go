// Package accept reads the headers of RFC 9110, section 12, that say what a client wants.
//
// The most specific entry that matches decides, wherever it is in the list. Of equally specific
// entries the greatest weight decides. Malformed entries are skipped, and parameters beside the
// weight.
package accept

import (
	"cmp"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Prefers reports whether a client prefers one media type to another: by its weight
// or, of equal weights, by how exactly it is named. "text/html, */*" prefers HTML to
// JSON, "*/*" does not.
func Prefers(h http.Header, one, other string) bool {
	a, exactly := media(h, one)
	b, less := media(h, other)
	return a > b || a == b && a > 0 && exactly > less
}

// Gzip reports whether a client takes gzip. Without Accept-Encoding it does not.
func Gzip(h http.Header) bool {
	weight, _ := find(h.Values("Accept-Encoding"), "gzip", "x-gzip", "*")
	return weight > 0
}

// media finds a media type. A client without Accept accepts anything.
func media(h http.Header, name string) (weight float64, exactly int) {
	kind, _, _ := strings.Cut(name, "/")
	if len(h.Values("Accept")) == 0 {
		return 1, 0
	}
	return find(h.Values("Accept"), name, kind+"/*", "*/*")
}

// find returns the greatest weight of the first of the names that is in a list, and how far
// from the last of them it is.
func find(list []string, names ...string) (weight float64, exactly int) {
	for i, want := range names {
		found := false
		for entry := range strings.SplitSeq(strings.Join(list, ","), ",") {
			name, params, err := mime.ParseMediaType(entry)
			if err != nil || name != want {
				continue
			}
			if q, err := strconv.ParseFloat(cmp.Or(params["q"], "1"), 64); err == nil && q >= 0 && q <= 1 {
				found, weight = true, max(weight, q)
			}
		}
		if found {
			return weight, len(names) - i
		}
	}
	return 0, 0
}
