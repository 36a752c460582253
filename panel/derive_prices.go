package panel

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/panel/selection"
)

// twice is twice a median price, in ten-thousandths of a dollar. It is a whole
// number even when two prices are in the middle.
type twice int64

func (t twice) String() string {
	if t%2 == 0 {
		return Price(t / 2).String()
	}
	return decimal.New(5*int64(t), -PriceDecimals-1).String()
}

// medianOf returns twice the median, or 0 for no prices. It changes their order.
func medianOf(prices []Price) twice {
	n := len(prices)
	if n == 0 {
		return 0
	}
	high := selection.At(prices, n/2)
	if n%2 == 1 {
		return twice(2 * high)
	}
	low := prices[0]
	for _, p := range prices[:n/2] {
		low = max(low, p)
	}
	return twice(low + high)
}

// medianWithout returns twice the median of sorted prices but for one of the
// given price, which is among them. There are at least two.
func medianWithout(sorted []Price, without Price) twice {
	at, _ := slices.BinarySearch(sorted, without)
	other := func(i int) Price {
		if i >= at {
			i++
		}
		return sorted[i]
	}
	n := len(sorted) - 1
	return twice(other((n-1)/2) + other(n/2))
}

// Pounds in a kilogram, in ten-thousandths, and the share of that ratio by which
// a price may be off.
const (
	poundsPerKg = 22_046
	nearby      = 2 // percent
)

// perPound reports whether a price is 2.2046 or 1/2.2046 times the median,
// within 2%, bounds included. All terms stay below 2^63: a price has at most 11
// digits and twice a median 12.
func perPound(p Price, median twice) bool {
	const one = 10_000
	price, usual := int64(2*p), int64(median)
	// price/usual from 2.2046 * 0.98 to 2.2046 * 1.02
	if price*one*100 >= usual*poundsPerKg*(100-nearby) && price*one*100 <= usual*poundsPerKg*(100+nearby) {
		return true
	}
	// price/usual from 0.98 / 2.2046 to 1.02 / 2.2046
	return price*poundsPerKg*100 >= usual*one*(100-nearby) && price*poundsPerKg*100 <= usual*one*(100+nearby)
}

func basisEvidence(own twice, rows int, usual twice, all int) string {
	ratio := float64(own) / float64(usual)
	return fmt.Sprintf("the median of its %d prices, %s, is %s the product's median of %s (%d prices)",
		rows, own, times(ratio), usual, all)
}

func rowEvidence(p Price, own twice, rows int) string {
	ratio, what := 2*float64(p)/float64(own), "a price per pound among prices per kilogram"
	if ratio > 1 {
		what = "a price per kilogram among prices per pound"
	}
	return fmt.Sprintf("its price, %s, is %s the median of its series' %d prices, %s: %s", p, times(ratio), rows, own, what)
}

func scaleEvidence(p Price, others twice, rows int) string {
	return fmt.Sprintf("its price, %s, is %s the median of its series' %d other prices, %s: cents for dollars, or a decimal point lost",
		p, times(2*float64(p)/float64(others)), rows, others)
}

// times writes a ratio for people: "3.02 times", "1/3.02 of".
func times(ratio float64) string {
	if ratio < 1 {
		return fmt.Sprintf("1/%.2f of", 1/ratio)
	}
	return fmt.Sprintf("%.2f times", ratio)
}
