package find

import (
	"math"
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
)

// hundredths are those of a package or kilogram, in which quantities count.
const hundredths = 100

// sameSize is how far an amount may be off a whole number of packages: 1 lb of butter
// is 454 g.
const sameSize = 0.02

// quantity converts the amounts of a text to an item's rule. The fault says why there
// is no quantity, or how it was rounded.
func (a asking) quantity(x *findable) (q *compare.Quantity, fault string) {
	if a.count.kind == nothing && a.size.kind == nothing {
		return nil, ""
	}
	sold := "it is sold in " + x.sold + ": how many?"
	count := a.packages()
	if x.PerKg() {
		if a.size.kind != basket.Gram {
			return nil, sold
		}
		asked := count * a.size.n / 1000
		nearest := compare.Quantity(math.Round(asked*float64(hundredths)/float64(x.rule.Step))) * x.rule.Step
		if !x.rule.Allows(nearest) || asked*float64(hundredths) > float64(x.rule.Max) {
			return nil, sold
		}
		if math.Abs(asked-float64(nearest)/float64(hundredths)) > 0.005 {
			fault = strconv.FormatFloat(asked, 'f', 2, 64) + " kg is " + nearest.String() + " kg to the nearest " + x.rule.Step.String()
		}
		return &nearest, fault
	}
	n, whole := count, math.Round(count)
	if of, ok := a.inPackages(x); ok {
		n, whole = of, math.Round(of)
		if x.Unit == basket.Count && n != whole { // "6 eggs"
			n, fault = math.Ceil(n), "one package has "+strconv.FormatFloat(x.StandardSize, 'f', -1, 64)
			whole = n
		} else if x.Unit != basket.Count && n < 1-sameSize { // "a litre of milk"
			n, fault = 1, "a package of "+measure(x.StandardSize, x.Unit)+" is priced, not "+measure(n*x.StandardSize, x.Unit)
			whole = n
		}
	} else if produce := x.Category == basket.ProduceFruit || x.Category == basket.ProduceVeg; produce && x.Unit == basket.Gram && !a.count.named {
		return nil, sold // "6 apples" are no bags
	}
	if math.IsNaN(n) || math.Abs(n-whole) > sameSize*n || whole < 1 || whole > float64(x.rule.Max/hundredths) {
		return nil, sold
	}
	packs := compare.Quantity(whole) * hundredths
	return &packs, fault
}

// packages returns the number of packages. A text without a number asks for 1.
func (a asking) packages() float64 {
	if a.count.kind == nothing {
		return 1
	}
	return a.count.n
}

// inPackages says how many packages of the standard size the amounts make; false when
// the number is one of packages already.
func (a asking) inPackages(x *findable) (float64, bool) {
	size := a.size
	bare := a.count.kind == packages && !a.count.named
	if size.kind == nothing && bare && x.Unit == basket.Count && x.StandardSize > 1 {
		whole := math.Mod(a.count.n, x.StandardSize) == 0
		if whole || !x.pieces && !a.count.times { // "12 eggs"; but "2 toilet paper" are two packages
			return a.count.n / x.StandardSize, true
		}
	}
	if size.kind == nothing {
		return 0, false
	}
	if x.Unit != size.kind {
		return math.NaN(), true
	}
	return a.packages() * size.n / x.StandardSize, true
}

// measure writes an amount in grams or millilitres, from a thousand on in kilograms or litres.
func measure(n float64, u basket.Unit) string {
	name := u.String()
	if n >= 1000 {
		n, name = n/1000, map[basket.Unit]string{basket.Gram: "kg", basket.Millilitre: "L"}[u]
	}
	return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) + " " + name
}
