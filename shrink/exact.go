package shrink

import (
	"math/big"
	"strconv"

	"github.com/larder-index/larder/panel"
)

// tenThousandths is how many units of a panel.Price make a dollar, and of a
// panel.Fixed one percent.
const tenThousandths = 10_000

// floor is where percent changes are held. A pack that loses more at once is
// usually another article, and Grade knows it by this exact value.
var floor = big.NewRat(-20, 1)

// exact returns the decimal number that a finite x was written as, the shortest
// one that reads back as x: 0.1 is a tenth, not the binary fraction next to it.
func exact(x float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'f', -1, 64))
	return r
}

// percentChange returns 100 * (after - before) / before, at least -20, rounded
// half away from zero to four decimals. before is above 0.
func percentChange(before, after *big.Rat) panel.Fixed {
	r := new(big.Rat).Sub(after, before)
	r.Quo(r, before).Mul(r, big.NewRat(100, 1))
	if r.Cmp(floor) < 0 {
		r = floor
	}
	units := roundUnits(r, tenThousandths)
	if !units.IsInt64() {
		return panel.Fixed{}
	}
	return panel.FixedOf(units.Int64())
}

// roundUnits returns r * perOne rounded half away from zero to a whole number.
func roundUnits(r *big.Rat, perOne int64) *big.Int {
	n := new(big.Int).Mul(r.Num(), big.NewInt(2*perOne))
	d := new(big.Int).Lsh(r.Denom(), 1)
	half := r.Denom()
	if n.Sign() < 0 {
		n.Sub(n, half)
	} else {
		n.Add(n, half)
	}
	return n.Quo(n, d)
}
