package basket

import (
	"fmt"
	"strings"
)

// GTIN is a Global Trade Item Number: what a bar code says, written with 14 digits. Empty: the good has none.
type GTIN string

var gaps = strings.NewReplacer(" ", "", "-", "")

// ParseGTIN reads a number of 8, 12, 13 or 14 digits. Zeros in front, which spreadsheets lose, are put back: the
// check digit says whether the number is whole then. Spaces and hyphens between digits don't count.
//
// The check digit makes the sum of all digits, each second one from the right three times, a multiple of 10
// (GS1 General Specifications, 7.9.1).
func ParseGTIN(text string) (GTIN, error) {
	digits := gaps.Replace(text)
	bad := func(format string, a ...any) (GTIN, error) {
		return "", fmt.Errorf("GTIN %.40q: %w", text, fmt.Errorf(format, a...))
	}
	switch {
	case strings.Trim(digits, "0123456789") != "":
		return bad("it has more than digits; a spreadsheet keeps all of them in a column of text")
	case len(digits) < 8 || len(digits) > 14:
		return bad("it has %d digits; a GTIN has 8, 12, 13 or 14", len(digits))
	case strings.Trim(digits, "0") == "":
		return bad("it is nothing but zeros")
	}
	digits = strings.Repeat("0", 14-len(digits)) + digits
	sum := 0
	for i, d := range digits[:13] {
		sum += int(d-'0') * (3 - i%2*2)
	}
	if want := byte('0' + (10-sum%10)%10); digits[13] != want {
		return bad("its check digit is %c, but the others make it %c", digits[13], want)
	}
	return GTIN(digits), nil
}

// Restricted reports whether each chain, or each country, gives the number to goods of its own, so that it tells
// goods apart within one chain alone. By GS1's list of prefixes (General Specifications, 1.4) these are
// 02, 04 and 20 to 29 for restricted circulation, 05 and 981 to 984 and 99 for coupons, 980 for refunds, and of the
// numbers of 8 digits those with 0 or 2 in front.
func (g GTIN) Restricted() bool {
	switch {
	case g == "":
		return false
	case strings.HasPrefix(string(g), "000000"):
		return g[6] == '0' || g[6] == '2'
	}
	switch g[1:3] {
	case "02", "04", "05", "98", "99":
		return true
	}
	return g[1] == '2'
}
