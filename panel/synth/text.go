package synth

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
)

// packText writes a pack size in a banner's notation; "" where the banner writes
// none.
func (c *chain) packText(p basket.Product, size int64) string {
	return packText(c.Style, c.French, p, size)
}

func packText(style int, french bool, p basket.Product, size int64) string {
	space := " "
	if style == 1 || style == 3 || style == 7 {
		space = ""
	}
	n := strconv.FormatInt(size, 10)
	switch {
	case p.PerKg():
		return []string{"per kg", "", "per kg", "per kg", "", "approx. 1.2kg", "per kg", ""}[style]
	case p.Unit == basket.Count:
		return countText(style, french, p, n)
	case p.Unit == basket.Millilitre && style == 3:
		return n + ".0ml"
	case p.Unit == basket.Millilitre && (style == 2 || size < 1000):
		return n + space + "mL"
	case p.Unit == basket.Millilitre:
		return thousandth(size, french) + space + "L"
	case style == 3:
		return n + ".0g"
	case style == 2:
		return thousandth(size, false) + " kg"
	case style == 4:
		// One pound is 453.592 g; two decimals agree within three percent.
		return n + " g (" + hundredth(ratio(size*1000, 100, 453_592)) + " lb)"
	case size < 1000:
		return n + space + "g"
	}
	return thousandth(size, french) + space + "kg"
}

func countText(style int, french bool, p basket.Product, n string) string {
	switch {
	case n == "12" && p.Subcategory == "eggs" && style == 5:
		return "dozen"
	case french && p.Subcategory == "paper":
		return n + " rouleaux"
	case style == 1 || style == 3 || style == 5:
		return n + " ea"
	}
	return n + " un"
}

// thousandth writes n/1000 without trailing zeros.
func thousandth(n int64, french bool) string {
	s := decimal.New(n, -3).String()
	if french {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

// hundredth writes n/100 with two decimals.
func hundredth(n int64) string { return decimal.New(n, -2).StringFixed(2) }
