package compare

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseItems reads the textual form of items: entries separated by commas, each
// an id, or an id, the letter x and a quantity. "7" stands for a quantity of 1.
// Quantities go by value, "0.50" and "2.0" pass where 0.5 and 2 do. There are no
// spaces, empty entries, signs, exponents or zeros in front.
//
//	items    = entry *( "," entry )        ; at most MaxItemsLength characters
//	entry    = whole [ "x" quantity ]
//	quantity = whole [ "." 1*DIGIT ]
//	whole    = "0" / %x31-39 *DIGIT
//
// What it reads is then checked as [Request.Validate] does with items. The error
// is an *Error: invalid_items for a text that breaks the grammar.
func ParseItems(s string) ([]Item, error) {
	if n := utf8.RuneCountInString(s); n > MaxItemsLength {
		return nil, &Error{InvalidItems, "items", fmt.Sprintf("it has %d characters; send at most %d, such as 1x2,7x0.5, or use POST", n, MaxItemsLength)}
	}
	items := make([]Item, 0, strings.Count(s, ",")+1)
	for entry := range strings.SplitSeq(s, ",") {
		id, qty, given := strings.Cut(entry, "x")
		it := Item{Qty: hundredths}
		ok := isDigits(id) && (len(id) == 1 || id[0] != '0')
		if ok && given {
			it.Qty, ok = plainQuantity(qty)
		}
		if !ok {
			return nil, &Error{InvalidItems, "items", fmt.Sprintf("entry %d, %.40q, is not an id, or an id with x and a quantity; send such as 1x2,7x0.5,12", len(items)+1, entry)}
		}
		it.ID, _ = strconv.Atoi(id) // of too many digits the largest int, which is no id
		items = append(items, it)
	}
	if err := validateItems(items); err != nil {
		return nil, err
	}
	return items, nil
}

// FormatItems writes the textual form of items, in the order given, such as
// "1x2,7x0.5"; ParseItems reads it back.
func FormatItems(items []Item) string { return string(appendItems(nil, items)) }

func appendItems(b []byte, items []Item) []byte {
	for i, it := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = it.Qty.append(append(strconv.AppendInt(b, int64(it.ID), 10), 'x'))
	}
	return b
}

// ParseStores reads the textual form of stores: chain keys separated by commas,
// without spaces and empty entries. What it reads is then checked as
// [Request.Validate] does with stores. The error is an *Error.
func ParseStores(s string) ([]string, error) {
	stores := make([]string, 0, strings.Count(s, ",")+1)
	for key := range strings.SplitSeq(s, ",") {
		if key == "" || strings.ContainsFunc(key, notInKey) {
			return nil, &Error{InvalidStores, "stores", fmt.Sprintf("entry %d, %.40q, is not a chain's key; send keys of the catalog such as northlarch,tillbrook, or leave stores out", len(stores)+1, key)}
		}
		stores = append(stores, key)
	}
	if err := validateStores(stores); err != nil {
		return nil, err
	}
	return stores, nil
}

// notInKey reports whether no key has the character, in either case.
func notInKey(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
}
