package oracle

import (
	"math/big"

	"github.com/larder-index/larder/basket"
)

// price is what one standard size, or one kg, costs the shopper: "a conditional
// sale is not given to the shopper: the regular price is used".
func (r row) price() *big.Rat {
	if r.needsCondition() {
		return r.regular
	}
	return r.effective
}

// line is the line total in cents. "Package goods: effective_price * parsed
// size / standard size (size unknown: the standard size), rounded to cents half
// up, times qty; per-kg goods: effective_price * qty, rounded to cents."
func (r row) line(product basket.Product, qty *big.Rat) *big.Rat {
	return lineOf(r.price(), r.pack.ratio(), product, qty)
}

// sizeAdjusted is the size-adjusted line in cents: "the same with size ratio 1".
func (r row) sizeAdjusted(product basket.Product, qty *big.Rat) *big.Rat {
	return lineOf(r.price(), big.NewRat(1, 1), product, qty)
}

func lineOf(price, ratio *big.Rat, product basket.Product, qty *big.Rat) *big.Rat {
	if product.PerKg() {
		return cents(new(big.Rat).Mul(price, qty))
	}
	one := cents(new(big.Rat).Mul(price, ratio))
	return one.Mul(one, qty)
}

// cents rounds dollars to whole cents, half up: floor(100 x + 1/2).
func cents(dollars *big.Rat) *big.Rat {
	x := new(big.Rat).Mul(dollars, big.NewRat(100, 1))
	x.Add(x, big.NewRat(1, 2))
	floor := new(big.Int).Div(x.Num(), x.Denom()) // Euclidean, and the divisor is positive
	return new(big.Rat).SetInt(floor)
}
