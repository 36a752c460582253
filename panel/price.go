package panel

import (
	"fmt"
	"math"
	"strings"

	"github.com/shopspring/decimal"
)

// Price is an amount of money in whole ten-thousandths of a dollar: exactly
// what a price of at most four decimals is. 0 stands for "no price", since a
// price is always above 0.
type Price int64

// PriceDecimals is how many decimals a price may have.
const PriceDecimals = 4

const priceUnit = 10_000

// maxPrice bounds a price to ten million: above any grocery in any currency,
// and low enough that the level of the dearest price against the cheapest one,
// 1e13, still has its four decimals in an int64.
const maxPrice Price = 1e7 * priceUnit

// ParsePrice reads a plain decimal number above 0, at most ten million, with at
// most four decimals, such as "3.49" or "0.1234". Signs, exponents, separators and spaces are
// refused: a price that has to be guessed at is no price.
func ParsePrice(s string) (Price, error) {
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		if _, err := parseFixed(digits); err == nil {
			return 0, fmt.Errorf("price %q is not above 0", s)
		}
	}
	v, err := parseFixed(s)
	if err != nil {
		return 0, fmt.Errorf("price %q %w", s, err)
	}
	return checkPrice(v, s)
}

func checkPrice(v int64, text string) (Price, error) {
	switch {
	case v <= 0:
		return 0, fmt.Errorf("price %q is not above 0", text)
	case v > int64(maxPrice):
		return 0, errPriceRange(text)
	}
	return Price(v), nil
}

func errPriceRange(text string) error {
	return fmt.Errorf("price %q is above ten million", text)
}

// Valid reports whether p is a price: above 0 and at most ten million dollars.
func (p Price) Valid() bool { return p > 0 && p <= maxPrice }

// Decimal returns the price in dollars, exactly.
func (p Price) Decimal() decimal.Decimal { return decimal.New(int64(p), -PriceDecimals) }

// Log returns ln(price in dollars); -Inf for no price.
func (p Price) Log() float64 { return math.Log(float64(p) / priceUnit) }

// String writes the price in dollars with two decimals, or up to four when it
// has them: "3.49", "0.1234". No price is the empty string.
func (p Price) String() string {
	if p == 0 {
		return ""
	}
	return string(p.Append(nil))
}

// Append appends what String returns for a price other than 0.
func (p Price) Append(b []byte) []byte { return appendFixed(b, int64(p), 2) }
