package compare

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Quantity is how much of an item is asked for, in hundredths: of a package, or
// of a kilogram. It is exact; a binary fraction is nowhere involved.
type Quantity int32

const (
	hundredths Quantity = 100
	quarter    Quantity = 25

	// noQuantity stands for a number that is no quantity of anything, so that
	// requests hold it until they are checked.
	noQuantity Quantity = -1
)

// Packages returns the quantity of n whole packages, or of n kilograms.
func Packages(n int) Quantity { return Quantity(n) * hundredths }

// ParseQuantity reads a plain decimal number such as "2", "2.0" or "0.25". Signs,
// exponents, spaces, and zeros in front of another digit are refused, and so are
// numbers that no item's quantity can be: those below 0.25 or above 20, and those
// that are no multiple of 0.25.
func ParseQuantity(s string) (Quantity, error) {
	q, ok := plainQuantity(s)
	switch {
	case !ok:
		return 0, fmt.Errorf("compare: quantity %.40q is not a plain decimal number such as 2 or 0.25", s)
	case !anyRule.allows(q):
		return 0, fmt.Errorf("compare: quantity %.40q is not 0.25 to 20 in steps of 0.25", s)
	}
	return q, nil
}

// plainQuantity reads a plain decimal number, noQuantity if it is too large or
// too fine to be a Quantity; false when s is no such number.
func plainQuantity(s string) (Quantity, bool) {
	whole, frac, point := strings.Cut(s, ".")
	if !isDigits(whole) || len(whole) > 1 && whole[0] == '0' || point && !isDigits(frac) {
		return 0, false
	}
	return number{digits: whole + frac, exponent: -len(frac)}.quantity(), true
}

func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// String writes the shortest decimal number: "2", "0.5", "0.25".
func (q Quantity) String() string { return string(q.append(nil)) }

func (q Quantity) append(b []byte) []byte {
	if q < 0 {
		b, q = append(b, '-'), -q
	}
	b = strconv.AppendInt(b, int64(q/hundredths), 10)
	if frac := q % hundredths; frac > 0 {
		b = append(b, '.', byte('0'+frac/10))
		if frac%10 > 0 {
			b = append(b, byte('0'+frac%10))
		}
	}
	return b
}

// MarshalJSON writes the number that String writes.
func (q Quantity) MarshalJSON() ([]byte, error) { return q.append(nil), nil }

// UnmarshalJSON reads a JSON number by its value: 1, 1.0 and 1e0 are the same.
func (q *Quantity) UnmarshalJSON(text []byte) error {
	n, ok := parseNumber(string(text))
	if !ok {
		return errors.New("compare: a quantity is a number such as 2 or 0.25")
	}
	v := n.quantity()
	if v == noQuantity {
		return fmt.Errorf("compare: quantity %.40q has more than two decimals or is not 0 to 999.99", text)
	}
	*q = v
	return nil
}

// number is a decimal number: digits times ten to the exponent.
type number struct {
	negative bool
	digits   string
	exponent int
}

// maxExponent is where exponents are held: far beyond what the digits of a body
// could bring back to a number that means something.
const maxExponent = 1 << 30

// parseNumber reads a JSON number of any length and exponent; false when the
// text is none.
func parseNumber(s string) (n number, ok bool) {
	s, n.negative = strings.CutPrefix(s, "-")
	mantissa, power, scaled := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, power, scaled = s[:i], s[i+1:], true
	}
	whole, frac, point := strings.Cut(mantissa, ".")
	if !isDigits(whole) || len(whole) > 1 && whole[0] == '0' || point && !isDigits(frac) {
		return number{}, false
	}
	n.digits = whole + frac
	if scaled {
		down := strings.HasPrefix(power, "-")
		if down || strings.HasPrefix(power, "+") {
			power = power[1:]
		}
		if !isDigits(power) {
			return number{}, false
		}
		for _, c := range []byte(power) {
			n.exponent = min(n.exponent*10+int(c-'0'), maxExponent)
		}
		if down {
			n.exponent = -n.exponent
		}
	}
	n.exponent -= len(frac)
	return n, true
}

// scaled returns the number times a power of ten when that is whole and has at
// most so many digits: too large or too fine a number is false.
func (n number) scaled(power, maxDigits int) (v int64, ok bool) {
	digits := strings.TrimLeft(n.digits, "0")
	if digits == "" {
		return 0, true
	}
	kept := strings.TrimRight(digits, "0")
	zeros := n.exponent + power + len(digits) - len(kept)
	if zeros < 0 || len(kept)+zeros > maxDigits {
		return 0, false
	}
	for _, c := range []byte(kept) {
		v = v*10 + int64(c-'0')
	}
	for range zeros {
		v *= 10
	}
	if n.negative {
		v = -v
	}
	return v, true
}

// quantity returns the number in hundredths, or noQuantity.
func (n number) quantity() Quantity {
	v, ok := n.scaled(2, 5)
	if !ok || v < 0 {
		return noQuantity
	}
	return Quantity(v)
}

// whole reports whether the number is an integer, by its value, and returns it;
// -1 for one of more than nine digits.
func (n number) whole() (v int, ok bool) {
	if x, ok := n.scaled(0, 9); ok {
		return int(x), true
	}
	digits := strings.TrimRight(n.digits, "0")
	return -1, n.exponent+len(n.digits)-len(digits) >= 0
}
