package panel

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// Price is an amount of money in whole ten-thousandths of the currency: exactly
// what a price of at most four decimals is. 0 means no price, because a price is
// always above 0. Rows hold prices in this form; [Price.Decimal] is the form to
// calculate with.
type Price int64

// PriceDecimals is how many decimals a price may have.
const PriceDecimals = 4

const priceUnit = 10_000

// maxPrice bounds a price to ten million: above any grocery in any currency.
// The level of the dearest price against the cheapest one, 1e13, still has its
// four decimals in an int64.
const maxPrice Price = 1e7 * priceUnit

// ParsePrice reads a plain decimal number above 0, at most ten million, with at
// most four decimals, such as "3.49" or "0.1234". Signs, exponents, separators
// and spaces are errors: a price is never guessed.
func ParsePrice(s string) (Price, error) {
	digits, negative := strings.CutPrefix(s, "-")
	v, err := parseUnits(digits)
	switch {
	case err != nil && negative:
		err = errNotNumber
	case err == nil && (v == 0 || negative):
		err = errors.New("is not above 0")
	case v > int64(maxPrice):
		err = errors.New("is above ten million")
	}
	if err != nil {
		return 0, fmt.Errorf("price %q %w", s, err)
	}
	return Price(v), nil
}

// Valid reports whether p is a price: above 0 and at most ten million dollars.
func (p Price) Valid() bool { return p > 0 && p <= maxPrice }

// Decimal returns the price in the currency, exactly.
func (p Price) Decimal() decimal.Decimal { return decimal.New(int64(p), -PriceDecimals) }

// log returns the natural logarithm of the price in the currency; -Inf for no price.
func (p Price) log() float64 { return math.Log(float64(p) / priceUnit) }

// String writes the price in the currency with two decimals, or up to four when it
// has them: "3.49", "0.1234". No price is the empty string.
func (p Price) String() string {
	if p == 0 {
		return ""
	}
	return string(appendUnits(nil, int64(p), 2))
}

// Fixed is a published number of at most four decimals, or null: a level, a
// percent change, an amount of dollars. It is printed with the digits that it
// was rounded to. The zero value is null.
type Fixed struct {
	Units int64 // whole ten-thousandths
	Valid bool  // false: null
}

// FixedOf returns the number of the given ten-thousandths.
func FixedOf(units int64) Fixed { return Fixed{units, true} }

// ParseFixed reads an optional minus sign and a plain decimal number of at most
// four decimals. The empty string is null.
func ParseFixed(s string) (Fixed, error) {
	if s == "" {
		return Fixed{}, nil
	}
	digits, negative := strings.CutPrefix(s, "-")
	v, err := parseUnits(digits)
	if err != nil {
		return Fixed{}, fmt.Errorf("number %q %w", s, err)
	}
	if negative {
		v = -v
	}
	return FixedOf(v), nil
}

// Float64 returns the nearest float64; NaN for null.
func (f Fixed) Float64() float64 {
	if !f.Valid {
		return math.NaN()
	}
	return float64(f.Units) / priceUnit
}

// String writes four decimals, such as "100.0000". Null is the empty string.
func (f Fixed) String() string {
	if !f.Valid {
		return ""
	}
	return string(f.Append(nil, PriceDecimals))
}

// Append appends the number with at least the given number of decimals, 0 to
// 4, and as many more as it has; null as "null".
func (f Fixed) Append(b []byte, decimals int) []byte {
	if !f.Valid {
		return append(b, "null"...)
	}
	return appendUnits(b, f.Units, decimals)
}

// appendUnits writes ten-thousandths. Responses hold millions of them, so it
// does not go through a decimal, which takes eleven times as long.
func appendUnits(b []byte, v int64, decimals int) []byte {
	u := uint64(v)
	if v < 0 {
		b = append(b, '-')
		u = -u
	}
	b = strconv.AppendUint(b, u/priceUnit, 10)
	frac := u % priceUnit
	if frac == 0 && decimals == 0 {
		return b
	}
	b = append(b, '.')
	for unit, n := uint64(priceUnit/10), 0; unit > 0 && (n < decimals || frac > 0); unit, n = unit/10, n+1 {
		b = append(b, byte('0'+frac/unit))
		frac %= unit
	}
	return b
}

var (
	errNotNumber = errors.New("is not a plain decimal number")
	errDecimals  = fmt.Errorf("has more than %d decimals", PriceDecimals)
	errTooLarge  = errors.New("is too large")
)

// maxWhole bounds numbers to a tenth of what ten-thousandths in an int64 can hold.
const maxWhole = (math.MaxInt64/priceUnit/100 + 1) * 10

// parseUnits reads digits with an optional fraction into ten-thousandths. The
// fraction has at most four decimals but for zeros: "1.50000" is 1.5.
func parseUnits(s string) (int64, error) {
	whole, fraction, point := strings.Cut(s, ".")
	if whole == "" || fraction == "" && point || strings.Trim(whole+fraction, "0123456789") != "" {
		return 0, errNotNumber
	}
	units, err := strconv.ParseInt(whole, 10, 64)
	fraction = strings.TrimRight(fraction, "0")
	switch {
	case err != nil, units >= maxWhole:
		return 0, errTooLarge
	case len(fraction) > PriceDecimals:
		return 0, errDecimals
	}
	units *= priceUnit
	for i, unit := 0, int64(priceUnit); i < len(fraction); i++ {
		unit /= 10
		units += int64(fraction[i]-'0') * unit
	}
	return units, nil
}
