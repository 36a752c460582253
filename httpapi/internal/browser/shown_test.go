package browser

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

// What the page says to people, made from the API's numbers.

// rounded writes an amount, without its sign, to a decimal, half away from zero. Nothing is a dash.
func rounded(t testing.TB, n json.Number) string {
	t.Helper()
	if n == "" {
		return "–"
	}
	v, ok := new(big.Rat).SetString(strings.TrimPrefix(n.String(), "-"))
	if !ok {
		t.Fatal(n)
	}
	return v.FloatString(1)
}

// signedText is a change with so many digits of its amount. Zero has no sign, and the
// minus is U+2212.
func signedText(change json.Number, digits string) string {
	switch {
	case change == "":
		return "–"
	case strings.Trim(digits, "0.") == "":
		return digits + "%"
	case strings.HasPrefix(change.String(), "-"):
		return "\u2212" + digits + "%"
	}
	return "+" + digits + "%"
}

// holdsZero reports whether there is an interval, and it contains zero.
func holdsZero(t testing.TB, low, high json.Number) bool {
	t.Helper()
	if low == "" {
		return false
	}
	from, err := low.Float64()
	if err != nil {
		t.Fatal(err)
	}
	to, err := high.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return from <= 0 && 0 <= to
}

// texts are the texts of elements, shown or not, spaces joined.
func (x *tab) texts(selector string) []string {
	x.t.Helper()
	return get[[]string](x, `(s) => [...document.querySelectorAll(s)].map((e) => e.textContent.trim().replace(/\s+/g, " "))`, selector)
}
