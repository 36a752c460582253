// Package accept reads the headers Accept and Accept-Encoding of RFC 9110, section
// 12.5: how much a client wants a type or a coding.
//
// The most specific entry that matches decides, wherever it is in the list. Of
// equally specific entries the greatest weight decides. Malformed entries are
// skipped.
package accept

import (
	"iter"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Media returns the weight of a media type, such as "text/html; charset=utf-8", from
// 0 (not accepted) to 1. A client without Accept accepts anything.
func Media(h http.Header, offer string) float64 { return ofMedia(h, offer).weight }

// Prefers reports whether a client prefers one media type to another: by its weight
// or, of equal weights, by how exactly it is named. "text/html, */*" prefers HTML to
// JSON, "*/*" does not.
func Prefers(h http.Header, one, other string) bool {
	a, b := ofMedia(h, one), ofMedia(h, other)
	return a.weight > b.weight || a.weight == b.weight && a.weight > 0 && a.specific > b.specific
}

func ofMedia(h http.Header, offer string) best {
	values := h.Values("Accept")
	if len(values) == 0 {
		return best{1, 1}
	}
	var b best
	if media, params, err := mime.ParseMediaType(offer); err == nil {
		for entry := range entries(values) {
			b.add(mediaRange(entry, media, params))
		}
	}
	return b
}

// IsJSON reports whether a request's body is JSON in plain UTF-8, not compressed.
func IsJSON(h http.Header) bool {
	types := h.Values("Content-Type")
	if len(types) != 1 || len(h.Values("Content-Encoding")) > 0 {
		return false
	}
	media, params, err := mime.ParseMediaType(types[0])
	charset, given := params["charset"]
	return err == nil && media == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// Encoding returns the weight of a content coding, which may have several names, from
// 0 to 1. A client without Accept-Encoding accepts no coding.
func Encoding(h http.Header, names ...string) float64 {
	var b best
	for entry := range entries(h.Values("Accept-Encoding")) {
		b.add(coding(entry, names))
	}
	return b.weight
}

// best is the weight of the most specific entry so far.
type best struct {
	specific int // 0: no entry matched
	weight   float64
}

func (b *best) add(specific int, weight float64) {
	switch {
	case specific > b.specific:
		b.specific, b.weight = specific, weight
	case specific == b.specific && specific > 0:
		b.weight = max(b.weight, weight)
	}
}

// mediaRange reads an entry of Accept: how specifically it matches a media type (0:
// not at all), and its weight.
func mediaRange(entry, media string, params map[string]string) (specific int, weight float64) {
	wanted, of, err := mime.ParseMediaType(entry)
	if err != nil {
		return 0, 0
	}
	weight = 1
	if text, ok := of["q"]; ok {
		if weight, ok = parseWeight(text); !ok {
			return 0, 0
		}
		delete(of, "q")
	}
	for name, value := range of {
		if has, ok := params[name]; !ok || !strings.EqualFold(has, value) {
			return 0, 0
		}
	}
	kind, _, _ := strings.Cut(media, "/")
	switch wanted {
	case media:
		return 3 + len(of), weight
	case kind + "/*":
		return 2, weight
	case "*/*":
		return 1, weight
	}
	return 0, 0
}

// coding is mediaRange for an entry of Accept-Encoding.
func coding(entry string, names []string) (specific int, weight float64) {
	name, param, weighted := strings.Cut(entry, ";")
	name, weight = strings.Trim(name, " \t"), 1
	if weighted {
		q, text, ok := strings.Cut(strings.Trim(param, " \t"), "=")
		if !ok || !strings.EqualFold(q, "q") {
			return 0, 0
		}
		if weight, ok = parseWeight(text); !ok {
			return 0, 0
		}
	}
	for _, n := range names {
		if strings.EqualFold(name, n) {
			return 2, weight
		}
	}
	if name == "*" {
		return 1, weight
	}
	return 0, 0
}

// parseWeight reads a decimal number from 0 to 1. Clients also send ".2", and more
// than the three digits that a weight may have.
func parseWeight(text string) (float64, bool) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, false // ParseFloat takes exponents and names too
	}
	weight, err := strconv.ParseFloat(text, 64)
	return weight, err == nil && weight <= 1
}

// entries yields the entries of a list. They end at commas, except in quoted strings.
func entries(values []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, list := range values {
			for list != "" {
				end := endOf(list)
				if !yield(list[:end]) {
					return
				}
				list = list[min(end+1, len(list)):]
			}
		}
	}
}

func endOf(list string) int {
	quoted := false
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return i
		}
	}
	return len(list)
}
