package synth

import (
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
)

// packText writes a pack size the way a banner does: one size, many notations.
func packText(style int, french bool, p basket.Product, size int64) string {
	if p.PerKg() {
		return []string{"per kg", "", "per kg", "per kg", "", "approx. 1.2kg", "per kg", ""}[style]
	}
	space := " "
	if style == 1 || style == 3 || style == 7 {
		space = ""
	}
	switch p.Unit {
	case basket.Count:
		return countText(style, french, p, size)
	case basket.Millilitre:
		switch {
		case style == 3:
			return strconv.FormatInt(size, 10) + ".0ml"
		case style == 2 || size < 1000:
			return strconv.FormatInt(size, 10) + space + "mL"
		}
		return thousandth(size, french) + space + "L"
	}
	switch {
	case style == 3:
		return strconv.FormatInt(size, 10) + ".0g"
	case style == 2:
		return thousandth(size, false) + " kg"
	case style == 4:
		// One pound is 453.592 g; two decimals agree within three percent.
		pounds := ratio(size*1000, 100, 453_592)
		return strconv.FormatInt(size, 10) + " g (" + hundredth(pounds) + " lb)"
	case size < 1000:
		return strconv.FormatInt(size, 10) + space + "g"
	}
	return thousandth(size, french) + space + "kg"
}

func countText(style int, french bool, p basket.Product, size int64) string {
	n := strconv.FormatInt(size, 10)
	switch {
	case size == 12 && p.Subcategory == "eggs" && style == 5:
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
	s := strconv.FormatInt(n/1000, 10)
	if rest := n % 1000; rest != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(1000+rest, 10)[1:], "0")
	}
	if french {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

// hundredth writes n/100 with two decimals.
func hundredth(n int64) string {
	return strconv.FormatInt(n/100, 10) + "." + strconv.FormatInt(100+n%100, 10)[1:]
}

// mojibake returns s as a program shows it that reads its UTF-8 as
// windows-1252. The bytes that windows-1252 leaves undefined stand for
// themselves; what is not in Latin-1 is outside this generator's titles.
func mojibake(s string) string {
	var sb strings.Builder
	for _, b := range []byte(s) {
		switch {
		case b >= 0x80 && b < 0xa0:
			sb.WriteRune(high1252[b-0x80])
		default:
			sb.WriteRune(rune(b))
		}
	}
	return sb.String()
}

// high1252 is what windows-1252 has where Latin-1 has control characters.
var high1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}
