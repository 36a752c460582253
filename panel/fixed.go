package panel

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Fixed is a decimal number of at most four places, or null. Levels, percent
// changes and dollars are published in it, so that what is printed is what was
// rounded, to the last digit. The zero value is null.
type Fixed struct {
	Units int64 // whole ten-thousandths
	Valid bool  // false: null
}

// FixedOf returns the number of the given ten-thousandths.
func FixedOf(units int64) Fixed { return Fixed{units, true} }

// ParseFixed reads an optional minus sign and a plain decimal number of at
// most four decimals. The empty string is null.
func ParseFixed(s string) (Fixed, error) {
	if s == "" {
		return Fixed{}, nil
	}
	digits, negative := strings.CutPrefix(s, "-")
	v, err := parseFixed(digits)
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

// String writes four decimals, such as "100.0000"; null is the empty string.
func (f Fixed) String() string {
	if !f.Valid {
		return ""
	}
	return string(f.Append(nil, PriceDecimals))
}

// Append appends the number with at least the given number of decimals (0 to
// 4) and as many more as it has; null as "null".
func (f Fixed) Append(b []byte, decimals int) []byte {
	if !f.Valid {
		return append(b, "null"...)
	}
	return appendFixed(b, f.Units, decimals)
}

func appendFixed(b []byte, v int64, decimals int) []byte {
	if v < 0 {
		b = append(b, '-')
		v = -v
	}
	b = strconv.AppendInt(b, v/priceUnit, 10)
	frac := v % priceUnit
	if frac == 0 && decimals == 0 {
		return b
	}
	b = append(b, '.')
	for unit, n := int64(priceUnit/10), 0; unit > 0 && (n < decimals || frac > 0); unit, n = unit/10, n+1 {
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

// parseFixed reads digits with an optional fraction of at most four
// significant decimals ("1.50000" is 1.5) into ten-thousandths.
func parseFixed(s string) (int64, error) {
	whole, frac, hasPoint := strings.Cut(s, ".")
	if whole == "" || (hasPoint && frac == "") {
		return 0, errNotNumber
	}
	for _, part := range [2]string{whole, frac} {
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return 0, errNotNumber
			}
		}
	}
	var v int64
	for _, c := range []byte(whole) {
		if v > math.MaxInt64/priceUnit/100 {
			return 0, errTooLarge
		}
		v = v*10 + int64(c-'0')
	}
	unit := int64(priceUnit)
	v *= unit
	for _, c := range []byte(frac) {
		unit /= 10
		if unit == 0 && c != '0' {
			return 0, errDecimals
		}
		v += unit * int64(c-'0')
	}
	return v, nil
}
