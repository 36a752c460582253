package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// whole makes the codec of numbers that are kept as they are. 0 is unknown.
func whole[V ~int | ~int32 | ~int64](kind Type, parse func(string) (V, error)) codec[V] {
	return codec[V]{
		kind: kind, decimals: 2, parse: parse,
		value: func(v V) Value { return Value{Known: v != 0, Int: int64(v)} },
		load:  func(v Value) V { return V(v.Int) },
	}
}

var (
	id    = whole(Whole, parseID)
	price = whole(Decimal, short(panel.ParsePrice, "price ", "a plain decimal number"))
	date  = whole(Date, parseDate)
	week  = whole(Date, short(parseWeek, "", "a week's Sunday"))

	// count is a whole number from 0. -1 is unknown.
	count = codec[int]{
		kind: Whole, parse: parseCount,
		value: func(n int) Value { return Value{Known: n >= 0, Int: int64(n)} },
		load: func(v Value) int {
			if !v.Known {
				return -1
			}
			return int(v.Int)
		},
	}
	// flag is a yes or no, written 1 or 0.
	flag = codec[bool]{
		kind: Flag,
		parse: func(cell string) (bool, error) {
			if cell != "0" && cell != "1" {
				return false, fmt.Errorf("%s is neither 0 nor 1", Quote(cell))
			}
			return cell == "1", nil
		},
		value: func(is bool) Value { return Value{Known: true, Int: bit(is)} },
		load:  func(v Value) bool { return v.Int != 0 },
	}
	// tri is a yes or no that may be unknown.
	tri = codec[panel.Tri]{
		kind: Flag,
		parse: func(cell string) (panel.Tri, error) {
			if cell != "0" && cell != "1" {
				return panel.Unknown, fmt.Errorf("%s is neither 0 nor 1 nor empty", Quote(cell))
			}
			return panel.No + panel.Tri(cell[0]-'0'), nil
		},
		value: func(t panel.Tri) Value { return Value{Known: t != panel.Unknown, Int: bit(t == panel.Yes)} },
		load: func(v Value) panel.Tri {
			switch {
			case !v.Known:
				return panel.Unknown
			case v.Int == 0:
				return panel.No
			}
			return panel.Yes
		},
	}
	// number is a finite number of 0 or more. 0 is unknown.
	number = codec[float64]{
		kind: Float, parse: parseFloat,
		value: func(v float64) Value { return floatValue(v != 0, v) },
		load:  Value.Float,
	}
	// measure is a finite number of 0 or more. 0 is known too.
	measure = codec[float64]{
		kind: Float, parse: parseFloat, value: func(v float64) Value { return floatValue(true, v) }, load: Value.Float,
	}
	// fixed is a number of at most four decimals, or null.
	fixed = codec[panel.Fixed]{
		kind: Decimal, decimals: panel.PriceDecimals,
		parse: short(panel.ParseFixed, "number ", "a plain decimal number"),
		value: func(f panel.Fixed) Value { return Value{Known: f.Valid, Int: f.Units} },
		load:  func(v Value) panel.Fixed { return panel.Fixed{Units: v.Int, Valid: v.Known} },
	}
	// moment is a time. The zero time is unknown.
	moment = codec[time.Time]{
		kind: Time, parse: parseTime,
		value: func(t time.Time) Value {
			if t.IsZero() {
				return Value{}
			}
			return Value{Known: true, Int: t.UnixNano()}
		},
		load: func(v Value) time.Time {
			if !v.Known {
				return time.Time{}
			}
			return time.Unix(0, v.Int).UTC()
		},
	}
)

func bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

func textValue(s string) Value { return Value{Known: s != "", Text: s} }
func textOf(v Value) string    { return v.Text }
func kept(s string) Value      { return Value{Known: true, Text: s} }

var (
	// text is a text. The empty text is unknown.
	text = codec[string]{parse: parseText, value: textValue, load: textOf}
	// scraped is a text of a shop. The empty text is unknown.
	scraped = codec[string]{parse: parseScraped, value: textValue, load: textOf}
	// title is a text of a shop that snapshots store even if it is empty.
	title = codec[string]{parse: parseScraped, value: kept, load: textOf}
	// name is a text that other rows or people refer to.
	name = codec[string]{parse: parseName, value: kept, load: textOf}
	// gtin is a number of a bar code.
	gtin = codec[basket.GTIN]{
		parse: basket.ParseGTIN,
		value: func(g basket.GTIN) Value { return textValue(string(g)) },
		load:  func(v Value) basket.GTIN { return basket.GTIN(v.Text) },
	}
	// promo is promo_detail: a JSON object, checked and kept as it is.
	promo = codec[string]{kind: JSON, parse: parsePromo, value: textValue, load: textOf}
)

// list makes the codec of a list that is written as one text. Stored lists are well-formed.
func list[V any](between string, parse func(string) (V, error), write func(V) string) codec[[]V] {
	read := func(text string) (l []V, err error) {
		for _, part := range strings.Split(text, between) {
			v, err := parse(part)
			if err != nil {
				return nil, err
			}
			l = append(l, v)
		}
		return l, nil
	}
	return codec[[]V]{
		parse: read,
		value: func(l []V) Value {
			var parts []string
			for _, v := range l {
				parts = append(parts, write(v))
			}
			return textValue(strings.Join(parts, between))
		},
		load: func(v Value) (l []V) {
			if v.Text != "" {
				l, _ = read(v.Text)
			}
			return l
		},
	}
}

func self(s string) string { return s }

var (
	aliases = list("|", parseText, self)
	terms   = list("|", parseTerm, self)
	groups  = list("&", terms.parse, func(l []string) string { return strings.Join(l, "|") })
	gtins   = list("|", basket.ParseGTIN, func(g basket.GTIN) string { return string(g) })
	ids     = list("|", parseListed, func(id int64) string { return strconv.FormatInt(id, 10) })
)

// word makes the codec of the words that a type of package basket has. An unknown stored word
// becomes 0, which the builder refuses.
func word[V fmt.Stringer](parse func(string) (V, error), what string) codec[V] {
	return codec[V]{
		parse: short(parse, "", what),
		value: func(v V) Value { return kept(v.String()) },
		load:  func(v Value) V { word, _ := parse(v.Text); return word },
	}
}

// slug is a word of a list that the snapshot has, where it is looked up.
var slug = codec[string]{parse: func(cell string) (string, error) { return cell, nil }, value: kept, load: textOf}

// slice is a category, or nothing for the headline.
var slice = codec[string]{
	parse: func(cell string) (string, error) {
		if cell == basket.Overall.String() {
			return "", nil
		}
		return cell, nil
	},
	value: textValue, load: textOf,
}

// oneOf makes the codec of words by their places in a list. The first is the meaning of an
// empty cell. Of numbered words snapshots store the place.
func oneOf[V ~uint8](words []string, numbered bool) codec[V] {
	return codec[V]{
		numbered: numbered,
		parse: func(cell string) (V, error) {
			at := slices.Index(words, cell)
			if at < 0 {
				known := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
				return 0, fmt.Errorf("%s is not one of %s, or empty", Quote(cell), strings.Join(known, ", "))
			}
			return V(at), nil
		},
		value: func(v V) Value { return Value{Known: words[v] != "", Int: int64(v), Text: words[v]} },
		load: func(v Value) V {
			if numbered {
				return V(v.Int)
			}
			return V(max(0, slices.Index(words, v.Text)))
		},
	}
}
