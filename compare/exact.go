package compare

import (
	"math"
	"math/bits"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// A Price is in ten-thousandths of a dollar: a hundred of them are a cent.
const unitsPerCent = 100

// maxCents holds the price of one package, so that percents of twenty of each of
// fifty items are within an int64. It is 900 billion dollars.
const maxCents = 9e13

// maxSize is where sizes are held, in units: a hundred thousand tonnes.
const maxSize = 1e11

// micro returns a size in millionths of its unit, the precision that
// basket.ParseSize has.
func micro(size float64) int64 { return int64(math.Round(min(size, maxSize) * 1e6)) }

// parsedSize is a package size as comparisons see it.
type parsedSize struct {
	basket.Size
	known bool // a package of this size: neither unreadable nor the "per kg" of a price
	fixed bool // of exactly this size
}

// size parses a package size, once for all rows that have the text.
func (pr *Projection) size(text string) parsedSize {
	if text == "" {
		return parsedSize{}
	}
	if s, ok := pr.sizes.Load(text); ok {
		return s.(parsedSize)
	}
	var s parsedSize
	if parsed, err := basket.ParseSize(text); err == nil {
		s = parsedSize{parsed, !parsed.PerWeight, parsed.Fixed()}
	}
	pr.sizes.Store(text, s)
	return s
}

// in returns the size in millionths of a unit; 0 if it is not known in it.
func (s parsedSize) in(u basket.Unit) int64 {
	if !s.known {
		return 0
	}
	v, _ := s.In(u)
	return micro(v)
}

// isStandard reports whether a size is within 1% of the standard, bounds
// included. An unknown size, 0, is taken for it.
func isStandard(size, standard int64) bool {
	if size == 0 {
		return true
	}
	apart := max(size-standard, standard-size)
	return apart <= math.MaxInt64/100 && apart*100 <= sizeTolerancePercent*standard
}

// nearer compares two sizes by how far they are from the standard in log ratio,
// |ln(size / standard)|: below 0 when a is nearer. An unknown size is at 0.
func nearer(a, b, standard int64) int {
	ah, al := ratio(a, standard)
	bh, bl := ratio(b, standard)
	// ah/al against bh/bl, both at least 1: ah*bl against bh*al.
	h1, l1 := bits.Mul64(ah, bl)
	h2, l2 := bits.Mul64(bh, al)
	switch {
	case h1 != h2:
		return order(h1, h2)
	default:
		return order(l1, l2)
	}
}

func order(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// ratio returns a size and the standard, the larger one first. Sizes that count
// as the standard are at no distance.
func ratio(size, standard int64) (hi, lo uint64) {
	if isStandard(size, standard) {
		return 1, 1
	}
	return uint64(max(size, standard)), uint64(min(size, standard))
}

// shelfCents returns the price of one package: price * size / standard, rounded
// to cents, half up. An unknown size is the standard.
func shelfCents(price panel.Price, size, standard int64) int64 {
	if size == 0 {
		size, standard = 1, 1
	}
	hi, lo := bits.Mul64(uint64(price), uint64(size))
	d := uint64(standard) * unitsPerCent // maxSize keeps it within 64 bits
	if hi >= d {
		return maxCents
	}
	q, r := bits.Div64(hi, lo, d)
	if r >= d-r {
		q++
	}
	return int64(min(q, maxCents))
}

// weightCents returns the price of a quantity at a price per kilogram, rounded
// to cents, half up.
func weightCents(price panel.Price, q Quantity) int64 {
	const d = int64(hundredths) * unitsPerCent
	return (int64(price)*int64(q) + d/2) / d
}
