package compare

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// ParseItems reads the textual form of items: entries separated by commas. An
// entry is an id, or an id, the letter x and a quantity; "7" has the quantity 1.
// Quantities count by their value: "0.50" is 0.5. The form has no spaces, empty
// entries, signs, exponents or leading zeros.
//
//	items    = entry *( "," entry )        ; at most 1200 characters
//	entry    = whole [ "x" quantity ]
//	quantity = whole [ "." 1*DIGIT ]
//	whole    = "0" / %x31-39 *DIGIT
//
// [Request.Validate] checks what the grammar does not. The error is an *Error.
func ParseItems(s string) ([]Item, error) {
	if n := utf8.RuneCountInString(s); n > maxItemsLength {
		return nil, refuse("invalid_items", "items",
			"it has %d characters; send at most %d, such as 1x2,7x0.5, or use POST", n, maxItemsLength)
	}
	items := make([]Item, 0, strings.Count(s, ",")+1)
	for entry := range strings.SplitSeq(s, ",") {
		id, qty, given := strings.Cut(entry, "x")
		digits, places, point := strings.Cut(qty, ".")
		if !isWhole(id) || given && !isWhole(digits) || point && !isDigits(places) {
			return nil, refuse("invalid_items", "items",
				"entry %d, %.40q, is not an id, or an id with x and a quantity; send such as 1x2,7x0.5,12",
				len(items)+1, entry)
		}
		it := Item{Qty: hundredths}
		if given {
			it.Qty = quantityOf(qty)
		}
		it.ID, _ = strconv.ParseInt(id, 10, 64) // the largest id when there are too many digits; Validate refuses it
		items = append(items, it)
	}
	return items, nil
}

// ParseStores reads the textual form of stores: chain keys separated by commas,
// without spaces and empty entries. The error is an *Error.
func ParseStores(s string) ([]string, error) {
	notInKey := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}
	stores := strings.Split(s, ",")
	for i, key := range stores {
		if key == "" || strings.ContainsFunc(key, notInKey) {
			return nil, refuse("invalid_stores", "stores",
				"entry %d, %.40q, is not a chain's key; send keys of the catalog such as {chain}, or leave stores out",
				i+1, key)
		}
	}
	return stores, nil
}

// Choose adds the choices of a text to those of "accept" or of "reject": entries ID@CHAIN separated
// by commas. "variants" is an entry of accept too. The error is an *Error.
func (r *Request) Choose(member, s string) error {
	list, form := &r.Reject, "an item's id, @ and a chain's key"
	if member == "accept" {
		list, form = &r.Accept, AcceptVariants+", or "+form
	}
	for i, entry := range strings.Split(s, ",") {
		if member == "accept" && entry == AcceptVariants {
			r.Variants = true
			continue
		}
		id, key, ok := strings.Cut(entry, "@")
		if !ok || !isWhole(id) || key == "" {
			return refuse("invalid_"+member, at(member, i),
				"%.40q is not accepted here; send %s, or leave %s out", entry, form, member)
		}
		n, _ := strconv.ParseInt(id, 10, 64) // the largest id when there are too many digits; Validate refuses it
		*list = append(*list, Choice{n, key})
	}
	return nil
}

// isWhole reports whether a text is a whole number without leading zeros.
func isWhole(s string) bool { return isDigits(s) && (len(s) == 1 || s[0] != '0') }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// whole reads the text of a JSON number in so many parts of one. It returns -1 in
// place of an integer with more than 18 digits; false when there is a rest. It
// never writes out the zeros of an exponent that no number of MaxBody digits could
// make up for.
func whole(text string, parts int64) (v int64, ok bool) {
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	d, _ := decimal.NewFromString(mantissa)
	exponent, _ := strconv.ParseInt(cmp.Or(power, "0"), 10, 16) // a larger one is cut
	d = d.Shift(int32(exponent)).Mul(decimal.NewFromInt(parts))
	switch {
	case d.IsZero():
		return 0, true
	case d.Exponent() < -MaxBody || !d.IsInteger():
		return 0, false
	case d.NumDigits()+int(d.Exponent()) > 18:
		return -1, true
	}
	return d.IntPart(), true
}

// quantityOf reads the text of a JSON number, noQuantity when it cannot be one.
func quantityOf(text string) Quantity {
	if v, ok := whole(text, int64(hundredths)); ok && v > 0 && v <= math.MaxInt32 {
		return Quantity(v)
	}
	return noQuantity
}

// appendItems appends the textual form of items, such as "1x2,7x0.5".
func appendItems(b []byte, items []Item) []byte {
	for i, it := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = it.Qty.append(append(strconv.AppendInt(b, it.ID, 10), 'x'))
	}
	return b
}
