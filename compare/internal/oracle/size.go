package oracle

import (
	"math/big"
	"strconv"

	"github.com/larder-index/larder/basket"
)

// packageSize is the size of a row's package beside the product's standard size.
type packageSize struct {
	standard *big.Rat // in the product's unit
	size     *big.Rat // in the product's unit; nil: unknown
	fixedKg  *big.Rat // weight of a fixed pack; nil: it is none
}

func readPackage(text string, product basket.Product) packageSize {
	p := packageSize{standard: sizeOf(product.StandardSize)}
	parsed, err := basket.ParseSize(text)
	if err != nil {
		return p
	}
	p.size = statedSize(parsed, product.Unit)
	if grams, ok := parsed.In(basket.Gram); ok && parsed.Fixed() {
		p.fixedKg = new(big.Rat).Quo(sizeOf(grams), big.NewRat(1000, 1))
	}
	return p
}

// statedSize is a package's size in a product's unit, nil if it states none. A
// weight that the price is for ("per kg") is no size of a package.
func statedSize(s basket.Size, unit basket.Unit) *big.Rat {
	quantity, ok := s.In(unit)
	if !ok || s.PerWeight {
		return nil
	}
	return sizeOf(quantity)
}

// sizeOf is the decimal number that a size was written as.
func sizeOf(x float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'f', -1, 64))
	if !ok {
		panic("oracle: a size is no number")
	}
	return r
}

// ratio is parsed size / standard size; "size unknown: the standard size".
func (p packageSize) ratio() *big.Rat {
	if p.size == nil {
		return big.NewRat(1, 1)
	}
	return new(big.Rat).Quo(p.size, p.standard)
}

// differs: "parsed size more than 1% off the standard". An unknown one is not.
func (p packageSize) differs() bool {
	if p.size == nil {
		return false
	}
	off := new(big.Rat).Sub(p.size, p.standard)
	return off.Abs(off).Cmp(new(big.Rat).Quo(p.standard, big.NewRat(100, 1))) > 0
}

// distance grows with the log ratio of size and standard, which is the
// logarithm of max(size/standard, standard/size), and is an exact number.
func (p packageSize) distance() *big.Rat {
	ratio := p.ratio()
	inverse := new(big.Rat).Inv(ratio)
	if ratio.Cmp(inverse) >= 0 {
		return ratio
	}
	return inverse
}
