package basket

import "math"

// Sizes of imperial and US units: the pound and the ounce of the international
// yard and pound agreement (1959), the imperial gallon of 4.54609 L (Canada's
// Weights and Measures Act, schedule II), the US gallon of 231 cubic inches.
const (
	gramsPerPound   = 453.59237
	gramsPerOunce   = gramsPerPound / 16
	imperialGallon  = 4546.09
	usGallon        = 3785.411784
	imperialFlOunce = imperialGallon / 160
	usFlOunce       = usGallon / 128
)

// A sizeUnit is a unit as shops write it. One is a power of ten times lo to hi, in g
// or mL. The two differ for units of more than one kind. The zero sizeUnit stands for no unit.
type sizeUnit struct {
	exp    int
	lo, hi float64
	volume bool // not so of a plain ounce
}

var (
	noUnit             = sizeUnit{}
	gram               = sizeUnit{0, 1, 1, false}
	kilogram           = sizeUnit{3, 1, 1, false}
	millilitre         = sizeUnit{0, 1, 1, true}
	centilitre         = sizeUnit{1, 1, 1, true}
	decilitre          = sizeUnit{2, 1, 1, true}
	litre              = sizeUnit{3, 1, 1, true}
	pound              = sizeUnit{0, gramsPerPound, gramsPerPound, false}
	ounce              = sizeUnit{0, gramsPerOunce, gramsPerOunce, false}
	fluidOunce         = sizeUnit{0, imperialFlOunce, usFlOunce, true} // of either kind
	fluidOunceUS       = sizeUnit{0, usFlOunce, usFlOunce, true}
	fluidOunceImperial = sizeUnit{0, imperialFlOunce, imperialFlOunce, true}
	pint               = sizeUnit{0, usGallon / 8, imperialGallon / 8, true} // of 16 US or 20 imperial fluid ounces
	quart              = sizeUnit{0, usGallon / 4, imperialGallon / 4, true}
	gallon             = sizeUnit{0, usGallon, imperialGallon, true}
)

func (u sizeUnit) metric() bool { return u.lo == 1 }

// A sizeNumber is mant / 10^dec / den: exact until it is scaled to a unit.
type sizeNumber struct {
	mant, den int64 // den is above 1 for fractions only
	dec       int8
	form      numberForm
}

// numberForm says how far the digits are clear before the unit is known.
type numberForm uint8

const (
	plainNumber   numberForm = iota
	commaThousand            // 1,000: a thousand of g, one of kg
	dotThousand              // 1.500: 1.5, or a thousand and a half
	badNumber                // 1.2.3, or more digits than a size has
)

func (n sizeNumber) integer() bool { return n.dec == 0 && n.den == 1 }

// scaled returns the number times 10^exp, rounded once.
func (n sizeNumber) scaled(exp int) float64 {
	x, e := float64(n.mant), exp-int(n.dec)
	if e >= 0 {
		x *= math.Pow10(e)
	} else {
		x /= math.Pow10(-e)
	}
	return x / float64(n.den)
}

// settle reads the number's open marks as the unit has them. 1,000 is a thousand
// of g, mL and counts, and one of kg, L and lb. With other units, and in 1.500 g,
// the marks stay open and settle reports false.
func (n sizeNumber) settle(u sizeUnit) (sizeNumber, bool) {
	small := u == noUnit || u == gram || u == millilitre
	switch n.form {
	case badNumber:
		return n, false
	case dotThousand:
		return n, !small
	case commaThousand:
		if !small {
			n.dec = 3
		}
		n.form = plainNumber
		return n, small || u == kilogram || u == litre || u == pound
	}
	return n, true
}

// A span is the smallest and the largest quantity, in g or mL, that one number
// may mean. They differ for units of more than one kind.
type span struct{ lo, hi float64 }

func (n sizeNumber) in(u sizeUnit) (span, bool) {
	n, ok := n.settle(u)
	if !ok {
		return span{}, false
	}
	x := tidy(n.scaled(u.exp))
	return span{tidy(x * u.lo), tidy(x * u.hi)}, true
}

// meets reports whether x times k and y may be one quantity, to a tolerance.
func (x span) meets(k float64, y span, tolerance float64) bool {
	return x.lo*k <= y.hi*(1+tolerance) && y.lo <= x.hi*k*(1+tolerance)
}
